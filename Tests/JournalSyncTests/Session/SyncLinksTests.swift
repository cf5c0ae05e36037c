import Journal
import JournalStore
import JournalSync
import Testing

/// A rename on one device and a link on another one meet.
struct SyncLinksTests {
  /// A rig at rest with an entry that every device knows.
  private struct World {
    let rig: SyncRig
    let soup: String

    init(_ kind: String = "sqlite", devices: Int = 2, others: [String] = []) throws {
      rig = try SyncRig(Array(repeating: kind, count: devices))
      soup = try rig.add(0, "Soup\nwith leek").uuid
      for text in others { try rig.add(0, text) }
      try rig.settle()
    }

    func store(_ device: Int) -> any EntryStore { rig.devices[device].store }

    func number(_ uuid: String, on device: Int) throws -> Int64 {
      try #require(try rig.devices[device].entry(uuid)).number
    }

    func text(_ uuid: String, on device: Int) throws -> String? {
      try rig.devices[device].entry(uuid)?.text
    }

    func uuid(_ text: String) throws -> String {
      let entries = try store(0).entries(rig.devices[0].numbers())
      return try #require(entries.first { $0.text == text }).uuid
    }

    /// Changes the title of an entry, and with `isCarrying` the links to it.
    func rename(_ uuid: String, _ title: String, on device: Int, isCarrying: Bool = true) throws {
      let (store, number) = (store(device), try number(uuid, on: device))
      let uses = try store.uses(leadingTo: number)
      let body = try store.entry(number).text.drop { $0 != "\n" }
      _ = try store.edit(number, text: title + body)
      let lost = try store.uses(uses, notLeadingTo: number)
      if isCarrying, !lost.isEmpty { _ = try store.redirect(lost, to: number) }
    }

    /// Brings all to rest; each text of an entry is then the expected one on every device.
    func expect(
      _ texts: [(uuid: String, text: String)], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      try rig.expectEqual(sourceLocation: sourceLocation)
      for device in rig.devices.indices {
        for (uuid, text) in texts {
          #expect(
            try self.text(uuid, on: device) == text, "device \(device)",
            sourceLocation: sourceLocation)
        }
        #expect(try store(device).check() == [], sourceLocation: sourceLocation)
      }
    }
  }

  private static let kinds = ["sqlite", "json", "sealed.sqlite"]
  private static let linked = "Dinner\n[[soup#Salt|the soup]], `[[Soup]]` and [[ Soup ]]"
  private static let repaired =
    "Dinner\n[[Potato soup#Salt|the soup]], `[[Soup]]` and [[ Potato soup ]]"

  @Test(
    "a rename there and a link here: whoever merges repairs it", arguments: kinds, [false, true])
  func renameAndLink(kind: String, linksFirst: Bool) throws {
    let world = try World(kind)
    try world.rename(world.soup, "Potato soup", on: 0)
    let dinner = try world.rig.add(1, Self.linked).uuid
    let order = linksFirst ? [1, 0] : [0, 1]
    #expect(try world.rig.sync(order[0]).repaired == 0)
    let report = try world.rig.sync(order[1])
    #expect(report.repaired == 1)
    #expect(report.sent == (linksFirst ? 2 : 1))
    #expect(report.notes.contains { $0.contains("changed links in 1 entry") })
    #expect(try world.text(dinner, on: order[1]) == Self.repaired)
    // It has sent what it repaired.
    #expect(try world.rig.sync(order[1]).isEmpty)
    #expect(try world.rig.sync(order[0]).repaired == 0)
    try world.expect([(dinner, Self.repaired), (world.soup, "Potato soup\nwith leek")])
  }

  @Test("undo skips the repair, and who takes the sync back takes it back", arguments: kinds)
  func undo(kind: String) throws {
    let world = try World(kind)
    try world.rename(world.soup, "Potato soup", on: 0)
    let dinner = try world.rig.add(1, Self.linked).uuid
    try world.rig.sync(0)
    try world.rig.sync(1)
    let store = world.store(1)
    let sets = try store.changeSets(latest: 1)
    #expect(sets.map(\.kind) == [.sync] && sets.first?.count == 2)
    _ = try store.takeBack(try #require(sets.first).id)
    #expect(try world.text(dinner, on: 1) == Self.linked)
    #expect(try world.text(world.soup, on: 1) == "Soup\nwith leek")
    try world.expect([(dinner, Self.linked), (world.soup, "Soup\nwith leek")])
  }

  @Test("links that the renaming device left as they were stay; newer ones are repaired")
  func leftLinks() throws {
    let world = try World(others: ["Old\n[[Soup]]"])
    let old = try world.uuid("Old\n[[Soup]]")
    try world.rename(world.soup, "Potato soup", on: 0, isCarrying: false)
    let new = try world.rig.add(1, "New\n[[Soup]]").uuid
    let text = "Old\n[[Soup]] again, and [[Soup|more]]"
    _ = try world.store(1).edit(world.number(old, on: 1), text: text)
    try world.expect([
      (old, "Old\n[[Soup]] again, and [[Potato soup|more]]"), (new, "New\n[[Potato soup]]"),
    ])
  }

  @Test(
    "an edit of the sentence with a link that the rename changed, too", arguments: [false, true])
  func sentence(editsFirst: Bool) throws {
    let world = try World(others: ["Old\nWe had [[Soup]] for dinner"])
    let old = try world.uuid("Old\nWe had [[Soup]] for dinner")
    try world.rename(world.soup, "Potato soup", on: 0)
    let text = "Old\nWe had [[Soup]] for lunch and [[Soup]] for dinner"
    _ = try world.store(1).edit(world.number(old, on: 1), text: text)
    if editsFirst { try world.rig.sync(1) }
    try world.rig.expectEqual()
    for device in 0...1 {
      let entry = try #require(try world.rig.devices[device].entry(old))
      #expect(Set(Link.all(in: entry.text).map(\.key)) == ["potato soup"], "\(entry.text)")
    }
  }

  @Test("a rename twice, on two devices, and back: links follow the title that stays")
  func renames() throws {
    let world = try World(devices: 3, others: ["Old\n[[Soup]]"])
    let old = try world.uuid("Old\n[[Soup]]")
    try world.rename(world.soup, "Leek soup", on: 0)
    try world.rename(world.soup, "Potato soup", on: 0)
    let first = try world.rig.add(1, "First\n[[soup]]").uuid
    try world.expect([(first, "First\n[[Potato soup]]"), (old, "Old\n[[Potato soup]]")])
    // Both rename it; the later one stays.
    try world.rename(world.soup, "Broth", on: 0)
    let second = try world.rig.add(0, "Second\n[[broth]]").uuid
    world.rig.devices[1].clock.move(by: 1_000)
    try world.rename(world.soup, "Stew", on: 1)
    let third = try world.rig.add(1, "Third\n[[stew]]").uuid
    let fourth = try world.rig.add(2, "Fourth\n[[Potato soup]]").uuid
    try world.rig.expectEqual()
    for uuid in [first, second, third, fourth, old] {
      let entry = try #require(try world.rig.devices[2].entry(uuid))
      #expect(Set(Link.all(in: entry.text).map(\.key)) == ["stew"], "\(entry.text)")
    }
    let links = try world.store(0).sources(leadingTo: world.number(world.soup, on: 0))
    #expect(links.count == 5)
    // Back, while somebody links to the name in between.
    let soup = try world.number(world.soup, on: 2)
    _ = try world.store(2).edit(soup, text: "Goulash\nwith leek")
    try world.rig.settle()
    let fifth = try world.rig.add(0, "Fifth\n[[Goulash]]").uuid
    _ = try world.store(2).undo()
    try world.expect([(fifth, "Fifth\n[[Stew]]")])
  }

  @Test("a device that was offline while two others renamed and repaired")
  func chain() throws {
    let world = try World(devices: 3)
    let late = try world.rig.add(2, "Late\n[[Soup]]").uuid
    let there = try world.rig.add(1, "There\n[[Soup]]").uuid
    try world.rename(world.soup, "Leek soup", on: 0)
    try world.rig.sync(0)
    try world.rig.sync(1)
    try world.rename(world.soup, "Potato soup", on: 1)
    try world.rig.sync(1)
    _ = try world.store(2).edit(
      world.number(world.soup, on: 2), text: "Soup\nwith leek\nand bread")
    #expect(try world.rig.sync(2).repaired == 1)
    try world.expect([
      (late, "Late\n[[Potato soup]]"), (there, "There\n[[Potato soup]]"),
      (world.soup, "Potato soup\nwith leek\nand bread"),
    ])
  }

  @Test("another entry with the title, a title that no link can name, and entries that are gone")
  func left() throws {
    let world = try World(others: ["Bread", "Cake", "Pie"])
    let (bread, cake, pie) = (
      try world.uuid("Bread"), try world.uuid("Cake"), try world.uuid("Pie")
    )
    try world.rename(world.soup, "Potato soup", on: 0)
    try world.rig.add(0, "Soup\nanother one")
    try world.rename(bread, "Bread [rye]", on: 0)
    try world.rename(cake, "Tart", on: 0)
    _ = try world.store(0).delete([world.number(pie, on: 0)])
    _ = try world.store(0).purge()
    _ = try world.store(0).delete([world.number(cake, on: 0)])
    let text = "Links\n[[Soup]] [[Bread]] [[Cake]] [[Pie]]"
    let links = try world.rig.add(1, text).uuid
    let trashed = try world.rig.add(1, "Trash\n[[Bread]] [[Soup]]").uuid
    _ = try world.store(1).delete([world.number(trashed, on: 1)])
    // Who restores the cake finds the link whole.
    let wanted = text.replacing("[[Cake]]", with: "[[Tart]]")
    try world.expect([(links, wanted), (trashed, "Trash\n[[Bread]] [[Soup]]")])
  }

  @Test("of several entries with the title that are renamed, the one that the link meant")
  func several() throws {
    let rig = try SyncRig()
    let lunches = try (1...3).map { _ in try rig.add(0, "Lunch #anna").uuid }
    try rig.settle()
    rig.devices[1].clock.move(by: 1_000)
    let link = try rig.add(1, "Dinner\n[[lunch|as then]]").uuid
    for (index, uuid) in lunches.enumerated() {
      let number = try #require(try rig.devices[0].entry(uuid)).number
      _ = try rig.devices[0].store.edit(number, text: "Meal \(index) #anna")
    }
    try rig.expectEqual()
    #expect(try rig.devices[0].entry(link)?.text == "Dinner\n[[Meal 2|as then]]")
  }

  @Test("an entry with an open conflict keeps it")
  func conflict() throws {
    let world = try World(others: ["Day\nthe sky is blue"])
    let day = try world.uuid("Day\nthe sky is blue")
    _ = try world.store(0).edit(world.number(day, on: 0), text: "Day\nthe sky is grey")
    try world.rename(world.soup, "Potato soup", on: 0)
    world.rig.devices[1].clock.move(by: 100)
    _ = try world.store(1).edit(
      world.number(day, on: 1), text: "Day\nthe sky is red, and [[Soup]]")
    try world.expect([(day, "Day\nthe sky is red, and [[Potato soup]]")])
    for device in 0...1 {
      let texts = try world.store(device).conflicts(of: world.number(day, on: device))
      #expect(texts == ["Day\nthe sky is grey"])
    }
  }

  @Test("a trashed entry that an edit brings back has its links repaired")
  func restored() throws {
    let world = try World(others: ["Old\n[[Soup]]"])
    let old = try world.uuid("Old\n[[Soup]]")
    _ = try world.store(0).delete([world.number(old, on: 0)])
    try world.rename(world.soup, "Potato soup", on: 0)
    _ = try world.store(1).edit(world.number(old, on: 1), text: "Old\n[[Soup]] again")
    try world.expect([(old, "Old\n[[Potato soup]] again")])
    #expect(try world.rig.devices[0].entry(old)?.deleted == nil)
  }

  @Test("a sync that fails at any call of git is repaired by the next one")
  func failures() throws {
    var (call, isReached) = (0, true)
    while isReached {
      call += 1
      let rig = try SyncTemplates.rig("an entry on two devices") { try World().rig }
      // The copy has another remote.
      try rig.settle()
      let soup = try #require(try rig.devices[0].numbers().first)
      _ = try rig.devices[0].store.edit(soup, text: "Potato soup\nwith leek")
      try rig.add(1, Self.linked)
      try rig.sync(0)
      let git = try FaultyGit(rig.scratch)
      _ = try? rig.sync(1, git: git.program(failing: call, how: .before))
      isReached = try git.calls() >= call
      try rig.expectEqual()
      let texts = try rig.devices[0].store.entries(rig.devices[0].numbers()).map(\.text)
      #expect(texts.contains(Self.repaired))
    }
    #expect(call > 10)
  }

  @Test("a push whose answer is lost, or that is killed", arguments: FaultyGit.Failure.allCases)
  fileprivate func pushes(how: FaultyGit.Failure) throws {
    let world = try World()
    try world.rename(world.soup, "Potato soup", on: 0)
    let dinner = try world.rig.add(1, Self.linked).uuid
    try world.rig.sync(0)
    let git = try FaultyGit(world.rig.scratch)
    _ = try? world.rig.sync(1, git: git.program(failing: "push", how: how))
    #expect(try world.text(dinner, on: 1) == Self.repaired)
    try world.expect([(dinner, Self.repaired)])
  }

  @Test("a push that another device overtakes")
  func overtaken() throws {
    let world = try World(devices: 3)
    try world.rename(world.soup, "Potato soup", on: 0)
    let dinner = try world.rig.add(1, Self.linked).uuid
    try world.rig.sync(0)
    try world.rig.add(2, "Unrelated")
    var isOvertaken = false
    let report = try world.rig.sync(
      1,
      progress: { progress in
        guard case .writing = progress, !isOvertaken else { return }
        isOvertaken = true
        _ = try? world.rig.sync(2)
      })
    #expect(report.repaired == 1 && isOvertaken)
    try world.expect([(dinner, Self.repaired)])
  }

  @Test("a first sync in pieces, of a device that renamed what it had received")
  func pieces() throws {
    let rig = try SyncRig(["sqlite"])
    rig.pieceSize = 2
    let soup = try rig.add(0, "Soup").uuid
    let links = try (1...7).map { try rig.add(0, "Entry \($0)\n[[Soup]]").uuid }
    try rig.settle()
    let second = try rig.join("\(rig.scratch.path)/second.sqlite")
    var pieces = 0
    _ = try? rig.sync(
      second, cancelling: { pieces > 1 },
      progress: { if case .applying = $0 { pieces += 1 } })
    let store = rig.devices[second].store
    let number = try #require(try rig.devices[second].entry(soup)).number
    _ = try store.edit(number, text: "Potato soup")
    try rig.expectEqual()
    let known = Set(try links.map { try #require(try rig.devices[0].entry($0)).text })
    #expect(known.allSatisfy { $0.contains("[[Potato soup]]") || $0.contains("[[Soup]]") })
    #expect(known.contains { $0.contains("[[Potato soup]]") })
  }
}

import Foundation
import Journal
import JournalStore
import JournalSync
import Testing

/// Two devices and one repository: what people do with them every day.
struct SyncSessionTests {
  @Test("a first and a second device come to the same journal, and then nothing is to do")
  func everyday() throws {
    let rig = try SyncRig()
    for text in ["one #home", "two\n\nwith a body", "三\r\n"] { try rig.add(0, text) }
    try rig.add(1, "written before joining")
    let first = try rig.sync(0)
    #expect(first.sent == 3 && first.received == 0 && first.isFirst)
    let second = try rig.sync(1)
    #expect(second.sent == 1 && second.received == 3)
    #expect(try rig.sync(0).received == 1)
    #expect(try rig.contents(0) == rig.contents(1))
    #expect(try rig.contents(0).count == 4)
    #expect(try rig.sync(0).isEmpty)
    #expect(try rig.sync(1).isEmpty)
  }

  @Test("edits, stars, dates, trash and purge travel")
  func changes() throws {
    let rig = try SyncRig()
    let entries = try (1...6).map { try rig.add(0, "entry \($0)") }
    try rig.settle()
    let (one, two) = (rig.devices[0].store, rig.devices[1].store)
    func number(_ entry: Entry) throws -> Int64 {
      try #require(try two.inspect { try $0.entry(uuid: entry.uuid) }).number
    }
    _ = try two.edit(number(entries[0]), text: "changed there")
    _ = try two.setStarred(true, [number(entries[1])])
    _ = try two.delete([number(entries[2])])
    try one.redate(
      [entries[3].number], created: Moment(seconds: 1_700_000_000, offset: 0),
      day: Day("2023-11-14") ?? .earliest)
    try rig.expectEqual()
    #expect(try one.inspect { try $0.entry(number: entries[0].number) }?.text == "changed there")
    #expect(try one.inspect { try $0.entry(number: entries[1].number) }?.starred == true)
    #expect(try one.inspect { try $0.entry(number: entries[2].number) }?.deleted != nil)
    _ = try one.purge()
    try rig.expectEqual()
    #expect(try rig.contents(1).count == 5)
  }

  @Test(
    "a received text names the devices that it may come from, unless the repository is sealed",
    arguments: ["sqlite", "json", "sealed.sqlite"])
  func authors(kind: String) throws {
    let rig = try SyncRig([kind, kind, kind])
    let isSealed = kind == "sealed.sqlite"
    let names = rig.devices.map(\.name)
    func program(_ device: Int, _ entry: Entry) throws -> String? {
      let store = rig.devices[device].store
      let number = try #require(try rig.devices[device].entry(entry.uuid)).number
      let version = try store.versions(number).last
      #expect(version?.source == .sync)
      return version?.program
    }
    func expect(_ devices: [Int]) -> String {
      isSealed ? ChangeAuthor.sync : devices.map { names[$0] }.joined(separator: " or ")
    }
    let first = try rig.add(0, "the sky is blue")
    try rig.sync(0)
    try rig.sync(1)
    #expect(try program(1, first) == expect([0]))
    // The third device receives what both wrote.
    let number = try #require(try rig.devices[1].entry(first.uuid)).number
    try rig.devices[1].store.edit(number, text: "the sky is red")
    try rig.sync(1)
    try rig.sync(2)
    #expect(try program(2, first) == expect([1, 0]))
    try rig.sync(0)
    #expect(try program(0, first) == expect([1]))
  }

  @Test("both edit the same words: one text is shown, the other is a conflict, on both devices")
  func conflict() throws {
    let rig = try SyncRig()
    let entry = try rig.add(0, "the sky is blue")
    try rig.settle()
    let (one, two) = (rig.devices[0].store, rig.devices[1].store)
    let number = try #require(try two.inspect { try $0.entry(uuid: entry.uuid) }).number
    _ = try one.edit(entry.number, text: "the sky is grey")
    rig.devices[1].clock.move(by: 100)
    _ = try two.edit(number, text: "the sky is red")
    #expect(try rig.sync(0).sent == 1)
    let report = try rig.sync(1)
    #expect(report.conflicts == 1 && report.merged == 1)
    try rig.settle()
    #expect(try rig.contents(0) == rig.contents(1))
    for (store, number) in [(one, entry.number), (two, number)] {
      #expect(try store.entries([number]).first?.text == "the sky is red")
      #expect(try store.conflicts(of: number) == ["the sky is grey"])
      #expect(try store.versions(number).map(\.text).contains("the sky is grey"))
    }
    _ = try one.edit(entry.number, text: "the sky is grey and red")
    try rig.settle()
    #expect(try two.conflicts(of: number) == [])
    #expect(try two.entries([number]).first?.text == "the sky is grey and red")
  }

  @Test(
    "an undone entry that a redo brings back stays, whoever saw it go", arguments: [false, true])
  func redone(starsMeanwhile: Bool) throws {
    let rig = try SyncRig(["sqlite", "sqlite", "sqlite"])
    let store = rig.devices[0].store
    let entry = try rig.add(0, "come back #home")
    try rig.settle()
    if starsMeanwhile {
      let number = try #require(try rig.devices[1].entry(entry.uuid)).number
      rig.devices[1].clock.move(by: 100)
      _ = try rig.devices[1].store.setStarred(true, [number])
    }
    _ = try store.undo()
    try rig.sync(0)
    try rig.sync(1)
    _ = try store.redo()
    try rig.settle()
    for device in rig.devices {
      let found = try #require(try device.entry(entry.uuid))
      #expect(found.deleted == nil && found.text == entry.text && found.starred == starsMeanwhile)
    }
    let number = try #require(try rig.devices[1].entry(entry.uuid)).number
    _ = try rig.devices[1].store.delete([number])
    try rig.settle()
    #expect(try store.inspect { try $0.entry(uuid: entry.uuid) }?.deleted != nil)
  }

  @Test("a redo after the sync that brought the undone entry back as trash leaves the trash")
  func redoneLate() throws {
    let rig = try SyncRig()
    let store = rig.devices[0].store
    let entry = try rig.add(0, "come back #home")
    try rig.settle()
    _ = try store.undo()
    try rig.settle()
    #expect(try rig.devices[0].entry(entry.uuid)?.deleted != nil)
    _ = try? store.redo()
    try rig.settle()
    #expect(try rig.contents(0) == rig.contents(1))
    #expect(try rig.devices[0].entry(entry.uuid)?.text == entry.text)
  }

  @Test("a conflict that comes while an editor is open stays open when its text is saved")
  func unseenConflict() throws {
    let rig = try SyncRig()
    let number = try rig.add(0, "one").number
    try rig.sync(0)
    try rig.sync(1)
    let (here, there) = (rig.devices[0].store, rig.devices[1].store)
    try there.edit(try #require(try there.numbers(matching: nil).first), text: "two")
    try rig.sync(1)
    rig.devices[0].clock.move(by: 1_000)
    try here.edit(number, text: "three")
    let opened = try here.entry(number)
    try rig.sync(0)
    try here.edit(
      number, text: "three, four", expecting: opened.checksum, knowing: opened.conflicts)
    #expect(try here.conflicts(of: number) == ["two"])
    let seen = try here.entry(number)
    try here.edit(number, text: "five", expecting: seen.checksum, knowing: seen.conflicts)
    #expect(try here.conflicts(of: number) == [])
  }
}

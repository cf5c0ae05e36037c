import Journal
import JournalFormats
import JournalStore
import TestSupport
import Testing

@testable import JournalSync

/// A random history of three journals whose entries link to one another and are renamed, the same for the same
/// seed; a ``LinkLedger`` is told of each change.
final class SyncLinkHistory {
  let rig: SyncRig
  private let seed: UInt64
  private var random: SeededGenerator
  private var ledger = WordLedger()
  private var nextWord = 0
  private var log: [String] = []
  private var links = LinkLedger(shared: SyncLinkHistory.shared)
  /// The number of entries whose links synchronisation changed.
  private(set) var repaired = 0
  /// The number of links that lead where they were meant to, at rest.
  private(set) var kept = 0

  init(seed: UInt64, kinds: [String]) throws {
    self.seed = seed
    rig = try SyncRig(kinds)
    random = SeededGenerator(seed: seed)
    for device in rig.devices where random.chance(percent: 30) {
      device.clock.move(by: .random(in: -3_000...3_000, using: &random))
    }
  }

  private var comment: Comment { "seed \(seed): \(log.suffix(80).joined(separator: ", "))" }

  func run(steps: Int) throws {
    for index in rig.devices.indices {
      for _ in 0..<3 { try change(index) { try self.add($0) } }
      try sync(index)
    }
    for _ in 0..<steps {
      let index = random.below(rig.devices.count)
      if random.chance(percent: 18) { try sync(index) } else { try change(index, makeChange) }
    }
    try rig.expectEqual(comment)
    for device in rig.devices { try links.excuse(on: device.store) }
    for device in rig.devices { try check(device) }
  }

  private func sync(_ index: Int) throws {
    let device = rig.devices[index]
    let before = try words(of: device)
    let other = (index + 1) % rig.devices.count
    var isOvertaken = !random.chance(percent: 20)
    log.append("sync \(index)" + (isOvertaken ? "" : " overtaken by \(other)"))
    let report = try rig.sync(
      index,
      progress: { [rig] progress in
        guard case .writing = progress, !isOvertaken else { return }
        isOvertaken = true
        _ = try? rig.sync(other)
      })
    repaired += report.repaired
    ledger.checkSync(from: before, to: try words(of: device), comment)
    try links.excuse(on: device.store)
    try links.excuse(on: rig.devices[other].store)
  }

  // MARK: Reading

  /// The words that are told apart: those of titles, and those of links and plain ones, without targets.
  private func words(of text: String) -> [Substring] {
    let lines = text.split(separator: "\n", maxSplits: 1)
    return (lines.first?.split(separator: " ") ?? [])
      + (lines.count > 1 ? lines[1].matches(of: /[xw][0-9]+/).map(\.output) : [])
  }

  private func words(of device: SyncRig.Device) throws -> WordLedger.Words {
    try WordLedger.words(in: device.store, device.numbers(), words)
  }

  private func check(_ device: SyncRig.Device) throws {
    ledger.checkRest(try words(of: device), comment)
    let store = device.store
    let (kept, faults) = try links.check(store)
    self.kept += kept
    #expect(faults.isEmpty, "\(comment): \(device.name): \(faults)")
    let destinations = try LinkLedger.destinations(in: store)
    #expect(try store.check() == [], comment)
    var sources: [Int64: Set<Int64>] = [:]
    var broken: Set<Int64> = []
    for entry in try store.entries(store.numbers(matching: nil)) {
      for link in Link.all(in: entry.text) {
        guard let lead = destinations[link.words ?? ""] ?? nil else {
          broken.insert(entry.number)
          continue
        }
        if lead.number != entry.number { sources[lead.number, default: []].insert(entry.number) }
      }
    }
    #expect(try store.numbers(matching: .flag(.broken)) == broken.sorted(), comment)
    for number in try store.numbers(matching: nil) {
      #expect(
        try store.sources(leadingTo: number) == (sources[number] ?? []).sorted(), comment)
    }
  }

  // MARK: Changing

  private func change(
    _ index: Int, _ body: (any EntryStore) throws -> String
  ) throws {
    let device = rig.devices[index]
    let (before, lead) = (
      try words(of: device), try LinkLedger.destinations(in: device.store)
    )
    let name = try body(device.store)
    log.append("\(index) \(name)")
    ledger.record(from: before, to: try words(of: device))
    try links.record(
      from: lead, to: LinkLedger.destinations(in: device.store), on: device.store)
  }

  private func makeChange(_ store: any EntryStore) throws -> String {
    let live = try store.numbers(matching: nil)
    guard let number = live.randomElement(using: &random) else { return try add(store) }
    switch random.below(24) {
    case 0, 1: return try add(store)
    case 2...7:
      let text = try store.entry(number).text
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let place = 1 + random.below(lines.count)
      let link = try self.link(store)
      if place < lines.count, random.chance(percent: 50) {
        lines[place] += " \(link)"
      } else {
        lines.insert("\(word("x")) \(link)", at: place)
      }
      _ = try store.edit(number, text: lines.joined(separator: "\n"))
      return "links \(number) \(link)"
    case 8...14: return try rename(number, store)
    case 15, 16:
      _ = try store.edit(number, text: store.entry(number).text + "\n\(word("x"))")
      return "edit \(number)"
    case 17:
      var lines = try store.entry(number).text.split(separator: "\n").map(String.init)
      if lines.count > 1 { lines.remove(at: 1 + random.below(lines.count - 1)) }
      _ = try store.edit(number, text: lines.joined(separator: "\n"))
      return "cut \(number)"
    case 18:
      _ = try store.delete([number])
      return "delete \(number)"
    case 19, 20:
      let trash = try store.numbers(matching: .flag(.deleted))
      _ = try store.restore(trash)
      return "restore"
    case 21: return random.chance(percent: 30) ? "purge \(try store.purge())" : "nothing"
    case 22: return "undo \((try? store.undo()) != nil)"
    default:
      _ = try store.setStarred(random.chance(percent: 50), [number])
      return "star \(number)"
    }
  }

  private func add(_ store: any EntryStore) throws -> String {
    let now = store.clock.moment()
    let link = try random.chance(percent: 60) ? "\n\(word("x")) \(self.link(store))" : ""
    let entry = NewEntry(
      text: "\(title())\n\(word("x"))\(link)", created: now, day: now.localDay,
      uuid: EntryUUID.derived(path: "\(seed) \(nextWord)"))
    let number = try store.add([entry])[0].number
    return "add \(number) \(try store.entry(number).title)\(link.isEmpty ? "" : " linking")"
  }

  /// Changes a title, and mostly the links to it.
  private func rename(_ number: Int64, _ store: any EntryStore) throws -> String {
    let old = try store.entry(number)
    var words = old.title.split(separator: " ").map(String.init)
    if words.count > 1, random.chance(percent: 50) {
      words[random.below(words.count)] = word("T")
    } else {
      words = [title()]
    }
    let new = words.joined(separator: " ")
    let uses = try store.uses(leadingTo: number)
    _ = try store.edit(number, text: new + old.text.dropFirst(old.title.count))
    guard random.chance(percent: 75) else { return "rename \(old.title) to \(new)" }
    let lost = try store.uses(uses, notLeadingTo: number)
    if !lost.isEmpty { _ = try store.redirect(lost, to: number) }
    return "rename \(old.title) to \(new) with \(lost.count) links"
  }

  /// A link to any entry, or sometimes to nothing.
  private func link(_ store: any EntryStore) throws -> String {
    let number = try store.numbers(matching: nil).randomElement(using: &random)
    let title = try number.map { try store.entry($0).title }
    return "[[\(title ?? word("T"))|\(word("w"))]]"
  }

  private func title() -> String {
    switch random.below(10) {
    case 0: Self.shared
    case 1...4: word("T") + " " + word("T")
    default: word("T")
    }
  }

  /// A title that several entries have.
  private static let shared = "Lunch"

  private func word(_ sign: String) -> String {
    nextWord += 1
    return "\(sign)\(nextWord)"
  }
}

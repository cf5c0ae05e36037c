import Journal
import JournalFormats
import JournalStore
import TestSupport
import Testing

@testable import JournalSync

/// A random history of three journals whose entries link to one another and are renamed, the same for the same
/// seed.
///
/// Each link has a word of its own, by which it is known in any text. A link is *left behind* if a change on a
/// device, not a synchronisation, made it lead elsewhere: by a rename that did not carry it along, by an undo.
/// At rest all others lead to the entries that they were written for, as far as these live.
final class SyncLinkHistory {
  let rig: SyncRig
  private let seed: UInt64
  private var random: SeededGenerator
  private var ledger = WordLedger()
  private var nextWord = 0
  private var log: [String] = []
  /// The entry that each link was written for.
  private var meant: [String: String] = [:]
  /// The links that were left behind, and those to a title that several entries have.
  private var excused: Set<String> = []
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
    for device in rig.devices { try excuse(on: device) }
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
    try excuse(on: device)
    try excuse(on: rig.devices[other])
  }

  /// Excuses links that no synchronisation repairs: those in the trash, and those to an entry with a title that
  /// may name another one.
  private func excuse(on device: SyncRig.Device) throws {
    for entry in try device.store.entries(device.store.numbers(matching: .flag(.deleted))) {
      excused.formUnion(Link.all(in: entry.text).compactMap(\.words))
    }
    for (word, uuid) in meant where try device.entry(uuid)?.title == Self.shared {
      excused.insert(word)
    }
  }

  // MARK: Reading

  /// The words that are told apart: those of titles, and those of links and plain ones, without targets.
  private func words(of text: String) -> [Substring] {
    let lines = text.split(separator: "\n", maxSplits: 1)
    return (lines.first?.split(separator: " ") ?? [])
      + (lines.count > 1 ? lines[1].matches(of: /[xw][0-9]+/).map(\.output) : [])
  }

  private func words(of device: SyncRig.Device) throws -> WordLedger.Words {
    var result: WordLedger.Words = [:]
    for entry in try device.store.entries(device.numbers()) {
      let texts = try [entry.text] + device.store.conflicts(of: entry.number)
      let live = Set(texts.flatMap(words))
      let versions = try device.store.versions(entry.number).flatMap { words(of: $0.text) }
      result[entry.uuid] = EntryWords(live: live, all: live.union(versions))
    }
    return result
  }

  /// Where the links of a device lead, by their words, from all texts; `nil` for nowhere.
  private func destinations(_ device: SyncRig.Device) throws -> [String: Entry?] {
    let live = try device.store.entries(device.store.numbers(matching: nil)).sorted {
      ($0.created.seconds, $0.number) < ($1.created.seconds, $1.number)
    }
    var found: [String: Entry?] = [:]
    for source in live {
      for link in Link.all(in: source.text) {
        guard let word = link.words else { continue }
        found[word] = .some(Self.destination(of: link.key, from: source, among: live))
      }
    }
    return found
  }

  private static func destination(
    of key: String, from source: Entry, among live: [Entry]
  ) -> Entry? {
    let keys = live.map { (entry: $0, keys: Link.keys(ofTitleKey: $0.titleKey)) }
    let full = keys.filter { $0.keys.first == key }
    let holders = (full.isEmpty ? keys.filter { $0.keys.contains(key) } : full).map(\.entry)
    let others = holders.filter { $0.number != source.number }
    let earlier = others.last {
      ($0.created.seconds, $0.number) < (source.created.seconds, source.number)
    }
    return earlier ?? others.first ?? holders.first
  }

  private func check(_ device: SyncRig.Device) throws {
    ledger.checkRest(try words(of: device), comment)
    let store = device.store
    let destinations = try destinations(device)
    for (word, uuid) in meant where !excused.contains(word) {
      guard let lead = destinations[word], let target = try device.entry(uuid),
        target.deleted == nil
      else { continue }
      kept += 1
      #expect(
        lead?.uuid == uuid,
        "\(comment): \(device.name): \(word) leads to \(lead?.title ?? "nothing") instead of \(target.title)"
      )
    }
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
    let (before, lead) = (try words(of: device), try destinations(device))
    let name = try body(device.store)
    log.append("\(index) \(name)")
    ledger.record(from: before, to: try words(of: device))
    for (word, now) in try destinations(device) {
      // A new link means what it leads to.
      guard let uuid = meant[word] else {
        if let now { meant[word] = now.uuid } else { excused.insert(word) }
        continue
      }
      if now?.uuid != uuid, lead[word].map({ $0?.uuid == uuid }) ?? true { excused.insert(word) }
    }
    try excuse(on: device)
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

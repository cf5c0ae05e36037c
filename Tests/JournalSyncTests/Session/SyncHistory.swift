import Foundation
import Journal
import JournalFormats
import JournalStore
import JournalSync
import TestSupport
import Testing

/// A random history of several journals and of people with plain git, the same for the same seed.
///
/// It drives the stores and the remote, and tells a ``WordLedger`` of each change.
final class SyncHistory {
  let rig: SyncRig
  let seed: UInt64
  private var random: SeededGenerator
  private var ledger = WordLedger()
  private var nextWord = 0
  private let git: PlainGit
  /// The steps so far, for the message of a failure.
  private(set) var log: [String] = []

  /// Lines that somebody added to the front matter of entries that were not removed since, by uuid.
  private var fields: [String: Set<String>] = [:]
  private let isSealed: Bool
  /// Whether a purge may have removed the last copy of a file.
  private var hasPurged = false
  /// Former heads of the remote.
  private var heads: [String] = []

  /// - Parameters:
  ///   - seed: also decides how many devices there are, of which kinds, their clocks, and how many
  ///     entries a piece of a first synchronisation has.
  ///   - isSealed: whether all journals are sealed, each with a key of its own.
  init(seed: UInt64, isSealed: Bool = false) throws {
    self.seed = seed
    self.isSealed = isSealed
    var random = SeededGenerator(seed: seed)
    let kinds = (0..<Int.random(in: 2...5, using: &random)).map { _ in
      let isJSON = random.chance(percent: 30)
      return isSealed ? "sealed.sqlite" : isJSON ? "json" : "sqlite"
    }
    let zones = kinds.map { _ in Int.random(in: -11...13, using: &random) * 3600 }
    rig = try SyncRig(kinds, zones: zones)
    rig.pieceSize = [1, 3, 8, SyncSession.standardPiece][Int(seed % 4)]
    rig.filesAtOnce = [1, 100_000, SyncSession.standardFiles][Int(seed % 3)]
    git = PlainGit(rig.scratch)
    for device in rig.devices where random.chance(percent: 30) {
      device.clock.move(by: .random(in: -300_000_000...300_000_000, using: &random))
    }
    self.random = random
  }

  private var comment: Comment { "seed \(seed): \(log.suffix(60).joined(separator: ", "))" }

  /// Runs steps, brings the devices to rest, and checks them.
  func run(steps: Int) throws {
    for _ in 0..<steps { try step() }
    // Each synchronisation is checked: a purge and an edit may remove an entry and bring it back.
    for _ in 0..<2 {
      for index in rig.devices.indices { try sync(index, disturbance: nil) }
    }
    try rig.expectEqual(mayLackFiles: hasPurged, comment)
    for device in rig.devices {
      ledger.checkRest(try WordLedger.words(of: device), comment)
    }
    guard !fields.isEmpty else { return }
    for (path, text) in try git.files() {
      guard let uuid = SyncHistory.uuid(of: path), let lines = fields[uuid] else { continue }
      let found = Set(text.split(separator: "\n").map(String.init))
      #expect(lines.subtracting(found).isEmpty, "\(path): seed \(seed)")
    }
  }

  // MARK: Steps

  private func step() throws {
    switch random.below(100) {
    case 0..<72: try change(pickDevice())
    case 72..<90: try sync(pickDevice(), disturbance: random.below(10))
    case 90..<95:
      let device = rig.devices[pickDevice()]
      device.clock.move(by: .random(in: -40_000_000...40_000_000, using: &random))
      log.append("clock of \(device.name)")
    default: try editFiles()
    }
  }

  private func pickDevice() -> Int { random.below(rig.devices.count) }

  private func word() -> String {
    nextWord += 1
    return "w\(nextWord)"
  }

  private func words(_ most: Int) -> String {
    (0...random.below(most)).map { _ in word() }.joined(separator: " ")
  }

  /// Synchronises.
  ///
  /// - Parameter disturbance: 0 cancels it, 1 writes the journal meanwhile, and 2 lets another device
  ///   synchronise meanwhile.
  private func sync(_ index: Int, disturbance: Int?) throws {
    let device = rig.devices[index]
    let before = try WordLedger.words(of: device)
    var hasWritten = false
    let other = (index + 1) % rig.devices.count
    log.append("sync \(device.name)" + (disturbance.map { $0 < 3 ? " disturbed \($0)" : "" } ?? ""))
    var isDisturbed = false
    var checks = disturbance == 0 ? random.below(12) : .max
    do {
      try rig.sync(
        index,
        cancelling: {
          checks -= 1
          return checks < 0
        },
        progress: { [self] progress in
          guard case .writing(0, _) = progress, !isDisturbed else { return }
          isDisturbed = true
          switch disturbance {
          case 1:
            hasWritten = true
            try? change(index)
          case 2: _ = try? rig.sync(other)
          default: break
          }
        })
    } catch let error as GitError where error.kind == .cancelled {}
    let after = try WordLedger.words(of: device)
    // Words that the disturbance removed were removed by a change, and not by synchronisation.
    if !hasWritten { ledger.checkSync(from: before, to: after, comment) }
  }

  /// Changes a journal and tells the ledger.
  private func change(_ index: Int) throws {
    let device = rig.devices[index]
    let before = try WordLedger.words(of: device)
    let name = try makeChange(device)
    // They may remove an entry, with its file.
    if ["purge", "undo", "redo", "takeBack"].contains(where: name.hasPrefix) { fields = [:] }
    log.append("\(name) \(device.name)")
    ledger.record(from: before, to: try WordLedger.words(of: device))
  }

  private func makeChange(_ device: SyncRig.Device) throws -> String {
    let store = device.store
    let live = try store.numbers(matching: nil)
    let trash = try store.numbers(matching: .flag(.deleted))
    guard let number = live.randomElement(using: &random), random.below(10) > 1 else {
      return try add(device)
    }
    switch random.below(18) {
    case 16, 17:
      guard store.keepsFiles else { return "nothing" }
      let size = [0, 10, 600, 300_000][random.below(4)]
      let bytes = SyncRig.noise(size, seed: UInt64(1 + random.below(3)))
      try store.attach([rig.content(bytes, named: "\(word()).bin")], to: number)
      return "attach \(size) \(number)"
    case 0...4:
      try edit(store, number)
      return "edit \(number)"
    case 5:
      _ = try store.delete([number])
      return "delete \(number)"
    case 6:
      _ = try store.restore(trash)
      return "restore"
    case 7:
      guard random.chance(percent: 50) else { return "nothing" }
      hasPurged = true
      return "purge \(try store.purge())"
    case 8:
      _ = try store.setStarred(random.chance(percent: 60), [number])
      return "star \(number)"
    case 9:
      let created = Moment(
        seconds: 1_700_000_000 + Int64(random.below(40)) * 86_400,
        offset: random.below(5) * 3600)
      _ = try store.redate([number], created: created, day: created.localDay)
      return "redate \(number)"
    case 10:
      let (old, new) = ("#t\(random.below(4))", "#t\(random.below(4))")
      _ = try store.retag(live, as: .rename) {
        $0.split(separator: " ", omittingEmptySubsequences: false)
          .map { $0 == old ? Substring(new) : $0 }.joined(separator: " ")
      }
      return "rename"
    case 11: return "undo \((try? store.undo()) != nil)"
    case 12: return "redo \((try? store.redo()) != nil)"
    case 13:
      let sets = try store.inspect { try $0.changeSets(latest: 6, before: nil) }
      guard let set = sets.randomElement(using: &random) else { return "nothing" }
      return "takeBack \(set.kind) \((try? store.takeBack(set.id)) != nil)"
    case 14:
      let versions = try store.versions(number)
      guard let version = versions.randomElement(using: &random) else { return "nothing" }
      _ = try store.putBack(version: version.index, of: number)
      return "putBack \(number)"
    default: return try importEntries(into: device)
    }
  }

  private func add(_ device: SyncRig.Device) throws -> String {
    let now = device.store.clock.moment()
    let text =
      "\(words(4)) #t\(random.below(4))" + (random.chance(percent: 40) ? "\n\(words(3))\n" : "")
    // A uuid of the history, so that the same seed makes the same history.
    let entry = NewEntry(
      text: text, created: now, day: now.localDay,
      uuid: EntryUUID.derived(path: "\(seed) \(nextWord)"))
    return "add \(try device.store.add([entry])[0].number)"
  }

  /// Adds, removes or replaces words, or writes the text anew.
  private func edit(_ store: any EntryStore, _ number: Int64) throws {
    guard let old = try store.entries([number]).first else { return }
    _ = try store.edit(number, text: edited(old.text))
  }

  private func edited(_ text: String) -> String {
    if random.chance(percent: 10) { return words(3) }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let index = random.below(lines.count)
    var parts = lines[index].split(separator: " ").map(String.init)
    let position = random.below(parts.count + 1)
    switch random.below(4) {
    case 0 where position < parts.count: parts[position] = word()
    case 1 where position < parts.count: parts.remove(at: position)
    case 2:
      lines.insert(words(2), at: index)
      return lines.joined(separator: "\n")
    default: parts.insert(word(), at: position)
    }
    lines[index] = parts.joined(separator: " ")
    let result = lines.joined(separator: "\n")
    return (try? Entry.validate(text: result)) == nil ? word() : result
  }

  /// Imports what another device has, as from a file.
  private func importEntries(into device: SyncRig.Device) throws -> String {
    let source = rig.devices[pickDevice()]
    let entries = try source.store.entries(source.numbers())
    let added = try device.store.importing { target in
      for entry in entries { try target.add(entry) }
      return target.added
    }
    return "import \(added) from \(source.name)"
  }

  // MARK: Plain git

  /// Edits, adds, moves or deletes a file in the remote.
  private func editFiles() throws {
    guard let head = try git.head(), !isSealed else { return }
    heads.append(head)
    if random.chance(percent: 15), let old = heads.randomElement(using: &random) {
      try forgetUnread()
      try git.replaceHistory(withFilesOf: old)
      fields = [:]
      return log.append("git replaces the history by a former state")
    }
    let files = try git.files().filter { SyncHistory.uuid(of: $0.key) != nil }
    let found = files.sorted { $0.key < $1.key }.randomElement(using: &random)
    guard let (path, text) = found, let uuid = SyncHistory.uuid(of: path), random.below(4) > 0
    else {
      let name = "Notes/2026-11-\(10 + random.below(15)) note\(nextWord).md"
      let text = words(3)
      try git.commit([(name, .text(text))])
      ledger.record(EntryUUID.derived(path: name), from: "", to: text)
      return log.append("git adds")
    }
    switch random.below(4) {
    case 0:
      try git.commit([(path, .delete)])
      fields = [:]
      if let end = text.range(of: "---\n\n")?.upperBound {
        ledger.record(uuid, from: String(text[end...]), to: "")
      }
      log.append("git deletes \(uuid.suffix(4))")
    case 1:
      let name = random.chance(percent: 50) ? "Moved/\(uuid).md" : "2020/01/02/\(uuid).md"
      guard name != path else { return }
      try git.commit([(path, .delete), (name, .text(text))])
      log.append("git moves \(uuid.suffix(4))")
    default:
      // Front matter ends with the first blank line.
      guard let end = text.range(of: "---\n\n")?.upperBound else { return }
      let body = String(text[end...])
      var head = String(text[..<end])
      if random.chance(percent: 50) {
        let line = "x\(nextWord): [a, \(nextWord)]"
        head = head.replacing("---\n\n", with: line + "\n---\n\n")
        fields[uuid, default: []].insert(line)
      }
      let new = edited(body)
      try git.commit([(path, .text(head + new))])
      ledger.record(uuid, from: body, to: new)
      log.append("git edits \(uuid.suffix(4))")
    }
  }

  /// Who replaces the history takes what plain git wrote and no device has read yet.
  private func forgetUnread() throws {
    let devices = try rig.devices.map { try WordLedger.words(of: $0) }
    for (path, text) in try git.files() {
      guard let uuid = Self.uuid(of: path), let end = text.range(of: "---\n\n")?.upperBound else {
        continue
      }
      let read = devices.reduce(into: Set<Substring>()) { $0.formUnion($1[uuid]?.all ?? []) }
      let unread = WordLedger.words(String(text[end...])).filter { !read.contains($0) }
      ledger.record(uuid, from: unread.joined(separator: " "), to: "")
    }
  }

  static func uuid(of path: String) -> String? {
    guard case .entry(let uuid, _)? = try? SyncPath(path.utf8) else { return nil }
    return uuid
  }
}

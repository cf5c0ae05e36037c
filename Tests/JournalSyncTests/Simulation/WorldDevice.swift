import Files
import Foundation
import Glibc
import Journal
import JournalFormats
import JournalStore
import Seal
import SimulatedDisk
import TestSupport

@testable import JournalSync

/// A device of a world: a journal in a file, two processes that have it open, and the cache of its
/// synchronisation.
final class WorldDevice {
  /// An editor that somebody has open.
  struct OpenEdit {
    var uuid: String
    var text: String
    var checksum: Int64
    var conflicts: String
  }

  /// A process with the journal open.
  struct Process {
    fileprivate(set) var author: ChangeAuthor
    /// `nil` only while it begins again: two connections of one process would share locks.
    fileprivate var opened: (any EntryStore)?
    /// The last change set when it began.
    fileprivate(set) var start: ChangeSet.ID = 0
    fileprivate(set) var edit: OpenEdit?

    var store: any EntryStore {
      guard let opened else { preconditionFailure("the process is not running") }
      return opened
    }
  }

  let name: String
  let kind: String
  let clock: SyncRig.SteppingClock
  let repository: ModelRepository
  let path: String
  private(set) var processes: [Process] = []
  /// Whether a synchronisation is running.
  var isSyncing = false
  /// The words of its entries after the last event.
  var words: WordLedger.Words = [:]
  /// The words that each change set added to each entry, and those that it removed.
  var added: [ChangeSet.ID: [String: Set<Substring>]] = [:]
  var removed: [ChangeSet.ID: [String: Set<Substring>]] = [:]
  private(set) var lastSet: ChangeSet.ID = 0
  /// Where its links lead.
  private(set) var lead: LinkLedger.Destinations = [:]
  /// The last change of the journal that was noted.
  private var sequence: Int64 = 0

  init(_ index: Int, kind: String, zone: Int, in directory: String, remote: ModelRemote) throws {
    (name, self.kind) = ("device\(index + 1)", kind)
    clock = SyncRig.SteppingClock(zone: zone)
    path = "\(directory)/\(name).\(kind)"
    let cache = "\(directory)/\(name).cache"
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
    repository = ModelRepository(at: cache, remote: remote)
    if let template = WorldTemplates.shared.journals["\(kind) \(index)"] {
      try Data(template).write(to: URL(filePath: path))
    }
    for (index, name) in ["screen", "command"].enumerated() {
      var author = ChangeAuthor(index == 0 ? .screen : .command, name: name)
      author.session = Int64(index + 1)
      processes.append(Process(author: author, opened: try open(author)))
    }
  }

  private func open(_ author: ChangeAuthor) throws -> any EntryStore {
    try kind == "json"
      ? JSONEntryStore.open(path, mode: .create, clock: clock.clock, author: author)
      : SQLiteEntryStore.open(path, mode: .readWrite, clock: clock.clock, author: author)
  }

  /// Begins a process again, after its end or its kill.
  func restart(_ index: Int) throws {
    processes[index].opened = nil
    processes[index].edit = nil
    processes[index].author.session += 2
    let store = try open(processes[index].author)
    processes[index].opened = store
    processes[index].start = try Self.lastSet(of: store)
  }

  /// Whether a power cut takes what was not synced; of a JSON file, which is replaced as a whole, none is.
  var hasDisk: Bool { kind != "json" }

  /// Ends both processes, takes what was not synced from the disk, and begins them again.
  ///
  /// - Returns: the number of writes that were lost.
  func cutPower(_ random: inout SeededGenerator) throws -> Int {
    close()
    let lost = daybook_disk_cut(path, random.next())
    for index in processes.indices { try restart(index) }
    return lost
  }

  /// Ends both processes.
  func close() {
    for index in processes.indices { processes[index].opened = nil }
  }

  func setEdit(_ edit: OpenEdit?, of process: Int) { processes[process].edit = edit }

  /// A store for reading.
  var store: any EntryStore { processes[0].store }

  /// The numbers of all entries, with those in the trash.
  var numbers: [Int64] {
    get throws { try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted)) }
  }

  var entries: [Entry] { get throws { try store.entries(numbers) } }

  /// What a power cut must not change.
  struct State: Equatable {
    var sequence: Int64
    var files: [String: String]
    var sync: SyncState?
  }

  var state: State {
    get throws {
      State(sequence: try store.lastSequence(), files: try files(), sync: try store.syncState())
    }
  }

  private static func lastSet(of store: any EntryStore) throws -> ChangeSet.ID {
    try store.changeSets(latest: 1).first?.id ?? 0
  }

  /// Reads the words after a change, and notes what its change sets added.
  func noteChange() throws {
    let now = try store.lastSequence()
    guard now != sequence else { return }
    sequence = now
    lead = try LinkLedger.destinations(in: store)
    let before = words
    words = try WordLedger.words(in: store, numbers, WordLedger.marked)
    let sets = try store.changeSets(latest: 12).filter { $0.id > lastSet }
    guard let last = sets.first else { return }
    var new: [String: Set<Substring>] = [:]
    for (uuid, words) in words {
      let more = words.live.subtracting(before[uuid]?.live ?? [])
      if !more.isEmpty { new[uuid] = more }
    }
    let old = before.mapValues(\.live).merging(new) { $0.union($1) }
    let gone = old.reduce(into: [String: Set<Substring>]()) { gone, item in
      let left = item.value.subtracting(words[item.key]?.live ?? [])
      if !left.isEmpty { gone[item.key] = left }
    }
    for set in sets { (added[set.id], removed[set.id]) = (new, gone) }
    lastSet = last.id
  }

  /// The files that the journal means: those of the remote at rest, by path.
  func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for entry in try entries {
      files[SyncPath(entry).text] = String(decoding: SyncFile.encode(entry), as: UTF8.self)
      for text in try store.conflicts(of: entry.number) {
        files[SyncPath(conflict: text, of: entry.uuid).text] = text
      }
    }
    return files
  }
}

/// Empty journals, so that a world does not make its own; the keys of the sealed ones are the same in all runs.
final class WorldTemplates: Sendable {
  static let shared = WorldTemplates()
  /// The bytes of a file by kind and by the index of the device.
  let journals: [String: [UInt8]]

  private init() {
    var journals: [String: [UInt8]] = [:]
    let directory = FileManager.default.temporaryDirectory.path + "/daybook-worlds-\(UUID())"
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for index in 0..<4 {
      for kind in ["sqlite", "sealed.sqlite"] {
        let path = "\(directory)/\(index).\(kind)"
        do {
          _ = try SQLiteEntryStore.open(path, mode: .create)
          if kind == "sealed.sqlite" {
            let key = try Self.key(index)
            try Sealing(JournalLocation(path: path, isExplicit: true), clock: .system)
              .seal(with: key, slots: SyncRig.slots(key, SyncRig.passphrase))
          }
          journals["\(kind) \(index)"] = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
          preconditionFailure("\(path): \(error)")
        }
      }
    }
    self.journals = journals
  }

  /// The key of a device.
  private static func key(_ index: Int) throws -> JournalKey {
    let pipe = try Descriptor.pipe()
    defer { for end in [pipe.reading, pipe.writing] { close(end) } }
    let bytes = (0..<48).map { UInt8($0 + index * 48) }
    guard Descriptor.writeAll(pipe.writing, bytes) == 0,
      let key = try JournalKey.received(from: pipe.reading)
    else { throw SealError.forged }
    return key
  }
}

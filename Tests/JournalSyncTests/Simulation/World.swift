import Foundation
import Journal
import JournalFormats
import JournalStore
import SimulatedDisk
import TestSupport

@testable import JournalSync

/// A promise that a world broke.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Checks that nothing was found.
  static func check(_ found: [String], _ promise: String) throws {
    if !found.isEmpty { throw Violation("\(promise): \(found.prefix(4).joined(separator: "; "))") }
  }
}

/// Devices with journals, processes and clocks, and one remote, in one thread; all that happens follows from
/// its script.
///
/// The code under test is that of the program: stores on files in memory, sessions, merging, undo. Git is a
/// ``ModelRepository``, whose calls fail, are killed and are interrupted by other events.
final class World {
  let script: WorldScript
  let remote = ModelRemote()
  private(set) var devices: [WorldDevice] = []
  var ledger = WordLedger()
  var links = LinkLedger()
  private let directory: String
  /// What happened, a line for each event.
  private(set) var log: [String] = []
  /// The former heads of the remote.
  var heads: [ObjectID] = []
  /// The commits of the remote that have been checked.
  var checkedObjects: Set<ObjectID> = []
  /// Whether a purge may have removed the last copy of a file.
  var hasPurged = false
  /// Whether links may lead elsewhere, since former texts came back.
  var hasFormerTexts = false
  /// The faults and kills so far, the calls of git, and the changes of files before a power cut.
  var (faults, calls, writes) = (0, 0, 0)

  /// - Parameter directory: an empty directory for the journals.
  init(_ script: WorldScript, in directory: String) throws {
    (self.script, self.directory) = (script, directory)
    for (index, kind) in script.kinds.enumerated() {
      devices.append(
        try WorldDevice(
          index, kind: kind, zone: script.zones[index], in: directory, remote: remote))
    }
  }

  /// Runs events, brings the devices to rest, and checks them.
  ///
  /// - Throws: ``Violation``, or any other error, which is one, too.
  func run(_ events: [WorldEvent]) throws {
    do {
      for event in events { try happen(event) }
      say("all synchronise")
      try rest()
    } catch {
      say("\(error)")
      throw error
    }
  }

  func say(_ line: String) { log.append(line) }

  /// A random word of an event, or of a title.
  static func words(_ event: WorldEvent, _ random: inout SeededGenerator, most: Int) -> String {
    (0...random.below(most)).map { "qnry\(event.id)x\(random.below(1_000_000))\($0)" }
      .joined(separator: " ")
  }

  static func title(_ event: WorldEvent, _ random: inout SeededGenerator) -> String {
    words(event, &random, most: 2).split(separator: " ").map { "T\($0)" }.joined(separator: " ")
  }

  /// Lets an event happen.
  ///
  /// - Parameter isInside: whether it happens between two calls of a synchronisation.
  func happen(_ event: WorldEvent, isInside: Bool = false) throws {
    let device = devices[event.device % devices.count]
    var random = SeededGenerator(seed: event.seed)
    switch event.action {
    case .rest where !isInside:
      say("all synchronise")
      try rest()
    case .sync: try synchronise(event, device, isInside: isInside, &random)
    case .clock:
      let seconds = [-100_000_000, -3_000, -1, 3_000, 90_000, 100_000_000][random.below(6)]
      device.clock.move(by: Int64(seconds))
      say("\(device.name): the clock jumps by \(seconds) s")
    case .restart:
      say("\(device.name): process \(event.process) ends and begins")
      try device.restart(event.process)
    case .powerCut: try cutPower(event, device, isInside: isInside, &random)
    case .loseCache:
      say("\(device.name): the cache is lost")
      device.repository.removeAll()
    case .remoteEdit, .remoteAdd, .remoteDelete, .remoteGoesBack, .remoteStartsAgain,
      .remoteIsEmptied:
      try changeRemote(event, &random)
    case .add, .edit, .openEdit, .saveEdit, .link, .rename, .delete, .restore, .purge, .star,
      .redate, .retag, .undo, .redo, .takeBack, .putBack, .importing, .attach, .settle, .rest:
      try change(event, device, &random)
    }
  }

  // MARK: Power cuts

  /// Cuts the power of a device, mostly in the middle of a change.
  private func cutPower(
    _ event: WorldEvent, _ device: WorldDevice, isInside: Bool, _ random: inout SeededGenerator
  ) throws {
    guard !device.isSyncing else { return }
    faults += 1
    var before = try device.state
    var isWhole = true
    let place = 1 + random.below(40)
    if device.hasDisk, random.chance(percent: 70) {
      let change = WorldEvent(id: event.id * 1_000, among: WorldEvent.changes, using: &random)
      daybook_disk_fail(device.path, place, Int32(random.below(2)))
      defer { daybook_disk_heal() }
      do {
        var own = change
        own.device = event.device
        try happen(own, isInside: isInside)
        // What was acknowledged stays.
        before = try device.state
      } catch let error as StoreError where daybook_disk_has_failed() != 0 && error.kind.isOfDisk {
        say("\(device.name): \(change.action) fails: \(error)")
        isWhole = false
      }
    }
    writes += daybook_disk_heal()
    let lost = try device.cutPower(&random)
    say("\(device.name): power cut at write \(place), \(lost) lost")
    let after = try device.state
    // A change that failed may have been committed: wholly, with its step in the log.
    if isWhole || after.sequence == before.sequence, after != before {
      throw Violation("\(device.name) is not as it was before the power cut")
    }
    if after.sequence < before.sequence {
      throw Violation("\(device.name) lost acknowledged changes")
    }
    let words = device.words
    try device.noteChange()
    ledger.record(from: words, to: device.words)
    try links.record(from: [:], to: device.lead, on: device.store)
    try Violation.check(device.store.check(), "the examination of \(device.name) after a power cut")
  }

  // MARK: Synchronising

  /// What happens to a synchronisation at one of its calls of git.
  private enum Disturbance {
    case none, cancelled
    case failing(ModelRepository.Moment)
    case killed(ModelRepository.Moment)
    case interrupted(WorldEvent)
    case powerCut(torn: Bool)
  }

  /// A process was killed.
  private struct Killed: Error {}

  /// The calls during which the journal is not being read or written.
  private static let pauses: Set = [
    "fetch", "push", "contains", "mergeBase", "isAncestor", "changedPaths", "haveSameFiles",
  ]

  private func synchronise(
    _ event: WorldEvent, _ device: WorldDevice, isInside: Bool, _ random: inout SeededGenerator
  ) throws {
    guard !device.isSyncing else { return }
    let place = 1 + random.below([3, 12, 40][random.below(3)])
    let moment: ModelRepository.Moment = random.chance(percent: 50) ? .before : .after
    let disturbance: Disturbance =
      switch random.below(isInside ? 4 : 8) {
      case 0: .killed(moment)
      case 1: random.chance(percent: 30) ? .cancelled : .failing(moment)
      case 4, 5:
        .interrupted(
          WorldEvent(id: event.id * 1_000, among: WorldEvent.interruptions, using: &random))
      case 6 where device.hasDisk: .powerCut(torn: random.chance(percent: 30))
      default: .none
      }
    let words =
      switch disturbance {
      case .none: ""
      case .cancelled: ", cancelled at call \(place)"
      case .failing(let moment): ", git fails \(moment) call \(place)"
      case .killed(let moment): ", killed \(moment) call \(place)"
      case .interrupted(let event): ", at call \(place) interrupted by \(event.action)"
      case .powerCut: ", power cut at write \(place)"
      }
    say("\(device.name): sync by process \(event.process)\(words)")
    let process = event.process
    var (count, isOver) = (0, false)
    var before = device.words
    device.repository.observe = { [self] name, now in
      if now == .before {
        count += 1
        calls += 1
      }
      guard count >= place else { return }
      switch disturbance {
      case .none, .cancelled, .powerCut: break
      case .killed(let moment):
        // The dead do nothing more.
        if moment == now || count > place {
          isOver = true
          throw Killed()
        }
      case .failing(let moment):
        guard !isOver, moment == now else { return }
        isOver = true
        throw GitError(name == "fetch" || name == "push" ? .unreachable : .failed, "\(name) failed")
      case .interrupted(let event):
        guard !isOver, now == .before, Self.pauses.contains(name) else { return }
        isOver = true
        try device.noteChange()
        try checkSync(device, from: before)
        var other = event
        // The synchronising process does nothing else.
        if devices[other.device % devices.count] === device { other.process = 1 - process }
        try happen(other, isInside: true)
        before = device.words
      }
    }
    defer { device.repository.observe = { _, _ in } }
    if case .powerCut(let isTorn) = disturbance {
      daybook_disk_fail(device.path, place, isTorn ? 1 : 0)
    }
    defer { daybook_disk_heal() }
    do {
      _ = try sync(device, event.process) {
        guard case .cancelled = disturbance, count >= place else { return false }
        isOver = true
        return true
      }
    } catch let error as GitError
      where isOver && [.cancelled, .unreachable, .failed].contains(error.kind)
    {
    } catch is Killed {
    } catch let error as StoreError where daybook_disk_has_failed() != 0 && error.kind.isOfDisk {
    } catch let error as SyncError where isAllowed(error) {
      say("  \(error)")
    }
    if isOver { faults += 1 }
    switch disturbance {
    case .killed where isOver: try device.restart(event.process)
    case .powerCut:
      let change = daybook_disk_heal()
      writes += change
      if daybook_disk_has_failed() != 0 { faults += 1 }
      let lost = try device.cutPower(&random)
      say("  \(change) writes, \(lost) lost")
    case .none, .cancelled, .failing, .killed, .interrupted: break
    }
    try device.noteChange()
    try checkSync(device, from: before)
    for device in devices { try links.excuse(on: device.store) }
  }

  /// Synchronises a device.
  func sync(
    _ device: WorldDevice, _ process: Int, isCancelled: @escaping () -> Bool = { false }
  ) throws -> SyncReport {
    device.isSyncing = true
    defer { device.isSyncing = false }
    if let head = remote.head, heads.last != head { heads.append(head) }
    defer { if let head = remote.head, heads.last != head { heads.append(head) } }
    return try SyncSession(
      device.processes[process].store, device.repository,
      remote: GitRemote("/remote.git", relativeTo: "/"), device: device.name,
      pieceSize: script.pieceSize, filesAtOnce: script.filesAtOnce,
      openKey: { try $0.key(passphrase: SyncRig.passphrase) }, isCancelled: isCancelled
    ).run()
  }

  /// Whether a refusal is right: an emptied sealed remote waits for the device that made its key.
  private func isAllowed(_ error: SyncError) -> Bool {
    script.isSealed && error.kind == .notAJournal && remote.head == nil && !heads.isEmpty
  }

  func checkSync(_ device: WorldDevice, from before: WordLedger.Words) throws {
    try Violation.check(
      ledger.lostBySync(from: before, to: device.words),
      "\(device.name) lost words by a synchronisation")
  }

  // MARK: Rest

  /// Synchronises until nothing changes any more, and checks all devices.
  func rest() throws {
    var isQuiet = false
    for _ in 0..<8 where !isQuiet {
      isQuiet = true
      for device in devices {
        let before = device.words
        do {
          if try !sync(device, 0).isEmpty { isQuiet = false }
        } catch let error as SyncError where isAllowed(error) {
          isQuiet = false
        }
        try device.noteChange()
        try checkSync(device, from: before)
      }
    }
    guard isQuiet else { throw Violation("the devices do not come to rest") }
    try checkRest()
  }
}

extension StoreError.Kind {
  /// Whether the medium failed.
  var isOfDisk: Bool {
    switch self {
    case .io, .diskFull: true
    default: false
    }
  }
}

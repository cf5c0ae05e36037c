import Files
import Foundation
import Journal
import JournalFormats
import JournalStore
import Seal
import Synchronization
import Testing

@testable import JournalSync

/// Several journals of a test that synchronise through one repository in a directory.
final class SyncRig {
  let scratch: Scratch
  /// The journals, one for each device.
  private(set) var devices: [Device] = []
  /// The most entries of a piece of a first synchronisation.
  var pieceSize = SyncSession.standardPiece
  /// The bytes of files that go together.
  var filesAtOnce = SyncSession.standardFiles

  /// A journal with its cache.
  final class Device {
    let name: String
    let path: String
    private(set) var store: any EntryStore
    /// Its clock; tests set it, also backwards.
    let clock: SteppingClock
    /// The directory of its cache in the scratch.
    var cache: String

    fileprivate init(_ name: String, _ path: String, _ clock: SteppingClock) throws {
      (self.name, self.path, self.clock, cache) = (name, path, clock, "cache-\(name)")
      store = try Self.open(path, clock)
    }

    private static func open(_ path: String, _ clock: SteppingClock) throws -> any EntryStore {
      if path.hasSuffix(".sealed.sqlite"), access(path, F_OK) != 0 { try seal(path, clock) }
      return try path.hasSuffix(".json")
        ? JSONEntryStore.open(path, mode: .create, clock: clock.clock)
        : SQLiteEntryStore.open(path, mode: .create, clock: clock.clock)
    }

    /// Makes a sealed journal with a key of its own.
    private static func seal(_ path: String, _ clock: SteppingClock) throws {
      _ = try SQLiteEntryStore.open(path, mode: .create, clock: clock.clock)
      let key = try JournalKey.random()
      try Sealing(JournalLocation(path: path, isExplicit: true), clock: clock.clock)
        .seal(with: key, slots: SyncRig.slots(key, SyncRig.passphrase))
    }

    /// Opens the journal again, after its file was replaced.
    func reopen() throws { store = try Self.open(path, clock) }

    /// The entry with a uuid.
    func entry(_ uuid: String) throws -> Entry? { try store.inspect { try $0.entry(uuid: uuid) } }

    /// The numbers of all entries, with those in the trash.
    func numbers() throws -> [Int64] {
      try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted))
    }
  }

  /// A clock that goes on a second each time it is read.
  final class SteppingClock: Sendable {
    private let seconds = Mutex<Int64>(1_795_000_000)
    /// The offset of its zone, in seconds.
    let zone: Int

    init(zone: Int = 3600) { self.zone = zone }

    /// A clock with the same time and zone.
    func copy() -> SteppingClock {
      let copy = SteppingClock(zone: zone)
      let now = seconds.withLock { $0 }
      copy.seconds.withLock { $0 = now }
      return copy
    }

    func move(by count: Int64) { seconds.withLock { $0 += count } }

    var clock: WallClock {
      WallClock(
        now: {
          self.seconds.withLock { seconds in
            seconds += 1
            return seconds
          }
        }, offset: { _ in self.zone })
    }
  }

  /// - Parameters:
  ///   - kinds: the endings of the journals: `sqlite`, `json`, or `sealed.sqlite`.
  ///   - zones: the offsets of the devices' clocks in seconds; one hour for those without.
  init(_ kinds: [String] = ["sqlite", "sqlite"], zones: [Int] = []) throws {
    scratch = try Scratch()
    try scratch.makeRemote()
    for (index, kind) in kinds.enumerated() {
      let clock = SteppingClock(zone: index < zones.count ? zones[index] : 3600)
      try join("\(scratch.path)/device\(index + 1).\(kind)", clock)
    }
  }

  /// The passphrase of all sealed journals and repositories.
  static let passphrase = Passphrase(Array("four random words here".utf8))

  /// The slots of a key, whose passphrase is derived without effort.
  static func slots(_ key: JournalKey, _ passphrase: Passphrase) throws -> KeySlots {
    try KeySlots(
      key: key, passphrase: passphrase, recovery: nil,
      cost: DerivationCost(passes: 1, memory: 8192))
  }

  /// The files and clocks of a rig, for copies of it.
  struct Template: Sendable {
    fileprivate var scratch: Scratch
    fileprivate var devices: [(file: String, clock: SteppingClock)]
  }

  /// The rig as a template; it must not be used any more.
  func template() -> Template {
    let files = devices.map { URL(filePath: $0.path).lastPathComponent }
    return Template(scratch: scratch, devices: Array(zip(files, devices.map(\.clock))))
  }

  /// A copy of a template.
  init(_ template: Template) throws {
    scratch = try Scratch()
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: template.scratch.path) where name != "home" {
      try files.copyItem(
        atPath: "\(template.scratch.path)/\(name)", toPath: "\(scratch.path)/\(name)")
    }
    for (file, clock) in template.devices { try join("\(scratch.path)/\(file)", clock.copy()) }
  }

  /// Adds a device with the journal at a path, which may be a copy of another one's.
  @discardableResult
  func join(_ path: String, _ clock: SteppingClock = SteppingClock()) throws -> Int {
    devices.append(try Device("device\(devices.count + 1)", path, clock))
    return devices.count - 1
  }

  /// Synchronises a device.
  ///
  /// - Parameters:
  ///   - git: the program, for tests of failing ones; the usual one without.
  ///   - passphrase: that of a sealed repository.
  ///   - progress: called in the middle of the synchronisation.
  @discardableResult
  func sync(
    _ index: Int, git: GitProgram? = nil, isDryRun: Bool = false, receivedBelow: Int? = nil,
    passphrase: Passphrase = SyncRig.passphrase,
    cancelling: @escaping () -> Bool = { false },
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) throws -> SyncReport {
    try session(
      index, git: git, receivedBelow: receivedBelow, passphrase: passphrase, cancelling: cancelling,
      progress: progress
    ).run(isDryRun: isDryRun)
  }

  /// A synchronisation of a device.
  func session(
    _ index: Int, git: GitProgram? = nil, receivedBelow: Int? = nil,
    passphrase: Passphrase = SyncRig.passphrase,
    cancelling: @escaping () -> Bool = { false },
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) throws -> SyncSession {
    let device = devices[index]
    let repository = try GitRepository(
      at: "\(scratch.path)/\(device.cache)", program: git ?? scratch.program())
    return try SyncSession(
      device.store, repository, remote: scratch.remote(), device: device.name,
      pieceSize: pieceSize, filesAtOnce: filesAtOnce, receivedBelow: receivedBelow,
      openKey: { try $0.key(passphrase: passphrase) },
      isCancelled: cancelling, progress: progress)
  }

  /// Synchronises all devices until nothing changes any more.
  func settle(sourceLocation: SourceLocation = #_sourceLocation) throws {
    for _ in 0..<6 {
      let reports = try devices.indices.map { try sync($0) }
      if reports.allSatisfy(\.isEmpty) { return }
    }
    Issue.record("the devices do not come to rest", sourceLocation: sourceLocation)
  }

  /// What must be the same on each device: every field but the number, and the texts of conflicts.
  func contents(_ index: Int) throws -> [String] {
    let device = devices[index]
    return try device.store.entries(device.numbers()).map { entry in
      let conflicts = try device.store.conflicts(of: entry.number).sorted()
      return String(decoding: SyncFile.encode(entry), as: UTF8.self) + "\n\(conflicts)"
    }.sorted()
  }

  /// The JSON export of a device, in the order of uuids and without numbers.
  func export(_ index: Int) throws -> [UInt8] {
    let device = devices[index]
    var encoder = JournalFormats.JSONEncoder()
    var bytes: [UInt8] = []
    encoder.begin(&bytes)
    for var entry in try device.store.entries(device.numbers()).sorted(by: { $0.uuid < $1.uuid }) {
      entry.number = 0
      try encoder.append(entry, to: &bytes)
    }
    encoder.end(&bytes)
    return bytes
  }

  /// The files that a device's journal means: exactly those of the remote's tree at rest.
  func files(_ index: Int) throws -> [String: String] {
    let device = devices[index]
    var files: [String: String] = [:]
    for entry in try device.store.entries(device.numbers()) {
      files[SyncPath(entry).text] = String(decoding: SyncFile.encode(entry), as: UTF8.self)
      for text in try device.store.conflicts(of: entry.number) {
        files[SyncPath(conflict: text, of: entry.uuid).text] = text
      }
    }
    let journal = try device.store.syncState()?.journal ?? ""
    files[SyncPath.manifest.text] = String(
      decoding: SyncManifest(journal: journal).encode(), as: UTF8.self)
    return files
  }

  /// The key of the sealed repository, as the first device has it.
  func repositoryKey() throws -> JournalKey {
    let manifest = try SyncManifest(
      Array(#require(try PlainGit(scratch).files()[SyncPath.manifest.text]).utf8))
    let seal = try #require(manifest.seal)
    let slots = try #require(KeySlots(bytes: seal.slots))
    return try WrappedKey(id: seal.id, slots: slots).key(passphrase: Self.passphrase)
  }

  /// The id of the key in a manifest.
  func repositoryKeyID(_ manifest: String) throws -> [UInt8] {
    try #require(try SyncManifest(Array(manifest.utf8)).seal).id
  }

  /// The files of the remote by what they are; those of a sealed repository are opened, and its
  /// manifest is that of a readable one.
  func remoteFiles() throws -> [String: String] {
    let reader = PlainGit(scratch)
    guard try devices[0].store.wrappedKey() != nil, let head = try reader.head(),
      let commit = ObjectID(head)
    else { return try reader.files() }
    let seal = TreeSeal(key: try repositoryKey())
    var texts: [String: String] = [:]
    try reader.reading { repository in
      let tree = JournalTree(repository: repository, seal: seal)
      var files: [JournalTree.File] = []
      try tree.changes(
        from: nil, to: commit, isCancelled: { false },
        skip: { name, reason in Issue.record("\(name): \(reason)") }
      ) { path, change in
        if case .file = path { return }
        if let new = change.new { files.append(.init(path: path, object: new.object)) }
      }
      var paths = files.makeIterator()
      try tree.contents(of: files, limit: 1 << 20) { content in
        guard let path = paths.next()?.path else { return }
        let bytes = try content.get()
        texts[path.text] =
          path == .manifest
          ? String(
            decoding: SyncManifest(journal: try SyncManifest(bytes).journal).encode(),
            as: UTF8.self)
          : String(decoding: bytes, as: UTF8.self)
      }
    }
    return texts
  }

  /// Commits files on top of the remote: as a person with plain git, or of a sealed repository as a
  /// program that has its key.
  func commit(_ files: [(SyncPath, [UInt8])]) throws {
    let seal =
      try devices[0].store.wrappedKey() == nil ? nil : TreeSeal(key: try repositoryKey())
    let git = PlainGit(scratch)
    try git.commit(
      files.map { path, bytes in
        guard let seal else { return (path.text, .write(bytes)) }
        let name = try #require(try seal.name(of: path))
        return (name, .write(try seal.seal(bytes, name: name)))
      })
    if let seal { try git.rewriteMessage { "sealed\n\n\(seal.mark(tree: $0, parents: $1))" } }
  }

  /// Brings the devices to rest and checks that all are equal: contents, exports, and the tree of the
  /// remote.
  ///
  /// - Parameter others: the paths of files in the remote that are nobody's entries.
  func expectEqual(
    others: Set<String> = [], mayLackFiles: Bool = false, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try settle(sourceLocation: sourceLocation)
    let first = try contents(0)
    for index in devices.indices.dropFirst() {
      #expect(try contents(index) == first, comment, sourceLocation: sourceLocation)
      #expect(try export(index) == export(0), comment, sourceLocation: sourceLocation)
    }
    let tree = try remoteFiles().filter { !others.contains($0.key) }
    let known = try tree.map { path, text in
      (path, try withoutUnknownFields(text, path, comment, sourceLocation))
    }
    #expect(
      try Dictionary(uniqueKeysWithValues: known) == files(0), comment,
      sourceLocation: sourceLocation)
    try expectFiles(mayLack: mayLackFiles, comment, sourceLocation: sourceLocation)
  }

  /// A file without the fields that an entry has no place for, which a journal does not have; the file
  /// must be as Daybook writes it.
  private func withoutUnknownFields(
    _ text: String, _ path: String, _ comment: Comment?, _ sourceLocation: SourceLocation
  ) throws -> String {
    guard case .entry(let uuid, let day)? = try SyncPath(path.utf8) else { return text }
    let file = try SyncFile(Array(text.utf8), uuid: uuid, day: day)
    #expect(
      file.encode().elementsEqual(text.utf8), comment, sourceLocation: sourceLocation)
    return String(decoding: SyncFile.encode(file.entry), as: UTF8.self)
  }

  @discardableResult
  func add(_ index: Int, _ text: String, day: Day? = nil) throws -> Entry {
    let store = devices[index].store
    let now = store.clock.moment()
    return try store.add([NewEntry(text: text, created: now, day: day ?? now.localDay)])[0]
  }
}

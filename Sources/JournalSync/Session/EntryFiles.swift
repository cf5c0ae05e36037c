import Journal
import JournalFormats

extension SyncFile {
  /// Reads the file of an entry.
  ///
  /// - Parameters:
  ///   - clock: the clock with the zone of times without an offset.
  ///   - known: the entry as it was, whose date stays if the file has none that can be read.
  /// - Throws: ``SyncTreeError``.
  init(
    _ content: FileContent, _ uuid: String, _ file: RemoteChanges.File, _ clock: WallClock,
    known: Entry? = nil
  ) throws {
    if let day = file.day {
      self = try SyncFile(content.get(), uuid: uuid, day: day, clock: clock, known: known)
    } else {
      self = try SyncFile(foreign: content.get(), path: file.path.text, clock: clock)
    }
  }

  /// The entry in one of Daybook's files; `nil` if it cannot be read.
  static func entry(_ content: FileContent, at path: SyncPath, _ clock: WallClock) -> Entry? {
    guard case .entry(let uuid, let day) = path, let bytes = try? content.get() else { return nil }
    return try? SyncFile(bytes, uuid: uuid, day: day, clock: clock).entry
  }

  /// Whether a file is byte for byte where and as Daybook writes it.
  func isTidy(_ content: FileContent, _ file: RemoteChanges.File) -> Bool {
    SyncPath(entry) == file.path && (try? content.get()) == encode()
  }
}

extension JournalTree {
  /// The fields that entries have no place for, by uuid; entries without any are left out.
  ///
  /// - Throws: as ``GitRepository/blobs(_:limit:isCancelled:_:)``.
  func unknownFields<Name: Hashable>(
    of files: [(name: Name, file: SyncPlan.FormerFile)], _ clock: WallClock,
    _ isCancelled: () -> Bool
  ) throws -> [Name: UnknownFields] {
    guard !files.isEmpty else { return [:] }
    var found: [Name: UnknownFields] = [:]
    try contents(
      at: files.map { ($0.file.path, $0.file.commit) }, limit: SyncFile.sizeLimit,
      isCancelled: isCancelled
    ) { index, content in
      let (name, file) = files[index]
      guard case .entry(let uuid, let day) = file.path, let bytes = try? content.get() else {
        return
      }
      let fields = SyncFile.unknownFields(bytes, uuid: uuid, day: day, clock: clock)
      if !fields.isEmpty { found[name] = fields }
    }
    return found
  }
}

extension Entry {
  /// The state of an entry whose file is gone.
  ///
  /// A purge removes the file of an entry in the trash. Anybody can remove any other file, so that
  /// only moves the entry to the trash.
  var withoutFile: Entry? {
    guard deleted == nil else { return nil }
    var entry = self
    entry.deleted = modified
    return entry
  }

  /// The entry with the time of a change that somebody made to its text by hand.
  func stamped(base: Entry?, _ clock: WallClock) -> Entry {
    guard let base, !text.isSame(as: base.text), modified == base.modified else { return self }
    var entry = self
    let now = clock.moment()
    entry.modified = now.seconds > base.modified.seconds ? now : base.modified
    return entry
  }
}

extension EntryState {
  /// Whether two states are the same but for numbers.
  func isSame(as other: EntryState) -> Bool {
    guard conflicts.count == other.conflicts.count,
      zip(conflicts, other.conflicts).allSatisfy({ $0.isSame(as: $1) })
    else { return false }
    switch (entry, other.entry) {
    case (nil, nil): return true
    case (let one?, let two?): return one.isSameState(as: two)
    default: return false
    }
  }
}

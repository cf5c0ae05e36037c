import GRDB
import Journal

/// How a journal is opened.
package enum OpenMode: Hashable, Sendable {
  /// To read and write; a missing file is an error.
  case readWrite
  /// To read and write; a missing file is made.
  case create
  /// Without any write to the file or its folder.
  case readOnly
}

extension SQLiteEntryStore {
  /// Opens a journal.
  ///
  /// A file that may not be written is opened for reading, which ``notes`` says. In an empty file a
  /// journal is made by ``OpenMode/create`` alone; for readers it is ``StoreError/Kind/missing``.
  ///
  /// - Parameters:
  ///   - path: the file; a symbolic link is followed once, here.
  ///   - mode: whether to write and to make a missing file.
  ///   - clock: the clock that dates changes.
  ///   - actor: the name under which this program's changes stand in the log.
  ///   - attendant: who is told when the journal has to be brought up to date.
  /// - Throws: ``GivenUp`` when the attendant says so; ``StoreError``; a file that is not ours is left as it is, byte for byte.
  package static func open(
    _ path: String, mode: OpenMode, clock: WallClock = .system, actor: String = "daybook",
    attendant: OpeningAttendant? = nil
  ) throws -> SQLiteEntryStore {
    let file = try mode == .create ? JournalFile(creating: path) : JournalFile(existing: path)
    try file.checkHeader(place: path, forReading: mode == .readOnly)
    if mode != .create, file.isEmpty { throw StoreError.empty(at: path) }
    let isReadOnly = mode == .readOnly || !file.isWritable
    let opening = Opening(
      file: file, place: path, isReadOnly: isReadOnly, fillsEmptyFile: mode == .create,
      attendant: attendant)
    do {
      let queue = try opening.connect()
      var notes = try opening.prepare(queue)
      if isReadOnly, mode != .readOnly {
        notes.append("\(path): it may not be written; opened for reading only")
      }
      return try SQLiteEntryStore(
        queue: queue, file: file, place: path, isReadOnly: isReadOnly, clock: clock, actor: actor,
        notes: file.isNew ? [] : notes)
    } catch let error as DatabaseError {
      throw StoreError(error, at: path)
    }
  }
}

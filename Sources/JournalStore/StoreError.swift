/// What went wrong with a journal: what, where, and what to do about it, on one line.
///
/// Nothing was changed when a store throws it, unless ``Kind/io`` says that the outcome is unknown;
/// operations may then be repeated safely, because entries are keyed by their uuid.
package struct StoreError: Error, Hashable, Sendable {
  /// The groups of errors a program ends differently for; the raw value is the exit code.
  package enum Category: Int32, Sendable {
    /// Not done, nothing changed: nothing found, or the entry was changed meanwhile.
    case notDone = 1
    /// The data given are not acceptable.
    case badData = 65
    /// A journal that should be read is not there.
    case missing = 66
    /// The journal cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed, or the disk is full.
    case io = 74
    /// Another program holds the journal; try again.
    case busy = 75
    /// The system forbids it, or the journal was opened for reading.
    case noPermission = 77
    /// The file is not a journal this program can use.
    case unusable = 78
  }

  /// Which error it is, for programs that react to it.
  package enum Kind: Hashable, Sendable {
    /// No entry has this number or uuid.
    case noSuchEntry(String)
    /// Part of a uuid fits several entries; the candidates are uuids.
    case ambiguous(String, candidates: [String])
    /// No change is left to undo.
    case nothingToUndo
    /// No undone change is left to redo.
    case nothingToRedo
    /// The entry was changed or removed by somebody else since it was read.
    case conflict(number: Int64)
    /// A text is empty or only white space.
    case emptyText
    /// A text or a field cannot be stored.
    case invalidText
    /// There is no file.
    case missing
    /// The file or its folder cannot be made.
    case cannotCreate
    /// The file or folder is not accessible.
    case permission
    /// The store was opened for reading only.
    case readOnly
    /// A write was tried while the same store was being read.
    case insideRead
    /// Another process kept the journal locked longer than we wait.
    case busy
    /// Reading or writing failed; whether a commit happened is unknown.
    case io
    /// The disk, or the file's allowed size, is used up.
    case diskFull
    /// The file does not begin like a journal of its kind.
    case notAJournal
    /// The file belongs to another program.
    case foreignDatabase
    /// The file was made by a newer version of this program.
    case newerSchema(Int32)
    /// The schema has an object that is not ours, or lacks one.
    case unexpectedSchema(String)
    /// The contents are damaged.
    case damaged
    /// The path is not a regular file, or the file has a second name.
    case unusableFile
    /// Another file stands where the opened one was, or none.
    case replaced
    /// A crashed writer's journal must be rolled back, and the file may not be written.
    case needsRecovery
    /// The file uses write-ahead logging and could not be converted.
    case writeAheadLog
  }

  /// Which error it is.
  package var kind: Kind
  /// The journal's path, or what stands for it.
  package var place: String
  /// What happened and what to do, without the place.
  package var explanation: String

  /// Makes an error from its parts.
  package init(_ kind: Kind, at place: String, _ explanation: String) {
    self.kind = kind
    self.place = place
    self.explanation = explanation
  }

  /// How a program that ends because of this error should end.
  package var category: Category {
    switch kind {
    case .noSuchEntry, .nothingToUndo, .nothingToRedo, .conflict, .emptyText: .notDone
    case .ambiguous, .invalidText: .badData
    case .missing: .missing
    case .cannotCreate: .cannotCreate
    case .io, .diskFull: .io
    case .busy, .insideRead: .busy
    case .permission, .readOnly, .needsRecovery: .noPermission
    case .notAJournal, .foreignDatabase, .newerSchema, .unexpectedSchema, .damaged, .unusableFile,
      .replaced, .writeAheadLog:
      .unusable
    }
  }

  /// The exit code for ``category``.
  package var exitCode: Int32 { category.rawValue }
}

extension StoreError: CustomStringConvertible {
  /// The message: what happened and what to do, after the journal's path where the file is what is wrong.
  package var description: String {
    switch kind {
    case .noSuchEntry, .ambiguous, .nothingToUndo, .nothingToRedo, .conflict, .emptyText,
      .invalidText:
      explanation
    case .missing, .cannotCreate, .permission, .readOnly, .insideRead, .busy, .io, .diskFull,
      .notAJournal, .foreignDatabase, .newerSchema, .unexpectedSchema, .damaged, .unusableFile,
      .replaced, .needsRecovery, .writeAheadLog:
      "\(place): \(explanation)"
    }
  }
}

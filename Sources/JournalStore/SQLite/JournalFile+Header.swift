extension JournalFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  /// The schema version in the file's header.
  var userVersion: Int32 { number(at: 60) }

  private var applicationID: Int32 { number(at: 68) }

  /// Whether a writer's rollback journal stands beside the file, so that its header may be unfinished.
  var hasRollbackJournal: Bool {
    (try? JournalFile(existing: path + "-journal"))?.size ?? 0 > 0
  }

  /// Whether nothing is in the file, and nothing that a killed writer left has to come back into it.
  var isEmpty: Bool { size == 0 && !hasRollbackJournal }

  /// Refuses a file that is not ours before SQLite can change a byte of it.
  ///
  /// An empty file is accepted: a kill between creation and schema leaves one.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Kind/notAJournal``, ``StoreError/Kind/damaged``,
  ///   ``StoreError/Kind/foreignDatabase`` or, unless only reading is asked for,
  ///   ``StoreError/Kind/newerSchema(_:)``. A version below 0 is damage to a writer.
  func checkHeader(place: String, forReading: Bool) throws {
    if size == 0 || (applicationID == 0 && hasRollbackJournal) { return }
    guard header.starts(with: JournalFile.magic.prefix(header.count)) else {
      throw StoreError(.notAJournal, at: place, "not a journal (not an SQLite file)")
    }
    guard header.count == 100 else {
      throw StoreError.damaged("only \(size) bytes are left", at: place)
    }
    guard applicationID == Schema.applicationID else {
      throw StoreError(
        .foreignDatabase, at: place, "another program's database; choose another file")
    }
    guard userVersion >= 0 || forReading else {
      throw StoreError.wrongVersion(userVersion, at: place)
    }
    guard userVersion <= Schema.version || forReading else {
      throw StoreError.newer(userVersion, at: place)
    }
  }

  private func number(at offset: Int) -> Int32 {
    guard header.count >= offset + 4 else { return 0 }
    return header[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
  }
}

extension StoreError {
  /// The version in the file's header is none that any daybook has written there.
  ///
  /// - Parameter cure: what mends it, if that is known: ``Finding/cure``.
  static func wrongVersion(
    _ version: Int32, at place: String, cure: String? = nil
  ) -> StoreError {
    StoreError(
      .damaged, at: place,
      "damaged: its header says schema version \(version)" + (cure.map { "; \($0)" } ?? seeDoctor))
  }

  static func newer(_ version: Int32, at place: String) -> StoreError {
    StoreError(
      .newerSchema(version), at: place,
      "made by a newer daybook (schema \(version), this one knows \(Schema.version)); update"
        + " daybook, or open it with --read-only")
  }
}

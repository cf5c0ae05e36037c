import Journal
import JournalFormats
import JournalStore

extension ImportRun {
  /// Reports the result of an import without writing.
  ///
  /// It remembers the identities in the sources, since one may occur twice, with a checksum: 24 bytes each.
  func rehearse(in store: any EntryStore) throws -> Outcome {
    defer { work.clear() }
    var outcome = Outcome()
    var seen: [UUIDBits: Int64] = [:]
    var files: Set<String> = []
    // Records whose texts the journal has, perhaps with other files; those of an archive are read at its end.
    var same: [(record: Record, uuid: String)] = []
    let compareFiles = { (source: any ImportedFiles) in
      var hashes = FileHashes(source, work.check)
      try hashes.read(same.lazy.flatMap(\.record.imported.files))
      for (record, uuid) in same {
        let renewal = try hashes.compared(record).flatMap { exact in
          try store.inspect { try $0.renewal(of: exact, as: uuid, at: store.clock.moment()) }
        }
        switch renewal {
        case .update?, .conflict?:
          outcome.skipped -= 1
          outcome.renewals.add(renewal ?? .none, of: record.entry)
        case .older?, Renewal.none?, nil: break
        }
      }
      same = []
    }
    var archive: (any ImportedFiles)?
    var matching = NoteMatching(hasEntries: try store.inspect { try $0.mayHaveEntries() })
    let present = NoteMatching.Entries(
      present: { day, created in try store.inspect { try $0.present(on: day, at: created) } },
      recordTexts: { number in try store.inspect { try $0.recordTexts(of: number) } },
      bases: { number in try store.inspect { try $0.importBases(of: number) } })
    let count = {
      (record: Record, uuid: String?, source: (any ImportedFiles)?) throws -> Presence in
      let presence = try store.inspect { reader in
        try Self.presence(
          of: record, as: uuid, source, reader, store.clock, &outcome.renewals)
      }
      switch presence {
      case .new: break
      case .renewed: return presence
      case .known, .formerlyKnown, .waiting:
        outcome.skipped += 1
        if case .known = presence, let uuid, let source, !record.imported.files.isEmpty {
          same.append((record, uuid))
          let isAtHand = record.imported.files.allSatisfy { $0.enclosed != nil }
          if isAtHand || !source.isSequential { try compareFiles(source) } else { archive = source }
        }
        return presence
      }
      outcome.added += 1
      outcome.preview.add(record.entry)
      if store.keepsFiles { files.formUnion(record.imported.files.map(\.path)) }
      return .new
    }
    var noteSource: (any ImportedFiles)?
    let take = { (record: Record, source: (any ImportedFiles)?) throws -> Presence in
      let checksum = record.entry.checksum
      let before = seen.updateValue(checksum, forKey: UUIDBits(record.entry.uuid))
      if let before {
        // A file may have two states of an entry, the later one at its end.
        if before != checksum, record.imported.uuid != nil {
          outcome.renewals.add(.update(record.entry, isMerged: false), of: record.entry)
          return .renewed
        }
        outcome.skipped += 1
        return .known
      }
      let known = try store.inspect { try record.uuid(in: $0.contains) }
      if try matching.take(record, as: known, present) {
        noteSource = source
        return .waiting
      }
      return try count(record, known, source)
    }
    let end = { (_: (FormatError) throws -> Void) throws -> [ImportedEntry] in
      if let source = archive { try compareFiles(source) }
      archive = nil
      return try matching.end(present).compactMap { record, entry in
        switch try count(record, entry?.uuid, noteSource) {
        case .new, .renewed: return record.imported
        case .known, .formerlyKnown, .waiting: return nil
        }
      }
    }
    let taker = Taker(
      take: take,
      noteMissing: { record in
        try store.inspect {
          try Self.noteMissing(&record, keepsFiles: store.keepsFiles, $0.file)
        }
        if store.keepsFiles, !record.imported.files.isEmpty {
          record.imported.noteFilesAreAttached()
        }
      }, end: end)
    var notes = ImportNotes()
    outcome.failed = try forEachEntry(&notes, taker)
    (outcome.notes, outcome.files) = (notes, files.count)
    return outcome
  }

  /// The result that an import of a record would have.
  private static func presence(
    of record: Record, as uuid: String?, _ source: (any ImportedFiles)?,
    _ reader: any EntryReading, _ clock: WallClock, _ renewals: inout RenewalReport
  ) throws -> Presence {
    guard let uuid, let present = try reader.entry(uuid: uuid) else { return .new }
    var record = record
    record.keepFields(of: present)
    let isFormer = uuid == record.former
    if isFormer, record.imported.files.isEmpty { return .formerlyKnown }
    let renewal = try reader.renewal(of: record.compared(source), as: uuid, at: clock.moment())
    renewals.add(renewal ?? .none, of: record.entry, isGuess: record.isGuess)
    switch renewal {
    case .update?, .conflict?: return .renewed
    case .older?, Renewal.none?, nil: return isFormer ? .formerlyKnown : .known
    }
  }
}

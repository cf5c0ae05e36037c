import Journal

extension EntryStore {
  /// Finds the entry that a person means: by number, by uuid, or by the first or last characters of
  /// its uuid, at least 6 of them.
  ///
  /// Digits alone are always a number. Entries in the trash are found too.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Kind/noSuchEntry(_:)``, or
  ///   ``StoreError/Kind/ambiguous(_:candidates:)`` with at most ten candidates.
  package func resolve(reference: String) throws -> Int64 {
    try inspect { try $0.resolve(reference: reference) }
  }
}

extension EntryReading {
  func resolve(reference: String) throws -> Int64 {
    if reference.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !reference.isEmpty {
      guard let number = Int64(reference) else { throw unknown(reference) }
      return try existing(number).number
    }
    let part = String(decoding: reference.utf8.map(Self.lowercased), as: UTF8.self)
    if let entry = try entry(uuid: part) { return entry.number }
    guard part.utf8.count >= 6 else { throw unknown(reference) }
    let candidates = try uuids(matching: part, limit: 10)
    guard candidates.count < 2 else {
      throw StoreError(
        .ambiguous(reference, candidates: candidates), at: place,
        "\"\(reference)\" could be \(candidates.joined(separator: " or ")); type more of it")
    }
    guard let uuid = candidates.first, let entry = try entry(uuid: uuid) else {
      throw unknown(reference)
    }
    return entry.number
  }

  private func unknown(_ reference: String) -> StoreError {
    StoreError(.noSuchEntry(reference), at: place, "no entry is called \"\(reference)\"")
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

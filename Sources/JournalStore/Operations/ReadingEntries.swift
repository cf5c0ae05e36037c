import Journal
import SectionedResults

extension EntryStore {
  /// The entry with a number, in the trash or not.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)`` when there is none.
  package func entry(_ number: Int64) throws -> Entry {
    try inspect { try $0.existing(number) }
  }

  /// The entries with these numbers, in the order given; numbers without one are left out.
  package func entries(_ numbers: [Int64]) throws -> [Entry] {
    try inspect { reader in try numbers.compactMap { try reader.entry(number: $0) } }
  }

  /// The numbers of the entries a query matches, ascending; without a query all outside the trash.
  package func numbers(matching query: Query?) throws -> [Int64] {
    try inspect { try $0.numbers(matching: query) }
  }

  /// How many entries are outside the trash.
  package func count() throws -> Int {
    try inspect { try $0.count() }
  }

  /// The tags in use outside the trash with their counts, by key.
  package func tagCounts() throws -> [TagCount] {
    try inspect { try $0.tagCounts() }
  }

  /// How much was written when, in the entries a query matches; without one in all outside the trash.
  ///
  /// - Complexity: linear in the entries; an SQLite journal reads a small index of them once.
  package func statistics(of query: Query? = nil) throws -> Statistics {
    try inspect { try $0.statistics(of: query) }
  }

  /// The texts an entry has had, oldest first, the present one last.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)`` when there is no such entry.
  package func versions(_ number: Int64) throws -> [EntryVersion] {
    try inspect { reader in
      _ = try reader.existing(number)
      return try reader.versions(of: number)
    }
  }

  /// The change sets that the next undo and the next redo would take.
  package func pendingSteps() throws -> (undo: ChangeSet?, redo: ChangeSet?) {
    try inspect { (try $0.undoable(), try $0.redoable()) }
  }
}

extension EntryReading {
  /// The entry with a number, or an error that names it.
  func existing(_ number: Int64) throws -> Entry {
    guard let entry = try entry(number: number) else {
      throw StoreError(
        .noSuchEntry(String(number)), at: place, "no entry has the number \(number)")
    }
    return entry
  }
}

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

extension EntryStore {
  /// Gives the entries of a list one after the other, in its order, with its limit and offset.
  ///
  /// No transaction stays open meanwhile: each page is read in one of its own, so that a long export
  /// makes no writer wait. Entries that are gone when their page is read are left out; in a list by
  /// tag an entry comes once for each of its tags.
  ///
  /// - Parameters:
  ///   - request: the list.
  ///   - body: takes an entry with its place in the list; returns whether to go on.
  package func forEachEntry(
    of request: FetchRequest<EntryRow>,
    _ body: (RowKey<EntryRowID>, Entry) throws -> Bool
  ) throws {
    var skip = request.offset
    var left = request.limit ?? Int.max
    let groups = try read { try $0.outline(of: request) }
    for (index, group) in groups.enumerated() where left > 0 {
      if skip >= group.count {
        skip -= group.count
        continue
      }
      let upper = index + 1 < groups.count ? groups[index + 1].bound : nil
      let range = KeyRange(lower: group.bound, upper: upper)
      let keys = try group.keys ?? read { try $0.keys(of: request, in: range) }
      let wanted = Array(keys.dropFirst(skip).prefix(left))
      guard try forEachPage(of: wanted, body) else { return }
      skip = 0
      left -= wanted.count
    }
  }

  private func forEachPage(
    of keys: [RowKey<EntryRowID>], _ body: (RowKey<EntryRowID>, Entry) throws -> Bool
  ) throws -> Bool {
    let page = 512
    for start in stride(from: 0, to: keys.count, by: page) {
      let part = keys[start..<min(start + page, keys.count)]
      let entries = try inspect { reader in
        try part.map { try reader.entry(number: $0.id.number) }
      }
      for (key, entry) in zip(part, entries) {
        if let entry, try !body(key, entry) { return false }
      }
    }
    return true
  }
}

/// The outcome of a walk through a journal that others may write to meanwhile.
package enum EntryWalk: Hashable, Sendable {
  /// All entries were seen as they stood in one state of the journal.
  case whole
  /// The journal was changed meanwhile: each entry was seen as it stood when its page was read.
  case changed
}

extension EntryStore {
  /// Calls `body` with each entry of a list in its order, in pages, the fast way for very many.
  ///
  /// No transaction stays open between pages, so that a long export makes no writer wait.
  ///
  /// - Parameter request: a list that is not made by tag; its limit and offset do not count.
  /// - Returns: whether what was seen is one state of the journal, or `nil` when the list needs
  ///   another way: nothing was done then.
  /// - Throws: ``StoreError`` when the medium fails, and what `body` throws.
  package func forEachPagedEntry(
    of request: FetchRequest<EntryRow>, _ body: (Entry) throws -> Void
  ) throws -> EntryWalk? {
    let page = 512
    var key: RowKey<EntryRowID>?
    var first: StoreStamp?
    var isSame = true
    while true {
      let read = try self.read { snapshot -> (entries: [Entry], stamp: StoreStamp)? in
        guard let paging = snapshot as? any EntryPaging,
          let entries = try paging.entries(of: request, after: key, limit: page)
        else { return nil }
        return (entries, try snapshot.stamp())
      }
      guard let (entries, stamp) = read else { return nil }
      isSame = isSame && stamp == first ?? stamp
      first = first ?? stamp
      for entry in entries { try body(entry) }
      guard let last = entries.last, entries.count == page else {
        return isSame ? .whole : .changed
      }
      key = request.key(of: last.row())
    }
  }
}

/// A snapshot that reads whole entries in a list's order.
protocol EntryPaging {
  /// The entries behind a key, at most `limit` of them; `nil` where the list needs another way.
  func entries(
    of request: FetchRequest<EntryRow>, after key: RowKey<EntryRowID>?, limit: Int
  ) throws -> [Entry]?
}

/// Stepping through the rows of a request without fetching all of them.
extension EntryStore {
  /// The identity of the first row of a request behind another one, or of its first row at all.
  ///
  /// Rows are read in the request's order only until one matches, so near matches are found at once
  /// and rare ones cost a pass over the journal; run it in ``cancellable(_:_:)``. Limit and offset of
  /// the request do not count.
  ///
  /// - Parameter key: the key to start behind, whose row need not match; `nil` for the beginning.
  /// - Throws: ``StoreError`` when the medium fails.
  package func firstRow(
    of request: FetchRequest<EntryRow>, after key: RowKey<EntryRowID>?
  ) throws -> EntryRowID? {
    let range = KeyRange(lower: key?.values, upper: nil)
    return try read { snapshot in
      if let seeking = snapshot as? any RowSeeking {
        return try seeking.firstRow(of: request, in: range, except: key?.id)
      }
      return try snapshot.keys(of: request, in: range).first { $0.id != key?.id }?.id
    }
  }
}

/// A snapshot that can stop at the first row, where others would read a whole range.
protocol RowSeeking {
  /// The first row of a range that is not the one excepted.
  func firstRow(
    of request: FetchRequest<EntryRow>, in range: KeyRange, except id: EntryRowID?
  ) throws -> EntryRowID?
}

extension FetchRequest where Row == EntryRow {
  /// The same rows the other way round, in one section: for looking backwards.
  package var reversed: FetchRequest<EntryRow> {
    var other = self
    other.sortKeys = sortKeys.map { key in
      SortKey(key.field, key.order == .ascending ? .descending : .ascending)
    }
    other.sectionField = sectionField == .tag ? .tag : nil
    return other
  }
}

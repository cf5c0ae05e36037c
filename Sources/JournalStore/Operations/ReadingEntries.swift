import Journal
import SectionedResults

extension EntryStore {
  /// The entry with a number, in the trash or not.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)`` if there is none.
  package func entry(_ number: Int64) throws -> Entry {
    try inspect { try $0.existing(number) }
  }

  /// The entries with these numbers, in the order given, without missing ones.
  package func entries(_ numbers: [Int64]) throws -> [Entry] {
    try inspect { reader in try numbers.compactMap { try reader.entry(number: $0) } }
  }

  /// The numbers of the entries that a query matches, ascending; all outside the trash without a
  /// query.
  package func numbers(matching query: Query?) throws -> [Int64] {
    try inspect { try $0.numbers(matching: query) }
  }

  /// The number of entries outside the trash.
  package func count() throws -> Int {
    try inspect { try $0.count() }
  }

  /// The tags in use outside the trash with their counts, by key.
  package func tagCounts() throws -> [TagCount] {
    try inspect { try $0.tagCounts() }
  }

  /// The same, each with the number of entries that the tag's filter shows: those of the tags below
  /// it, too.
  ///
  /// - Complexity: linear in the tags, and in the entries of tags below others.
  package func tagTotals() throws -> [TagCount] {
    try inspect { reader in
      var counts = try reader.tagCounts()
      let parents = Set(counts.flatMap { Self.parents(of: $0.key) })
      for index in counts.indices {
        let key = counts[index].key
        counts[index].total =
          parents.contains(key) ? try reader.count(ofTagAndBelow: key) : counts[index].count
      }
      return counts
    }
  }

  /// The tags above a tag: `work` and `work/api` above `work/api/v2`.
  private static func parents(of key: String) -> [String] {
    let parts = key.split(separator: "/")
    return (1..<max(1, parts.count)).map { parts.prefix($0).joined(separator: "/") }
  }

  /// The number of entries outside the trash of each day that has some, in order.
  ///
  /// - Complexity: linear in the days; no entry is read.
  package func entriesByDay() throws -> [(day: Day, entries: Int)] {
    try inspect { try $0.entriesByDay() }
  }

  /// Statistics of the entries that a query matches; of all outside the trash without a query.
  ///
  /// - Complexity: linear in the entries; an SQLite journal reads one small index of them once.
  package func statistics(of query: Query? = nil) throws -> Statistics {
    try inspect { try $0.statistics(of: query) }
  }

  /// The days with entries outside the trash in a range, in order, with their entries and words.
  ///
  /// - Complexity: linear in the entries of the range; no text is read.
  package func dayCounts(in days: ClosedRange<Day>) throws -> [DayCount] {
    try inspect { try $0.dayCounts(in: days) }
  }

  /// The days among these whose entries outside the trash have several offsets from UTC.
  ///
  /// - Complexity: linear in the entries of the days, at most 10,000 of each; one small index is read.
  package func daysWithSeveralOffsets(among days: Set<Day>) throws -> Set<Day> {
    try inspect { try $0.daysWithSeveralOffsets(among: days) }
  }

  /// The entries outside the trash whose titles contain typed letters in their order, the best match
  /// first, and of equal ones the newest; without letters the newest entries.
  ///
  /// - Parameter limit: the maximum number of entries.
  /// - Complexity: linear in the entries.
  package func titles(matching typed: String, limit: Int) throws -> [FoundTitle] {
    try inspect { try $0.titles(matching: typed, limit: limit) }
  }

  /// The number of texts that ``versions(_:)`` returns, without reading them.
  package func versionCount(of number: Int64) throws -> Int {
    try inspect { try $0.versionCount(of: number) }
  }

  /// The texts of an entry, oldest first, the current one last.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)`` if the entry does not exist.
  package func versions(_ number: Int64) throws -> [EntryVersion] {
    try inspect { reader in
      _ = try reader.existing(number)
      return try reader.versions(of: number)
    }
  }

  /// The latest change sets of all processes and of synchronisation, newest first.
  ///
  /// - Parameters:
  ///   - count: the maximum number of change sets.
  ///   - limit: only sets with a smaller number, for the next page; `nil` for the latest.
  package func changeSets(
    latest count: Int, before limit: ChangeSet.ID? = nil
  ) throws -> [ChangeSet] {
    try inspect { try $0.changeSets(latest: count, before: limit) }
  }

  /// The change sets of the next undo and the next redo in a scope.
  package func pendingSteps(
    _ scope: UndoScope = .journal
  ) throws -> (undo: ChangeSet?, redo: ChangeSet?) {
    let scope = HistoryScope(scope, of: self)
    return try inspect {
      (try $0.undoable(in: scope, before: nil), try $0.redoable(in: scope))
    }
  }
}

extension EntryReading {
  /// The change set with a number; `nil` if the log has it no more.
  package func changeSet(_ id: ChangeSet.ID) throws -> ChangeSet? {
    guard id < .max else { return nil }
    return try changeSets(latest: 1, before: id + 1).first { $0.id == id }
  }

  /// The entry with a number, or an error with that number.
  func existing(_ number: Int64) throws -> Entry {
    guard let entry = try entry(number: number) else {
      throw StoreError(
        .noSuchEntry(String(number)), at: path, "no entry has the number \(number)")
    }
    return entry
  }
}

extension EntryStore {
  /// Finds an entry by the user's reference: its number, its uuid, or the first or last characters
  /// of its uuid, at least 6 of them.
  ///
  /// Digits alone are always a number. Entries in the trash are found, too.
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
        .ambiguous(reference, candidates: candidates), at: path,
        "\"\(reference)\" could be \(candidates.joined(separator: " or ")); type more characters")
    }
    guard let uuid = candidates.first, let entry = try entry(uuid: uuid) else {
      throw unknown(reference)
    }
    return entry.number
  }

  private func unknown(_ reference: String) -> StoreError {
    StoreError(.noSuchEntry(reference), at: path, "no entry has the ID \"\(reference)\"")
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

extension EntryStore {
  /// Calls `body` with the entries of a list in its order, with its limit and offset.
  ///
  /// Each page is read in a transaction of its own, so that a long export does not block writers.
  /// Entries that are removed before their page is read are skipped; a list by tag yields an entry
  /// once per tag.
  ///
  /// - Parameters:
  ///   - request: the list.
  ///   - body: receives an entry and its position in the list; returns whether to continue.
  package func forEachEntry(
    of request: ResultsRequest<EntryRow>,
    _ body: (ResultsKey<EntryRowID>, Entry) throws -> Bool
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
      let range = ResultsKeyRange(lower: group.bound, upper: upper)
      let keys = try group.keys ?? read { try $0.keys(of: request, in: range) }
      let wanted = Array(keys.dropFirst(skip).prefix(left))
      guard try forEachPage(of: wanted, body) else { return }
      skip = 0
      left -= wanted.count
    }
  }

  private func forEachPage(
    of keys: [ResultsKey<EntryRowID>], _ body: (ResultsKey<EntryRowID>, Entry) throws -> Bool
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

/// The result of iterating over a journal that other processes may write to meanwhile.
package enum EntryWalk: Hashable, Sendable {
  /// All entries came from one state of the journal.
  case whole
  /// The journal changed meanwhile: each entry is as it was when its page was read.
  case changed
}

extension EntryStore {
  /// Calls `body` with each entry of a list in its order, in pages, the fast way for very many
  /// entries.
  ///
  /// No transaction stays open between pages, so that a long export does not block writers.
  ///
  /// - Parameter request: a list that is not by tag; its limit and offset are ignored.
  /// - Returns: whether all entries came from one state of the journal; `nil` if the list needs
  ///   another way, without calling `body`.
  /// - Throws: ``StoreError`` when the medium fails, and the errors of `body`.
  package func forEachPagedEntry(
    of request: ResultsRequest<EntryRow>, _ body: (Entry) throws -> Void
  ) throws -> EntryWalk? {
    let page = 512
    let projection = RowProjection(request: request)
    var key: ResultsKey<EntryRowID>?
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
      let next = request.key(of: projection.valued(last.row()) { last.text })
      // A damaged index would give the same page without end.
      if let key, !request.precedes(key, next) {
        throw StoreError.damaged("an index of entries is out of order", at: path)
      }
      key = next
    }
  }
}

/// A snapshot that reads whole entries in a list's order.
protocol EntryPaging {
  /// The entries after a key, at most `limit` of them; `nil` if the list needs another way.
  func entries(
    of request: ResultsRequest<EntryRow>, after key: ResultsKey<EntryRowID>?, limit: Int
  ) throws -> [Entry]?
}

/// Iterating over the rows of a request without fetching all of them.
extension EntryStore {
  /// The identity of the first row of a request after another one, or of its first row.
  ///
  /// Rows are read in the request's order only until one matches, so that near matches are fast and
  /// rare ones cost a pass over the journal; run it in ``cancellable(_:_:)``. Limit and offset of
  /// the request are ignored.
  ///
  /// - Parameter key: the key to start after, whose row need not match; `nil` for the beginning.
  /// - Throws: ``StoreError`` when the medium fails.
  package func firstRow(
    of request: ResultsRequest<EntryRow>, after key: ResultsKey<EntryRowID>?
  ) throws -> EntryRowID? {
    let range = ResultsKeyRange(lower: key?.values, upper: nil)
    return try read { snapshot in
      if let seeking = snapshot as? any RowSeeking {
        return try seeking.firstRow(of: request, in: range, except: key?.id)
      }
      return try snapshot.keys(of: request, in: range).first { $0.id != key?.id }?.id
    }
  }
}

/// A snapshot that can stop at the first row instead of reading a whole range.
protocol RowSeeking {
  /// The first row of a range, except the given one.
  func firstRow(
    of request: ResultsRequest<EntryRow>, in range: ResultsKeyRange, except id: EntryRowID?
  ) throws -> EntryRowID?
}

extension ResultsRequest where Row == EntryRow {
  /// The same rows in reverse order, in one section: for a backward search.
  package var reversed: ResultsRequest<EntryRow> {
    var other = self
    other.sortKeys = sortKeys.map { key in
      SortKey(key.field, key.order == .ascending ? .descending : .ascending)
    }
    other.sectionField = sectionField == .tag ? .tag : nil
    return other
  }
}

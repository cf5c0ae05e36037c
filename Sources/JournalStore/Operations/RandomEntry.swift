import Journal

extension EntryStore {
  /// The number of any entry that a query matches, or of any outside the trash; `nil` if there is none.
  ///
  /// - Parameter other: an entry that is not chosen if there are others.
  /// - Complexity: linear in the matches.
  package func randomEntry(matching query: Query? = nil, except other: Int64? = nil) throws
    -> Int64?
  {
    let numbers = try inspect { try $0.numbers(matching: query) }
    return numbers.filter { $0 != other }.randomElement() ?? numbers.first
  }

  /// The same entry all day: one of those before the day, which what is written on it does not change; without
  /// them any.
  ///
  /// - Complexity: linear in the matches.
  package func entryOfDay(_ day: Day, matching query: Query? = nil) throws -> Int64? {
    let before = Query.until(day.adding(days: -1))
    for query in [query.map { Query.and([$0, before]) } ?? before, query] {
      let numbers = try inspect { try $0.numbers(matching: query) }
      guard !numbers.isEmpty else { continue }
      // Of each day another place, as far from that of the day before as the golden ratio takes it.
      let hash = UInt64(bitPattern: Int64(day.daysSinceEpoch)) &* 0x9E37_79B9_7F4A_7C15
      return numbers[Int(hash.multipliedFullWidth(by: UInt64(numbers.count)).high)]
    }
    return nil
  }
}

import Journal

extension MemoryReader {
  func statistics(of query: Query?) throws -> Statistics {
    let query = query ?? .everything
    var counter = StatisticsCounter()
    var tally = TagTally()
    for entry in journal.entries.values where query.matches(entry) {
      counter.add(entry)
      let month = entry.day.monthNumber
      for key in Set(entry.tags.map { Tag.key(of: $0) }) { tally.add(key, month: month) }
    }
    var result = counter.finished()
    let names = tagNames()
    result.tags = tally.top { names[$0] ?? $0 }
    result.tagCount = tally.count
    let trash = query == .everything ? .flag(.deleted) : Query.and([query, .flag(.deleted)])
    result.trash = journal.entries.values.count(where: trash.matches)
    return result
  }

  /// How each tag was typed first, by its key; in the trash only if it is nowhere else.
  private func tagNames() -> [String: String] {
    var names: [String: String] = [:]
    let (trash, live) = (
      journal.entries.values.filter { $0.deleted != nil },
      journal.entries.values.filter { $0.deleted == nil }
    )
    for entries in [live, trash] {
      for entry in entries.sorted(by: MemoryReader.isEarlier) {
        for tag in entry.tags where names[Tag.key(of: tag)] == nil { names[Tag.key(of: tag)] = tag }
      }
    }
    return names
  }
}

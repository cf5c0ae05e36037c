import Journal

extension MemoryReader {
  func statistics(of query: Query?) throws -> Statistics {
    let query = query ?? .everything
    var counter = StatisticsCounter()
    var tally = TagTally()
    for entry in journal.entries.values where query.matches(entry) {
      let derived = journal.derived(from: entry)
      counter.add(entry, words: derived.words)
      for key in derived.tags { tally.add(key, month: entry.day.monthNumber) }
    }
    var result = counter.finished()
    result.tags = tally.top { $0 }
    let names = tagNames(Set(result.tags.map(\.tag)))
    for index in result.tags.indices {
      result.tags[index].tag = names[result.tags[index].tag] ?? result.tags[index].tag
    }
    result.tagCount = tally.count
    let trash = query == .everything ? .flag(.deleted) : Query.and([query, .flag(.deleted)])
    result.trash = journal.entries.values.count { $0.deleted != nil && trash.matches($0) }
    return result
  }

  /// How tags of these keys were typed first; in the trash only where they are nowhere else.
  private func tagNames(_ keys: Set<String>) -> [String: String] {
    let using = journal.entries.values.filter { entry in
      journal.derived(from: entry).tags.contains(where: keys.contains)
    }
    let ordered = using.sorted { left, right in
      (left.deleted == nil) == (right.deleted == nil)
        ? MemoryReader.isEarlier(left, right) : left.deleted == nil
    }
    var names: [String: String] = [:]
    for entry in ordered where names.count < keys.count {
      for tag in entry.tags {
        let key = Tag.key(of: tag)
        if keys.contains(key), names[key] == nil { names[key] = tag }
      }
    }
    return names
  }
}

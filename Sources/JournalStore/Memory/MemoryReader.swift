import Journal

/// Reads entries and history of a memory journal.
struct MemoryReader: EntryReading {
  let journal: MemoryJournal
  let place: String

  func entry(number: Int64) throws -> Entry? { journal.entries[number] }

  func entry(uuid: String) throws -> Entry? {
    journal.numbersByUUID[uuid].flatMap { journal.entries[$0] }
  }

  func uuids(matching part: String, limit: Int) throws -> [String] {
    let part = part.utf8
    let found = journal.numbersByUUID.keys.filter { uuid in
      uuid.utf8.starts(with: part) || uuid.utf8.suffix(part.count).elementsEqual(part)
    }
    return Array(found.sorted().prefix(limit))
  }

  func numbers(matching query: Query?) throws -> [Int64] {
    let query = query ?? .everything
    return journal.entries.values.filter(query.matches).map(\.number).sorted()
  }

  func count() throws -> Int { journal.entries.values.count { $0.deleted == nil } }

  func tagCounts() throws -> [TagCount] {
    var counts: [String: TagCount] = [:]
    let live = journal.entries.values.filter { $0.deleted == nil }
    for entry in live.sorted(by: MemoryReader.isEarlier) {
      for tag in entry.tags {
        let key = Tag.key(of: tag)
        counts[key, default: TagCount(key: key, tag: tag, count: 0)].count += 1
      }
    }
    return counts.values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  static func isEarlier(_ left: Entry, _ right: Entry) -> Bool {
    (left.day, left.created.seconds, left.number)
      < (right.day, right.created.seconds, right.number)
  }

  func versions(of number: Int64) throws -> [EntryVersion] {
    guard let current = journal.entries[number] else { return [] }
    let changes = journal.lines.filter { $0.number == number }
    let first = changes.lazy.compactMap(\.before).first ?? current
    var history = EntryHistory(created: first.created)
    let after = changes.dropFirst().map(\.before) + [current]
    for (line, next) in zip(changes, after) {
      guard let before = line.before, next?.text.isSame(as: before.text) != true else { continue }
      history.replaced(before.text, at: moment(of: line) ?? before.modified)
    }
    return history.versions(endingWith: current.text)
  }

  private func moment(of line: MemoryJournal.Line) -> Moment? {
    journal.steps.first { $0.id == line.changeSet }?.at
  }

  func undoable() throws -> ChangeSet? {
    journal.steps.last { $0.state == .done && $0.reverses == nil }.map(describe)
  }

  func redoable() throws -> ChangeSet? {
    journal.steps.first { $0.state == .undone }.map(describe)
  }

  private func describe(_ step: MemoryJournal.Step) -> ChangeSet {
    let lines = journal.lines(after: step.first - 1).prefix { $0.sequence <= step.last }
    return ChangeSet(
      id: step.id, kind: step.kind, at: step.at, actor: step.actor,
      count: Set(lines.map(\.number)).count, title: lines.first.map { title(of: $0.number) } ?? "")
  }

  private func title(of number: Int64) -> String {
    journal.entries[number]?.title
      ?? journal.lines.last { $0.number == number && $0.before != nil }?.before?.title ?? ""
  }
}

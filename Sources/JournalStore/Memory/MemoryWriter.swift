import Journal

/// Writes entries of a memory journal, as one change set.
struct MemoryWriter: EntryWriting {
  let journal: MemoryJournal
  let place: String
  let set: ChangeSet.ID

  private var reader: MemoryReader { MemoryReader(journal: journal, place: place) }

  func insert(_ entry: Entry) throws -> Int64 {
    var entry = entry
    if entry.number == 0 { entry.number = journal.lastNumber + 1 }
    journal.set(entry, number: entry.number, in: set)
    return entry.number
  }

  func update(_ entry: Entry, from old: Entry) throws {
    journal.set(entry, number: entry.number, in: set)
  }

  func remove(_ entry: Entry) throws {
    journal.set(nil, number: entry.number, in: set)
  }

  func forget(_ numbers: [Int64]) throws {
    let gone = Set(numbers)
    for index in journal.lines.indices where gone.contains(journal.lines[index].number) {
      guard journal.lines[index].before != nil else { continue }
      journal.lines[index].before = nil
      journal.lines[index].isLost = true
    }
    let lost = Set(journal.lines.filter(\.isLost).map(\.number))
    for index in journal.steps.indices where journal.steps[index].last > 0 {
      let step = journal.steps[index]
      let lines = journal.lines(after: step.first - 1).prefix { $0.sequence <= step.last }
      if lines.allSatisfy({ lost.contains($0.number) }) { journal.steps[index].state = .final }
    }
  }

  func forEachImage(
    of set: ChangeSet.ID, _ body: (EntryImages) throws -> Void
  ) throws {
    for image in images(of: set) { try body(image) }
  }

  private func images(of set: ChangeSet.ID) -> [EntryImages] {
    guard let step = journal.steps.first(where: { $0.id == set }) else { return [] }
    let lines = journal.lines(after: step.first - 1).prefix { $0.sequence <= step.last }
    // A step of very many entries must not look through all lines for each of them.
    let lasts = Dictionary(lines.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    let nexts = Dictionary(
      journal.lines(after: step.last).map { ($0.number, $0) },
      uniquingKeysWith: { first, _ in first })
    var seen: Set<Int64> = []
    return lines.filter { seen.insert($0.number).inserted }.map { first in
      let number = first.number
      let last = lasts[number] ?? first
      let next = nexts[number]
      let isLost = first.isLost || last.isLost || next?.isLost ?? false
      let after = next.map(\.before) ?? journal.entries[number]
      // An entry that is there after its image was lost was edited unseen: that is a conflict.
      return EntryImages(
        number: number, before: first.before, after: isLost ? nil : after,
        isPurged: first.isLost || (isLost && journal.entries[number] == nil))
    }
  }

  func undo(of set: ChangeSet.ID) throws -> ChangeSet.ID? {
    journal.steps.last { $0.reverses == set && $0.kind == .undo }?.id
  }

  func mark(_ set: ChangeSet.ID, undone: Bool) throws {
    for index in journal.steps.indices {
      if journal.steps[index].id == set { journal.steps[index].state = undone ? .undone : .done }
      if journal.steps[index].id == self.set { journal.steps[index].reverses = set }
    }
  }
}

extension MemoryWriter {
  func entry(number: Int64) throws -> Entry? { try reader.entry(number: number) }
  func entry(uuid: String) throws -> Entry? { try reader.entry(uuid: uuid) }
  func uuids(matching part: String, limit: Int) throws -> [String] {
    try reader.uuids(matching: part, limit: limit)
  }
  func numbers(matching query: Query?) throws -> [Int64] { try reader.numbers(matching: query) }
  func count() throws -> Int { try reader.count() }
  func tagCounts() throws -> [TagCount] { try reader.tagCounts() }

  func statistics(of query: Query?) throws -> Statistics { try reader.statistics(of: query) }
  func versions(of number: Int64) throws -> [EntryVersion] { try reader.versions(of: number) }
  func undoable() throws -> ChangeSet? { try reader.undoable() }
  func redoable() throws -> ChangeSet? { try reader.redoable() }
}

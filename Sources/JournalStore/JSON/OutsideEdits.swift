import Journal

/// Takes a file's state into a memory journal, and logs what nobody logged: edits by other programs.
struct OutsideEdits {
  let journal: MemoryJournal
  let clock: WallClock

  /// Makes the journal what the file says.
  ///
  /// What an entry was before an outside edit is known if this process had read it and no logged
  /// change came between; else the log says that it is lost.
  ///
  /// - Returns: whether there were outside edits, so that the file's log is behind.
  func take(_ document: JSONDocument, isFirst: Bool) -> Bool {
    let old = journal.entries
    let seen = journal.lastSequence
    let oldNumbers = journal.lastNumber
    (journal.lines, journal.steps, journal.lists) = (document.lines, document.steps, [])
    journal.lastNumber = max(
      oldNumbers, document.lastNumber, document.items.map(\.entry.number).max() ?? 0)
    let items = numbered(document.items)
    let touched = Set(journal.lines(after: seen).map(\.number))
    var edits: [(number: Int64, before: Entry?, isLost: Bool)] = []
    for item in items where !item.isIntact {
      let number = item.entry.number
      if !item.isChecked, isFirst || old[number] == nil {
        edits.append((number, nil, false))
      } else if isFirst || touched.contains(number) {
        edits.append((number, nil, true))
      } else if let before = old[number], !before.isSame(as: item.entry) {
        edits.append((number, before, false))
      }
    }
    let present = Set(items.map(\.entry.number))
    for (number, before) in old where !present.contains(number) && !touched.contains(number) {
      edits.append((number, before, false))
    }
    (journal.entries, journal.numbersByUUID) = ([:], [:])
    for item in items { journal.replace(item.entry, number: item.entry.number) }
    log(edits.sorted { $0.number < $1.number })
    return !edits.isEmpty
  }

  /// Logs the difference to the file's state, for a journal that may not write and so has a log of
  /// its own.
  func takeDifference(_ document: JSONDocument) {
    let items = numbered(document.items)
    let new = Dictionary(items.map { ($0.entry.number, $0.entry) }, uniquingKeysWith: { $1 })
    let numbers = Set(journal.entries.keys).union(new.keys).sorted()
    let changed = numbers.filter { number in
      switch (journal.entries[number], new[number]) {
      case (let old?, let new?): !old.isSame(as: new)
      case (nil, nil): false
      default: true
      }
    }
    guard !changed.isEmpty else { return }
    let step = journal.begin(.outside, actor: "", at: clock.moment())
    for number in changed { journal.set(new[number], number: number, in: step) }
    _ = journal.finish(.outside)
  }

  /// Gives numbers and uuids to entries that have none of their own.
  private func numbered(_ items: [JSONDocument.Item]) -> [JSONDocument.Item] {
    var numbers: Set<Int64> = []
    var uuids: Set<String> = []
    return items.map { item in
      var item = item
      if !uuids.insert(item.entry.uuid).inserted {
        item.entry.uuid = EntryUUID.make(atMilliseconds: item.entry.created.seconds * 1000)
        item.isChecked = false
        item.isIntact = false
        uuids.insert(item.entry.uuid)
      }
      if item.entry.number == 0 || !numbers.insert(item.entry.number).inserted {
        journal.lastNumber += 1
        item.entry.number = journal.lastNumber
        item.isChecked = false
        item.isIntact = false
        numbers.insert(item.entry.number)
      }
      return item
    }
  }

  private func log(_ edits: [(number: Int64, before: Entry?, isLost: Bool)]) {
    guard !edits.isEmpty else { return }
    let step = journal.begin(.outside, actor: "", at: clock.moment())
    for edit in edits {
      journal.lines.append(
        MemoryJournal.Line(
          sequence: journal.lastSequence + 1, changeSet: step, number: edit.number,
          before: edit.before, isLost: edit.isLost, wasInTrash: edit.before?.deleted != nil))
    }
    _ = journal.finish(.outside)
    if edits.allSatisfy(\.isLost) { journal.steps[journal.steps.count - 1].state = .final }
  }
}

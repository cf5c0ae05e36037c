import Journal

extension MemoryJournal {
  /// What must be put back when a transaction fails.
  struct Checkpoint {
    fileprivate let sequence: Int64
    fileprivate let steps: [Step]
    fileprivate let lastNumber: Int64
    fileprivate let whole: (lines: [Line], entries: [Int64: Entry])?
  }

  /// Runs `body` as one change set.
  ///
  /// - Parameter keep: makes the result durable; when it throws, or `body` does, nothing is kept.
  /// - Returns: what `body` returns, and whether anything was changed.
  func transaction<Value>(
    _ kind: ChangeKind, place: String, actor: String, clock: WallClock,
    keep: () throws -> Void, _ body: (any EntryWriting) throws -> Value
  ) throws -> (value: Value, isChanged: Bool) {
    let checkpoint = Checkpoint(
      sequence: lastSequence, steps: steps, lastNumber: lastNumber,
      whole: kind == .purge ? (lines, entries) : nil)
    do {
      let step = begin(kind, actor: actor, at: clock.moment())
      let value = try body(MemoryWriter(journal: self, place: place, set: step))
      let isChanged = finish(kind)
      if isChanged { try keep() } else { rollBack(to: checkpoint) }
      return (value, isChanged)
    } catch {
      rollBack(to: checkpoint)
      throw error
    }
  }

  func begin(_ kind: ChangeKind, actor: String, at moment: Moment) -> ChangeSet.ID {
    let id = (steps.last?.id ?? 0) + 1
    steps.append(
      Step(
        id: id, kind: kind, at: moment, actor: actor, first: lastSequence + 1, last: 0,
        state: kind.isUndoable ? .done : .final))
    return id
  }

  /// Closes the step; a new one ends redoing.
  func finish(_ kind: ChangeKind) -> Bool {
    guard let step = steps.last, lastSequence >= step.first else { return false }
    steps[steps.count - 1].last = lastSequence
    if kind != .undo, kind != .redo {
      for index in steps.indices where steps[index].state == .undone {
        steps[index].state = .dropped
      }
    }
    return true
  }

  /// Walks back over the log; a purge alters older lines too, so these and the entries are kept whole.
  private func rollBack(to checkpoint: Checkpoint) {
    let known = checkpoint.whole?.entries
    for line in lines(after: checkpoint.sequence).reversed() {
      replace(known.map { $0[line.number] } ?? line.before, number: line.number)
    }
    lines.removeSubrange(lines(after: checkpoint.sequence).startIndex...)
    if let whole = checkpoint.whole { lines = whole.lines }
    steps = checkpoint.steps
    lastNumber = checkpoint.lastNumber
    lists = []
  }
}

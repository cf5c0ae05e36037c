extension KeyTable {
  /// The table with the user's key changes applied, and the refused changes by their index.
  ///
  /// A change for one context wins over one for all contexts, a later change over an earlier one.
  /// A change is refused if its keys are a prefix of other keys or the other way round; the old
  /// binding stays. Unbinding the other keys first makes room. Of two conflicting changes the later
  /// one is refused.
  package func changed(
    by changes: [KeyChange]
  ) -> (table: KeyTable, refused: [Int: KeyChange.Conflict]) {
    var refused: [Int: KeyChange.Conflict] = [:]
    while true {
      let granted = changes.indices.filter { refused[$0] == nil }
      let table = applying(granted.map { changes[$0] })
      // From the end, so that the later of two conflicting changes is refused.
      let next = granted.reversed().lazy.compactMap { index in
        table.conflict(of: changes[index]).map { (index, $0) }
      }.first
      guard let (index, conflict) = next else { return (table, refused) }
      refused[index] = conflict
    }
  }

  private func applying(_ changes: [KeyChange]) -> KeyTable {
    var table = self
    let ordered = changes.filter { $0.context == nil } + changes.filter { $0.context != nil }
    for change in ordered where change.action == nil {
      table.unbind(change.sequence, in: contexts(of: change))
    }
    for change in ordered {
      guard let action = change.action else { continue }
      table.bind(change.sequence, to: action, in: contexts(of: change))
    }
    return table
  }

  /// The contexts of a change: every context for an action that this table does not bind.
  private func contexts(of change: KeyChange) -> Set<KeyContext> {
    if let context = change.context { return [context] }
    let usual = bindings.filter { $0.action == change.action }.map(\.contexts)
    return usual.isEmpty ? Set(KeyContext.allCases) : usual.reduce([]) { $0.union($1) }
  }

  private mutating func unbind(_ sequence: KeySequence, in contexts: Set<KeyContext>) {
    for index in bindings.indices where bindings[index].sequence == sequence {
      bindings[index].contexts.subtract(contexts)
    }
    bindings.removeAll { $0.contexts.isEmpty }
  }

  /// The user's keys precede the defaults, so that hints name them.
  private mutating func bind(
    _ sequence: KeySequence, to action: Action, in contexts: Set<KeyContext>
  ) {
    unbind(sequence, in: contexts)
    let place = bindings.firstIndex { $0.action == action } ?? bindings.endIndex
    bindings.insert(Binding(sequence, action, contexts), at: place)
  }

  private func conflict(of change: KeyChange) -> KeyChange.Conflict? {
    guard let action = change.action else { return nil }
    let sequence = change.sequence
    let own = bindings.filter { $0.sequence == sequence && $0.action == action }
      .reduce(into: Set<KeyContext>()) { $0.formUnion($1.contexts) }
    for other in bindings where !other.contexts.isDisjoint(with: own) {
      if sequence.isProperPrefix(of: other.sequence) {
        return .begins(other.sequence, other.action)
      }
      if other.sequence.isProperPrefix(of: sequence) {
        return .continues(other.sequence, other.action)
      }
    }
    return nil
  }
}

/// A user's change of a key: another action, or none.
package struct KeyChange: Equatable, Sendable {
  /// The keys.
  package var sequence: KeySequence
  /// The new action; `nil` unbinds the keys.
  package var action: Action?
  /// The context; `nil` for every context where the action makes sense, or every context to unbind.
  package var context: KeyContext?

  package init(_ sequence: KeySequence, _ action: Action?, in context: KeyContext? = nil) {
    self.sequence = sequence
    self.action = action
    self.context = context
  }

  /// The reason that a change is refused.
  package enum Conflict: Error, Equatable, Sendable {
    /// The keys are a prefix of longer ones, which could not be reached any more.
    case begins(KeySequence, Action)
    /// A prefix of the keys is bound already.
    case continues(KeySequence, Action)
  }
}

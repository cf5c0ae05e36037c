extension KeyTable {
  /// The table with a user's wishes granted, and those that cannot be, by their index.
  ///
  /// Wishes for one context win over those for all, later ones over earlier ones. A wish whose keys
  /// are the beginning of other keys, or the other way round, is refused, and what was bound before
  /// stays; taking the other keys away first makes room. Of two wishes that stand in each other's way
  /// the later one is refused.
  package func changed(
    by changes: [KeyChange]
  ) -> (table: KeyTable, refused: [Int: KeyChange.Conflict]) {
    var refused: [Int: KeyChange.Conflict] = [:]
    while true {
      let granted = changes.indices.filter { refused[$0] == nil }
      let table = applying(granted.map { changes[$0] })
      // From the end, so that the later one of two gives way.
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

  /// Where a wish holds: an action without a place in this table can be wished for everywhere.
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

  /// The user's keys stand before the usual ones, so that hints name them.
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

/// A user's wish for a key: another action, or none.
package struct KeyChange: Equatable, Sendable {
  /// The keys.
  package var sequence: KeySequence
  /// What they are to do; nil for nothing.
  package var action: Action?
  /// Where; nil for everywhere the action makes sense, or everywhere for none.
  package var context: KeyContext?

  /// Makes a wish.
  package init(_ sequence: KeySequence, _ action: Action?, in context: KeyContext? = nil) {
    self.sequence = sequence
    self.action = action
    self.context = context
  }

  /// Why a wish cannot be granted.
  package enum Conflict: Error, Equatable, Sendable {
    /// The keys are the beginning of longer ones, which could not be reached any more.
    case begins(KeySequence, Action)
    /// The keys begin with shorter ones that do something already.
    case continues(KeySequence, Action)
  }
}

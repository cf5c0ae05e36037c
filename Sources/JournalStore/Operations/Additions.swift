import Journal

/// What became of entries that were to be added.
package struct Additions: Hashable, Sendable {
  /// The entries as they stand in the journal, in the order given.
  package var entries: [Entry]
  /// For each of them, whether it was added; `false` where its uuid was there already, also in the
  /// trash, and nothing was changed.
  package var isNew: [Bool]

  /// How many were added.
  package var added: Int { isNew.count(where: \.self) }
}

import Journal

/// What became of entries that were to be added.
public struct Additions: Hashable, Sendable {
  /// The entries as they stand in the journal, in the order given.
  public var entries: [Entry]
  /// For each of them, whether it was added; `false` where its uuid was there already, also in the
  /// trash, and nothing was changed.
  public var isNew: [Bool]

  /// How many were added.
  public var added: Int { isNew.count(where: \.self) }
}

/// The number of a results controller's state: it grows by one with each batch and each fetch.
public typealias Generation = Int

/// What one commit did to a list, ready to apply: table form (rule 47, section 3 of the semantics).
///
/// Old indexes refer to the state `from`, new ones to the state `to`. Rows of deleted and of inserted
/// sections are not listed again. All lists are sorted and free of repetitions.
public struct ResultsBatch: Equatable, Sendable {
  /// A row that changed its position, and with it possibly its contents (rule 32).
  public struct Move: Hashable, Sendable {
    /// Where it was.
    public var from: RowPath
    /// Where it is.
    public var to: RowPath

    /// Makes a move.
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// A row whose contents changed and whose position did not; both paths for convenience (rule 36).
  public typealias Update = Move

  /// The state a list must show to take this batch.
  public var from: Generation
  /// The state it shows afterwards.
  public var to: Generation
  /// Old indexes of sections that are gone.
  public var deletedSections: [Int] = []
  /// New indexes of sections that have come, each with all its rows.
  public var insertedSections: [Int] = []
  /// Old paths of rows that are gone.
  public var deletedRows: [RowPath] = []
  /// New paths of rows that have come.
  public var insertedRows: [RowPath] = []
  /// Rows that changed position, sorted by `from`.
  public var moves: [Move] = []
  /// Rows that changed in place, sorted by `from`.
  public var updates: [Update] = []
  /// Rows that moved out of a deleted section or into an inserted one, sorted by `from`.
  ///
  /// The table form shows such a move as an insert, as a delete or not at all (rule 47). The list to
  /// be drawn does not need it; the selection does, which stays with its row.
  public var carriedRows: [Move] = []
  /// Rows per section in the state `to`; a list verifies it before it draws.
  public var sectionCountsAfter: [Int]

  /// Makes a batch without changes; fill in the lists afterwards.
  public init(from: Generation, to: Generation, sectionCountsAfter: [Int] = []) {
    self.from = from
    self.to = to
    self.sectionCountsAfter = sectionCountsAfter
  }

  /// Whether nothing changed, in which case the batch is never delivered (rule 26).
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty
      && insertedRows.isEmpty && moves.isEmpty && updates.isEmpty
  }
}

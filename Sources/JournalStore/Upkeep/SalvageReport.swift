/// What could be saved from a damaged journal.
public struct SalvageReport: Hashable, Sendable {
  /// How many entries stand in the new journal, those in the trash included.
  public var saved = 0
  /// The numbers of entries that the change log tells of, and that could not be read.
  public var missing: [Int64] = []
  /// The numbers of entries whose text is not what was stored.
  public var altered: [Int64] = []
  /// Whether the change log was whole, so that what was done before can still be undone.
  public var hasHistory = true
}

/// What could be saved from a damaged journal.
package struct SalvageReport: Hashable, Sendable {
  /// How many entries stand in the new journal, those in the trash included.
  package var saved = 0
  /// The numbers of entries that the change log tells of, and that could not be read.
  package var missing: [Int64] = []
  /// The numbers of entries whose text is not what was stored.
  package var altered: [Int64] = []
  /// Whether the change log was whole, so that what was done before can still be undone.
  package var hasHistory = true
}

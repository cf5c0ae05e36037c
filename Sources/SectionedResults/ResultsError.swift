/// What can go wrong with a results controller, without a trap and without undoing a save.
public enum ResultsError: Error, Equatable, Sendable {
  /// The request has no sort key (rule 1).
  case noSortKey
  /// The limit, offset or page size is below what makes sense.
  case invalidRange(String)
  /// The sort does not keep a section together (rule 7).
  ///
  /// Names a row and a section: after a fetch the first row that comes back to a section that had
  /// ended, after a commit the written row and the section that it would split or stand apart from.
  case splitSection(row: String, section: String)
  /// A delegate follows the rows of a sectioned controller one by one, but not its sections.
  case delegateIgnoresSections
  /// Another controller uses the cache with this name (rule 20).
  case cacheInUse(String)
  /// The request cannot change while the cache with this name exists: delete it first (rule 18).
  case cacheNotDeleted(String)
  /// Something was asked before `performFetch` succeeded (rule 2).
  case notFetched
  /// The row with this identity is no longer in the store.
  case rowIsGone(String)
  /// There is no row at this path.
  case noSuchRow(RowPath)
  /// The store's change log no longer reaches back to what the controller shows; fetch again.
  case historyLost
  /// The store told something that cannot be: for example a written row it never had.
  case inconsistentStore(String)
}

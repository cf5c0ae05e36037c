/// How a change of many entries goes on.
///
/// All of it is one transaction and one step for undo, however long it takes: whoever gives it up by
/// throwing from ``progress`` leaves the journal as it was.
package struct BulkOptions {
  /// Whether numbers without an entry are passed over instead of ending the change: marks on a screen
  /// may have outlived their entries.
  package var skipsMissing: Bool
  /// Told before each entry, and behind the last one, how many are done and how many there are,
  /// inside the transaction.
  ///
  /// It must be quick and must not touch the journal. An error it throws ends the change, and nothing of it
  /// is kept.
  package var progress: ((_ done: Int, _ total: Int) throws -> Void)?

  /// Makes options; every number must exist, and nobody is told, unless said otherwise.
  package init(
    skipsMissing: Bool = false, progress: ((_ done: Int, _ total: Int) throws -> Void)? = nil
  ) {
    self.skipsMissing = skipsMissing
    self.progress = progress
  }
}

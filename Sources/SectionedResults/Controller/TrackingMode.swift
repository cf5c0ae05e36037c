/// How a controller follows commits (rules 14 to 16).
public enum TrackingMode: Equatable, Sendable {
  /// Not at all: results stay as fetched, since nobody listens.
  case none
  /// In memory.
  case memoryOnly
  /// In memory and in a named cache, so that the next start reads no rows.
  case fullPersistent
}

extension ResultsControllerDelegate {
  /// Whether the delegate has an ability that needs changes to be followed (rule 15).
  var tracksChanges: Bool {
    self is any ResultsWillChangeDelegate<Row> || self is any ResultsSectionChangeDelegate<Row>
      || self is any ResultsRowChangeDelegate<Row> || self is any ResultsDidChangeDelegate<Row>
      || self is any ResultsBatchDelegate<Row> || self is any ResultsSnapshotDelegate<Row>
      || self is any ResultsDifferenceDelegate<Row>
  }
}

/// The contents of rows that were read lately.
struct ContentCache<Row: ResultsRow> {
  /// The most rows kept.
  private static var capacity: Int { 4_096 }

  private var rows: [Row.ID: Row] = [:]

  subscript(id: Row.ID) -> Row? { rows[id] }

  mutating func insert(_ new: [Row.ID: Row]) {
    // Forgetting all costs one page read for what is on the screen; keeping an order would cost every
    // access.
    if rows.count + new.count > Self.capacity { rows.removeAll(keepingCapacity: true) }
    rows.merge(new) { _, new in new }
  }

  /// Puts the new images of written rows in place of known ones.
  ///
  /// The rows of a small commit are kept also when they are new: somebody will look at them next.
  mutating func update(_ changes: [RowImages<Row>]) {
    let keepsNew = changes.count <= 16
    for change in changes where keepsNew || rows[change.id] != nil {
      rows[change.id] = change.after
    }
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
  }
}

import Journal

extension EntryRow {
  /// The whole entry a row belongs to.
  func entry(text: String) -> Entry {
    Entry(
      uuid: uuid, number: id.number, created: created, modified: modified, day: day, text: text,
      starred: starred, deleted: deleted)
  }
}

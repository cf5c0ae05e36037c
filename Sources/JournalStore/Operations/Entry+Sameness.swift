import Journal

extension String {
  /// Whether both strings have the same bytes; `==` would take é and e with an accent for the same.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Entry {
  /// Whether both entries are stored the same, texts byte by byte.
  func isSame(as other: Entry) -> Bool {
    EntrySchema.fields.allSatisfy { $0.isSame(self, other) }
  }
}

extension EntryStore {
  /// Refuses a text that some store or tool would cut or could not hold.
  func check(_ text: String) throws {
    do {
      try Entry.validate(text: text)
    } catch .empty {
      throw StoreError(.emptyText, at: place, EntryTextError.empty.description)
    } catch {
      throw StoreError(.invalidText, at: place, error.description)
    }
  }
}

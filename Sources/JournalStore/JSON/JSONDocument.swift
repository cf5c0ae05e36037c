import Journal

/// What a JSON journal's file says.
struct JSONDocument {
  /// An entry as it stands in the file.
  struct Item {
    /// The entry; its number is 0 where the file gives none.
    var entry: Entry
    /// Whether the file has the entry's checksum, as it does of all that a store wrote.
    var isChecked: Bool
    /// Whether that checksum fits; otherwise somebody changed the entry.
    var isIntact: Bool
    /// The fields of other programs, kept as they are.
    var extra: [JSONMember] = []
  }

  var items: [Item] = []
  var lines: [MemoryJournal.Line] = []
  var steps: [MemoryJournal.Step] = []
  var lastNumber: Int64 = 0
  /// The fields of other programs beside the entries, kept as they are.
  var extra: [JSONMember] = []

  /// The largest number that JSON readers agree on.
  static let mostNumber: Int64 = 1 << 53

  /// The checksum of all of an entry that the file holds.
  static func checksum(of entry: Entry) -> String {
    var bytes: [UInt8] = []
    EntryJSON.append(entry, to: &bytes)
    let sum = bytes.withUnsafeBufferPointer { Entry.checksum(of: $0) }
    return String(UInt64(bitPattern: sum), radix: 16)
  }
}

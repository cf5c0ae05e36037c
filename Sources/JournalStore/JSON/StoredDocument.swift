import Journal

/// What stands at the root of a file, in whatever order; nobody has judged yet whether it is a journal.
struct StoredDocument {
  private(set) var format: String?
  private(set) var version: Int64?
  private(set) var lastNumber: Int64?
  /// The entries, `nil` for those that are none; nothing where there is no list of them.
  private(set) var items: [JSONDocument.Item?]?
  /// The change sets, `nil` for those that are incomplete.
  private(set) var steps: [MemoryJournal.Step?] = []
  /// The change log, `nil` for what is no line of it.
  private(set) var changes: [StoredChange?] = []
  /// The members that are not ours, in their order.
  private(set) var extra: [JSONMember] = []

  /// Reads a whole file.
  ///
  /// - Throws: ``JSONError`` for what is no JSON, all other errors being left to the caller.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    var reader = JSONReader(bytes)
    var document = self
    try reader.object { name, reader throws(JSONError) in try document.take(name, &reader) }
    try reader.end()
    self = document
  }

  private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "format": format = try reader.stringIfAny()
    case "version": version = try reader.integerIfAny()
    case "lastNumber": lastNumber = try reader.integerIfAny()
    case "entries":
      items = try reader.objectsIfAny { reader throws(JSONError) in
        try StoredEntry(&reader).item()
      }
    case "sets":
      let steps = try reader.objectsIfAny { reader throws(JSONError) in
        try StoredStep(&reader).step()
      }
      self.steps = steps ?? []
    case "changes":
      let changes = try reader.objectsIfAny { reader throws(JSONError) in
        try StoredChange(&reader)
      }
      self.changes = changes ?? []
    default: extra.append(JSONMember(name, try reader.value()))
    }
  }
}

import Journal

/// Reads entries of Daybook's own JSON and JSON Lines: exports, listings, JSON journals, and what
/// people write by hand.
///
/// Only `text` and `created` are needed. `number` belongs to the journal it came from and is not taken;
/// fields that nobody here knows are passed by.
struct DaybookSource: EntrySource {
  private let records: JSONRecords
  private var isOpen = false

  /// Makes a source over a file's bytes.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
  }

  mutating func next() throws -> ImportItem? {
    if !isOpen { try open() }
    switch try records.next(Self.item) {
    case nil: return nil
    case .value(let item, _): return item
    case .broken(let error): return .problem(error.reason, error.place)
    }
  }

  /// Refuses what a newer version of this program made.
  private mutating func open() throws {
    try records.open()
    isOpen = true
    let version = records.root.last { $0.name == "version" }?.value.integer
    let isOurs = records.root.contains { $0.name == "format" && $0.value.string == "daybook" }
    if isOurs, let version, version > 1 {
      throw FormatError("made by a newer daybook (version \(version), this one knows 1); update it")
    }
  }

  private static func item(
    _ reader: inout JSONReader, _ line: Int
  ) throws(JSONError) -> ImportItem {
    let place = ImportPlace(line: line)
    guard try reader.kind() == .object else {
      try reader.skip()
      return .problem("is no object", place)
    }
    var fields = DaybookFields()
    try reader.object { name, reader throws(JSONError) in try fields.take(name, &reader) }
    switch fields.entry() {
    case .success(let entry): return .entry(entry, place)
    case .failure(let error): return .problem(error.reason, place)
    }
  }
}

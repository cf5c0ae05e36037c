import Journal

/// Reads entries of Daybook's own JSON and JSON Lines: exports, listings, JSON journals, and what
/// people write by hand.
///
/// Only `text` and `created` are needed. A date without an offset, such as `2024-01-01 10:00` or
/// `2024-01-01`, is a time of this place and the calendar day it names. `number` belongs to the journal it came from and is not taken;
/// fields that nobody here knows are passed by.
struct DaybookSource: EntrySource {
  private let records: JSONRecords
  private let clock: WallClock
  private var isOpen = false

  /// Makes a source over a file's bytes.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
  }

  mutating func next() throws -> ImportItem? {
    if !isOpen { try open() }
    let clock = self.clock
    let next = try records.next { reader, line throws(JSONError) in
      try Self.item(&reader, line, clock)
    }
    switch next {
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
    _ reader: inout JSONReader, _ line: Int, _ clock: WallClock
  ) throws(JSONError) -> ImportItem {
    let place = ImportPlace(line: line)
    guard try reader.kind() == .object else {
      try reader.skip()
      return .problem("is no object", place)
    }
    var fields = DaybookFields(clock)
    try reader.object { name, reader throws(JSONError) in try fields.take(name, &reader) }
    switch fields.entry() {
    case .success(let entry): return .entry(entry, place)
    case .failure(let error): return .problem(error.reason, place)
    }
  }
}

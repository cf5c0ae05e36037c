/// The offsets of one time zone through all of time, read from a file of the zone database (TZif,
/// RFC 9636).
///
/// Unlike ``WallClock/system`` it is any zone, not the process's, so that what was written in Sydney
/// keeps Sydney's calendar day wherever it is imported.
public struct ZoneFile: Hashable, Sendable {
  /// The instants at which an offset begins, rising, in seconds since the epoch.
  private let changes: [Int64]
  /// The offset that begins at each change, in seconds east of Greenwich.
  private let offsets: [Int]
  /// The offset before the first change.
  private let first: Int
  /// What holds after the last change.
  private let rule: ZoneRule?

  /// Reads the bytes of a zone file; nothing when they are not one.
  ///
  /// - Complexity: linear in the bytes.
  public init?(_ bytes: [UInt8]) {
    var reader = ZoneFileReader(bytes)
    guard let header = reader.header() else { return nil }
    guard header.version >= 2 else {
      guard let table = reader.table(header, wide: false) else { return nil }
      self.init(table, rule: nil)
      return
    }
    // The first table has 32 bits for readers of old; the second is the whole truth.
    guard reader.skip(header.size(wide: false)), let wide = reader.header(),
      let table = reader.table(wide, wide: true)
    else { return nil }
    self.init(table, rule: reader.footer().flatMap(ZoneRule.init))
  }

  private init(_ table: ZoneFileReader.Table, rule: ZoneRule?) {
    changes = table.changes
    offsets = table.offsets
    first = table.first
    self.rule = rule
  }

  /// The offset in force at an instant, in seconds east of Greenwich.
  ///
  /// - Complexity: logarithmic in the number of changes.
  public func offset(at seconds: Int64) -> Int {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let rule { return rule.offset(at: seconds) }
    return low == 0 ? first : offsets[low - 1]
  }

  /// An instant with the offset in force then.
  public func moment(at seconds: Int64) -> Moment {
    Moment(seconds: seconds, offset: offset(at: seconds))
  }

  /// The zone as a clock on its walls, whose present is a fixed instant.
  public func clock(at seconds: Int64 = 0) -> WallClock {
    WallClock(now: { seconds }, offset: { offset(at: $0) })
  }

  /// Whether a text can be the name of a zone: names of ASCII letters, digits, `_`, `+` and `-` joined
  /// by `/`, so that no name leads out of the zone database.
  public static func isName(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 64 else { return false }
    return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in !part.isEmpty && part.allSatisfy(isNameByte) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

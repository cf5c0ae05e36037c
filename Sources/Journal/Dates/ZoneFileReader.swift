/// Reads the blocks of a zone file one after the other; every length is checked before it is believed.
struct ZoneFileReader {
  /// The counts in front of a table.
  struct Header {
    var version: Int
    var utcMarks: Int
    var wallMarks: Int
    var leaps: Int
    var changes: Int
    var types: Int
    var names: Int

    /// How many bytes the table has that follows.
    func size(wide: Bool) -> Int {
      let time = wide ? 8 : 4
      return changes * (time + 1) + types * 6 + names + leaps * (time + 4) + wallMarks + utcMarks
    }
  }

  /// The offsets of a table.
  struct Table {
    var changes: [Int64]
    var offsets: [Int]
    var first: Int
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func header() -> Header? {
    guard bytes.count - position >= 44, bytes[position..<position + 4].elementsEqual("TZif".utf8)
    else { return nil }
    let digit = bytes[position + 4]
    let counts = (0..<6).map { number(at: position + 20 + $0 * 4, bytes: 4) }
    position += 44
    // No zone has so many; the bound keeps every product below from overflowing.
    guard counts.allSatisfy({ (0...1_000_000).contains($0) }), counts[4] > 0 else { return nil }
    return Header(
      version: digit == 0 ? 1 : Int(digit) - 48, utcMarks: Int(counts[0]),
      wallMarks: Int(counts[1]), leaps: Int(counts[2]), changes: Int(counts[3]),
      types: Int(counts[4]), names: Int(counts[5]))
  }

  mutating func skip(_ count: Int) -> Bool {
    guard bytes.count - position >= count else { return false }
    position += count
    return true
  }

  mutating func table(_ header: Header, wide: Bool) -> Table? {
    let start = position
    guard skip(header.size(wide: wide)) else { return nil }
    let width = wide ? 8 : 4
    let kinds = start + header.changes * width
    let types = kinds + header.changes
    let offsets = (0..<header.types).map { Int(number(at: types + $0 * 6, bytes: 4)) }
    // No zone is further than this from Greenwich, and rules add a day at most.
    guard offsets.allSatisfy({ abs($0) < 26 * 3600 }) else { return nil }
    let changes = (0..<header.changes).map { number(at: start + $0 * width, bytes: width) }
    let used = (0..<header.changes).map { Int(bytes[kinds + $0]) }
    guard zip(changes, changes.dropFirst()).allSatisfy(<), used.allSatisfy({ $0 < offsets.count })
    else { return nil }
    return Table(changes: changes, offsets: used.map { offsets[$0] }, first: offsets[0])
  }

  /// The rule between two line feeds at the end; nothing when there is none.
  mutating func footer() -> String? {
    guard position < bytes.count, bytes[position] == 0x0A else { return nil }
    let rest = bytes[(position + 1)...]
    guard let end = rest.firstIndex(of: 0x0A) else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// A signed number, most significant byte first.
  private func number(at start: Int, bytes count: Int) -> Int64 {
    var value: Int64 = bytes[start] >= 0x80 ? -1 : 0
    for byte in bytes[start..<start + count] { value = value << 8 | Int64(byte) }
    return value
  }
}

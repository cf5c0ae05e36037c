/// A value of a row as it stands in a database file.
enum RecordValue: Hashable {
  case null
  case integer(Int64)
  case text([UInt8])
  /// What no column of a journal holds: numbers with a fraction, and bytes.
  case other

  /// The values of a record, if its header and its length fit together.
  static func record(_ payload: [UInt8]) -> [RecordValue]? {
    var header = payload[...]
    guard let size = variable(&header), size <= payload.count,
      header.startIndex <= Int(size)
    else { return nil }
    header = payload[header.startIndex..<Int(size)]
    var body = payload[Int(size)...]
    var values: [RecordValue] = []
    while !header.isEmpty {
      guard values.count < 64, let type = variable(&header), let length = length(of: type),
        length <= body.count
      else { return nil }
      values.append(value(type, body.prefix(length)))
      body = body.dropFirst(length)
    }
    return values
  }

  /// An integer of up to nine bytes, seven bits in each but the last; its bytes are dropped.
  static func variable(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    var value: UInt64 = 0
    for count in 0..<9 {
      guard let byte = bytes.popFirst() else { return nil }
      if count == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int64(bitPattern: value) }
    }
    return nil
  }

  /// A number of a few bytes without a sign, the highest byte first.
  static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func length(of type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...(1 << 31): Int(type - 12) / 2
    default: nil
    }
  }

  private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> RecordValue {
    switch type {
    case 0: .null
    case 8, 9: .integer(type - 8)
    case 1...6: .integer(signed(bytes))
    case 7: .other
    default: type.isMultiple(of: 2) ? .other : .text(Array(bytes))
    }
  }

  private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let isNegative = (bytes.first ?? 0) & 0x80 != 0
    return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
  }
}

import Journal

/// The names in the first record of a JSON list, for the detection of a format.
///
/// The beginning may be cut off anywhere.
enum FirstRecord {
  /// The names of the first object in a list; `nil` for any other text.
  static func names(_ head: [UInt8]) -> Set<String>? {
    guard let start = head.firstIndex(where: { !ASCII.isSpace($0) && $0 < 0x80 }),
      head[start] == UInt8(ascii: "[")
    else { return nil }
    var names: Set<String> = []
    var isFirst = true
    Array(head[start...]).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, options: JSONOptions(isLossy: true))
      // It throws where the beginning is cut off.
      try? reader.array { reader throws(JSONError) in
        guard isFirst, try reader.kind() == .object else { return try reader.skip() }
        isFirst = false
        try reader.object { name, reader throws(JSONError) in
          names.insert(name)
          try reader.skip()
        }
      }
    }
    return names.isEmpty ? nil : names
  }
}

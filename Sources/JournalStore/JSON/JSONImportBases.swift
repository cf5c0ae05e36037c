import Journal

extension ImportBases.Row {
  /// The object in a JSON journal; checksums are texts, since not every JSON reader represents 64 bits.
  var line: [UInt8] {
    var text = "{\"number\":\(number),\"source\":\"\(base.source)\",\"check\":\"\(base.checksum)\""
    if let folder = base.folder { text += ",\"folder\":\"\(folder)\"" }
    if let written = base.written { text += ",\"written\":\(written)" }
    if let changeSet { text += ",\"set\":\(changeSet)" }
    return Array((text + "}").utf8)
  }

  /// Reads the next value, which must be an object; `nil` if it is incomplete.
  init?(_ reader: inout JSONReader) throws(JSONError) {
    var numbers: [String: Int64] = [:]
    try reader.object { name, reader throws(JSONError) in
      let value = try reader.value()
      numbers[name] = value.integer.map(Int64.init) ?? value.string.flatMap { Int64($0) }
    }
    guard let number = numbers["number"], let source = numbers["source"],
      let checksum = numbers["check"]
    else { return nil }
    self.init(
      number: number,
      base: ImportBase(
        source: source, folder: numbers["folder"], checksum: checksum, written: numbers["written"]),
      changeSet: numbers["set"])
  }
}

import Journal

/// What a JSON file's beginning tells about its format: the names at its root and in its first record.
///
/// The beginning may be cut off anywhere, and what is broken behind it is somebody else's business.
struct JSONSketch {
  private var root: Set<String> = []
  private var record: Set<String> = []
  private var isList = false
  private var formatName: String?

  /// Makes a sketch; `nil` where no JSON begins.
  init?(_ head: [UInt8]) {
    guard let first = head.first, Self.beginsJSON(head, first) else { return nil }
    head.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, options: JSONOptions(isLossy: true))
      // It ends with an error wherever the beginning is cut off.
      try? first == UInt8(ascii: "[") ? readList(&reader) : readRoot(&reader)
    }
  }

  /// jrnl's text begins with a bracket too, and then a date.
  private static func beginsJSON(_ head: [UInt8], _ first: UInt8) -> Bool {
    if first == UInt8(ascii: "{") { return true }
    guard first == UInt8(ascii: "[") else { return false }
    let second = head.dropFirst().first { !JSONReader.isSpace($0) }
    return second.map { "{]\"".utf8.contains($0) } ?? true
  }

  private mutating func readRoot(_ reader: inout JSONReader) throws(JSONError) {
    // Names are kept one by one: the reader throws where the head is cut.
    var sketch = self
    defer { self = sketch }
    try reader.object { name, reader throws(JSONError) in
      sketch.root.insert(name)
      let kind = try reader.kind()
      if name == "entries", kind == .array {
        try sketch.readList(&reader)
      } else if name == "format", kind == .string {
        sketch.formatName = try reader.string()
      } else {
        try reader.skip()
      }
    }
  }

  private mutating func readList(_ reader: inout JSONReader) throws(JSONError) {
    isList = true
    var sketch = self
    defer { self = sketch }
    var isFirst = true
    try reader.array { reader throws(JSONError) in
      guard isFirst, try reader.kind() == .object else { return try reader.skip() }
      isFirst = false
      try reader.object { name, reader throws(JSONError) in
        sketch.record.insert(name)
        try reader.skip()
      }
    }
  }

  /// The format, by the names that only it has.
  var format: ImportFormat? {
    if formatName == "daybook" { return .daybook }
    let names = isList ? record : root
    if names.contains("creationDate") || root.contains("metadata") { return .dayOne }
    if names.contains("text") { return .daybook }
    if names.contains("content") { return .tuiJournal }
    if names.contains("date"), names.contains("time") || names.contains("body") { return .jrnl }
    guard isList, record.isEmpty else { return nil }
    // Lists without a record.
    if root.contains("tags") { return .jrnl }
    return root.contains("version") ? .tuiJournal : .daybook
  }
}

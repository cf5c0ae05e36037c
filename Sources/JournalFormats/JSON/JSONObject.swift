import Journal

/// Writes an object member by member, each on a line of its own.
struct JSONObject {
  private let indent: String
  private var isFirst = true

  /// Opens an object.
  ///
  /// - Parameters:
  ///   - indent: what stands in front of its brackets; members have two spaces more.
  ///   - isInside: whether the opening bracket goes on in a line that is begun.
  init(indent: String, to buffer: inout [UInt8], isInside: Bool = false) {
    self.indent = indent
    if !isInside { buffer.append(contentsOf: indent.utf8) }
    buffer.append(UInt8(ascii: "{"))
  }

  /// Adds a text.
  mutating func add(_ name: String, _ text: String, to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    JSONText.append(text, to: &buffer)
  }

  /// Adds `true` or `false`.
  mutating func add(_ name: String, _ value: Bool, to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    buffer.append(contentsOf: "\(value)".utf8)
  }

  /// Adds a number, or `null`.
  mutating func add(_ name: String, number: Int?, to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    buffer.append(contentsOf: (number.map { "\($0)" } ?? "null").utf8)
  }

  /// Adds a list of texts.
  mutating func add(_ name: String, _ texts: [String], to buffer: inout [UInt8]) {
    addName(name, to: &buffer)
    buffer.append(UInt8(ascii: "["))
    for (index, text) in texts.enumerated() {
      if index > 0 { buffer.append(contentsOf: ", ".utf8) }
      JSONText.append(text, to: &buffer)
    }
    buffer.append(UInt8(ascii: "]"))
  }

  /// Closes the object.
  func end(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: (isFirst ? "}" : "\n\(indent)}").utf8)
  }

  private mutating func addName(_ name: String, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: (isFirst ? "\n\(indent)  " : ",\n\(indent)  ").utf8)
    isFirst = false
    JSONText.append(name, to: &buffer)
    buffer.append(contentsOf: ": ".utf8)
  }
}

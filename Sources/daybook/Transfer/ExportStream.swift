import Journal
import JournalFormats

/// Writes entries through an encoder to one output.
struct ExportStream {
  private let encoder: any EntryEncoder
  private let output: Output
  private let mustSanitize: Bool

  /// Makes a stream.
  ///
  /// - Parameter isText: whether the format leaves characters as they are that could steer a terminal.
  init(_ encoder: any EntryEncoder, _ output: Output, isText: Bool = false) {
    self.encoder = encoder
    self.output = output
    mustSanitize = isText && output.isTerminal
  }

  /// Writes all entries.
  ///
  /// - Parameter step: is called after each with their number so far.
  /// - Returns: what the format could not hold, in words.
  func write(
    _ entries: ExportedEntries, _ step: (Int) throws -> Void = { _ in }
  ) throws -> [String] {
    var encoder = encoder
    var count = 0
    try encode { try encoder.begin(&$0) }
    try entries.eachEntry { entry in
      try encode { try encoder.append(entry, to: &$0) }
      count += 1
      try step(count)
    }
    try encode { try encoder.end(&$0) }
    try output.flush()
    return encoder.losses
  }

  private func encode(_ body: (inout [UInt8]) throws -> Void) throws {
    guard mustSanitize else { return try output.encode(body) }
    var bytes: [UInt8] = []
    try body(&bytes)
    try output.write(Sanitizing.body(String(decoding: bytes, as: UTF8.self)))
  }
}

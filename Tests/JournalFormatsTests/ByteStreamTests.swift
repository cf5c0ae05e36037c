import JournalFormats
import Testing

struct ByteStreamTests {
  private static func lines(_ text: String, chunk: Int) throws -> [String] {
    var rest = Array(text.utf8)[...]
    let stream = ByteStream {
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
    var lines: [String] = []
    while let line = try stream.nextLine({ "\($1):" + String(decoding: $0, as: UTF8.self) }) {
      lines.append(line)
    }
    return lines
  }

  @Test("lines are the same in pieces of every size", arguments: 1..<9)
  func lines(chunk: Int) throws {
    #expect(
      try Self.lines("a\nbc\r\n\n\rd\r\r\ne", chunk: chunk) == [
        "1:a", "2:bc", "3:", "4:\rd\r", "5:e",
      ])
    #expect(try Self.lines("a\n", chunk: chunk) == ["1:a"])
    #expect(try Self.lines("", chunk: chunk) == [])
    #expect(try Self.lines("\u{FEFF}a\n\u{FEFF}b", chunk: chunk) == ["1:a", "2:\u{FEFF}b"])
  }

  @Test("what was peeked at is still there, and all of the rest comes once")
  func rest() throws {
    let stream = ByteStream(Array("abc".utf8))
    #expect(try stream.peek(2) == Array("ab".utf8))
    stream.take(1)
    #expect(try stream.rest() == Array("bc".utf8))
    #expect(try stream.rest() == [])
    #expect(stream.offset == 3)
  }

  @Test("a record that is too large ends with an error instead of all memory")
  func limit() throws {
    let stream = ByteStream { [UInt8](repeating: 0x61, count: 1000) }
    stream.windowLimit = 1 << 20
    #expect(throws: FormatError.self) { try stream.nextLine { _, _ in } }
  }
}

import Testing

@testable import daybook

/// Bytes that are not text are refused with the byte that shows it; see the bad inputs B1 to B8.
struct TextInputTests {
  @Test("text comes through as it was given, with line feeds, and without the last one")
  func textIsKept() throws {
    #expect(try entry("café\r\n\n") == "café\n")
    #expect(try entry("a") == "a")
    #expect(try entry("a\r\n") == "a")
    #expect(try entry("a\rb\r\nc") == "a\nb\nc")
    #expect(try entry("\n") == "")
  }

  @Test("a byte order mark is dropped at the start and nowhere else")
  func byteOrderMark() throws {
    #expect(try entry("\u{FEFF}a\u{FEFF}b").unicodeScalars.map(\.value) == [97, 0xFEFF, 98])
  }

  @Test(
    "what is not UTF-8 is refused with its byte, counted from 1",
    arguments: [
      ([0x61, 0x00, 0x62], "NUL at byte 2"),
      ([0x6F, 0x6B, 0xFF, 0xFE], "invalid UTF-8 at byte 3"),
      ([0xC0, 0xAF], "invalid UTF-8 at byte 1"),
      ([0x61, 0xED, 0xA0, 0x80], "invalid UTF-8 at byte 2"),
      ([0xF4, 0x90, 0x80, 0x80], "invalid UTF-8 at byte 1"),
      ([0xC3, 0xA9, 0xE2, 0x82], "invalid UTF-8 at byte 3"),
      ([0xEF, 0xBB, 0xBF, 0x61, 0xFF], "invalid UTF-8 at byte 5"),
    ] as [([UInt8], String)])
  func refused(bytes: [UInt8], place: String) {
    let failure = #expect(throws: Failure.self) {
      try TextInput.entry(from: bytes, name: "standard input")
    }
    #expect(failure?.code == 65)
    #expect(failure?.message == "standard input: \(place); nothing saved")
  }

  @Test("UTF-16 is recognised by its mark")
  func utf16() {
    let failure = #expect(throws: Failure.self) {
      try TextInput.entry(from: [0xFF, 0xFE, 0x68, 0x00], name: "standard input")
    }
    #expect(failure?.message.contains("looks like UTF-16") == true)
  }

  private func entry(_ text: String) throws -> String {
    try TextInput.entry(from: Array(text.utf8), name: "standard input")
  }
}

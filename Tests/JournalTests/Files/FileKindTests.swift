import Testing

@testable import Journal

/// What a file is, by its content and its name.
@Suite struct FileKindTests {
  private func kind(_ name: String, _ bytes: [UInt8]) -> FileKind {
    FileKind(named: name) { offset, count in
      Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    }
  }

  private static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3,
    0, 0,
    0, 2, 8, 2, 0, 0, 0,
  ]

  @Test("a content with a header is of its type under every name")
  func certain() {
    for name in ["a.png", "a.jpg", "a.pdf", "a.txt", "a", ".png", "a."] {
      let picture = kind(name, Self.png)
      #expect(picture.type == "image/png" && picture.isOfContent, "\(name)")
      #expect(picture.pixels == PixelSize(3, 2))
      let document = kind(name, Array("%PDF-1.4\n".utf8))
      #expect(document.type == "application/pdf" && document.isOfContent, "\(name)")
    }
  }

  @Test(
    "the name decides for other contents, and says so",
    arguments: [
      ("a.txt", "text/plain"), ("a.TXT", "text/plain"), ("a.mp3", "audio/mpeg"),
      ("a.svg", "image/svg+xml"),
      ("a.bmp", "image/bmp"), ("a", MediaType.unknown), ("a.jpg", "image/jpeg"),
      ("a.JPEG", "image/jpeg"),
    ])
  func named(name: String, type: String) {
    for bytes in [[], Array("words".utf8), Array("%PDF".utf8)] {
      let kind = kind(name, bytes)
      #expect(kind.type == type && !kind.isOfContent && kind.pixels == nil)
    }
  }
}

import Foundation
import FoundationXML
import Testing

/// The pictures of the README are what the program draws today.
struct PlayPictureTests {
  private let program: Program
  private static let resources = Repository.root.appending(path: "Resources")

  init() throws {
    program = try Program()
  }

  @Test("the committed pictures are up to date", arguments: ["light", "dark"])
  func upToDate(_ paper: String) throws {
    let script = Self.resources.appending(path: "screen.keys").path
    let drawn = try draw(script, paper: paper, size: (116, 24))
    let kept = try String(
      contentsOf: Self.resources.appending(path: "screen-\(paper).svg"), encoding: .utf8)
    #expect(drawn == kept, "run make screenshots, look at the pictures, and commit them")
    #expect(drawn.utf8.count < 40_000)
  }

  @Test("a picture is well-formed whatever stands in an entry, and each character has its place")
  func wellFormed() throws {
    let script = program.home.appending(path: "a.keys").path
    try "aTom & <lt>b> \"x\" 'y' ]]> 日本 é 👩‍💻 \u{202E}x<Enter>/Tom".write(
      toFile: script, atomically: true, encoding: .utf8)
    let text = try draw(script, paper: "dark", size: (60, 10))
    let document = try XMLDocument(xmlString: text)
    let elements = try document.nodes(forXPath: "//*[local-name()='text']")
    for case let element as XMLElement in elements {
      let places = try #require(element.attributes?.first { $0.name == "x" }?.stringValue).split(
        separator: " ")
      let scalars = (element.stringValue ?? "").unicodeScalars.count
      #expect(places.count == scalars || places.count == 1)
      #expect(places.compactMap { Int($0) }.allSatisfy { $0 >= 14 && $0 < 14 + 60 * 9 })
    }
    let words = elements.compactMap(\.stringValue).joined(separator: "|")
    #expect(words.contains("<b>"))
    #expect(words.contains("日|本"))
    #expect(!text.contains("\u{202E}"))
  }

  private func draw(
    _ script: String, paper: String, size: (columns: Int, lines: Int)
  ) throws -> String {
    let file = program.home.appending(path: "\(UUID().uuidString).svg").path
    let result = try program.run(
      [
        "demo", script, "--now", "2026-11-21T17:40:00+00:00", "--svg", file, "--paper", paper,
      ], extra: ["COLUMNS": "\(size.columns)", "LINES": "\(size.lines)"])
    #expect(result.code == 0, "\(result.errors)")
    return try String(contentsOfFile: file, encoding: .utf8)
  }
}

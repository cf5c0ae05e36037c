import Foundation
import FoundationXML
import Testing

/// The pictures of the README are what the program draws today.
struct PlayPictureTests {
  private let program: Program
  private static let pictures = Repository.root.appending(path: "Resources/pictures")

  init() throws {
    program = try Program()
  }

  @Test("the committed pictures are up to date, small, and all in the README")
  func upToDate() throws {
    let drawn = program.home.appending(path: "pictures")
    try FileManager.default.createDirectory(at: drawn, withIntermediateDirectories: true)
    let script = Self.pictures.appending(path: "draw.sh").path
    let result = try program.shell("sh '\(script)' '\(Program.binary.path)' '\(drawn.path)'")
    #expect(result.code == 0, "\(result.errors)")
    let names = try Self.drawings(in: drawn)
    #expect(names.count >= 8)
    // The growth is drawn from a run of the benchmark, by make figures.
    #expect(try Self.drawings(in: Self.pictures).filter { $0 != "growth.svg" } == names)
    let readme = try Repository.readme().text
    for name in names {
      let text = try String(contentsOf: drawn.appending(path: name), encoding: .utf8)
      let kept = try? String(
        contentsOf: Self.pictures.appending(path: name), encoding: .utf8)
      let isUpToDate = text == kept
      #expect(isUpToDate, "\(name): run make pictures, look at them, and commit them")
      #expect(text.utf8.count < (name.hasPrefix("tour") ? 600_000 : 40_000), "\(name)")
      let isShown = readme.contains("Resources/pictures/\(name)\"")
      #expect(isShown, "\(name) is not in the README")
    }
  }

  private static func drawings(in directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix(".svg") }.sorted()
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

import Foundation
import Testing

/// SwiftPM lets any target import what another target links; this holds them to the table of
/// `Resources/architecture.md`.
struct ImportTests {
  private static let systemModules: Set<String> = [
    "Glibc", "Observation", "Swift", "Synchronization",
  ]

  @Test("each module imports only what the architecture's table allows it")
  func importsFollowTheTable() throws {
    let table = try Self.table()
    var seen: Set<String> = []
    for file in try Self.swiftFiles() {
      let module = try #require(file.split(separator: "/").first.map(String.init))
      seen.insert(module)
      let allowed = try #require(table[module], "\(module) is not in the table of modules")
      for name in try Self.imports(of: file) where !Self.systemModules.contains(name) {
        #expect(allowed.contains(name), "Sources/\(file) must not import \(name)")
      }
    }
    #expect(seen == Set(table.keys))
  }

  @Test("files are renamed by the module that syncs them, and by no other")
  func renames() throws {
    for file in try Self.swiftFiles() where !file.hasPrefix("Files/") {
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n")
      where line.contains("rename") && !line.contains("AtomicFile.rename") {
        #expect(
          line.firstMatch(of: /(^|[^.\w])(Glibc\.)?(rename|renameat)\([^:]*\)/) == nil
            || line.contains("func "), "Sources/\(file): \(line)")
      }
    }
  }

  @Test("the reader of import lines knows every form of them")
  func formsOfImports() {
    let lines = [
      "import A", "@testable import B", "public import C", "import struct D.E", "  import F // x",
      "// import G", "let important = 1",
    ]
    #expect(lines.compactMap(Self.importedModule) == ["A", "B", "C", "D", "F"])
  }

  @Test("only the libraries are public: what the package shares is package")
  func access() throws {
    let libraries = ["", "Foundation", "GRDB", "Testing"].map { "SectionedResults\($0)/" }
    for file in try Self.swiftFiles() where !libraries.contains(where: file.hasPrefix) {
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") || $0 == "final" }
        let isOpen =
          words.first == "open" && ["class", "func", "var"].contains(words.dropFirst().first)
        #expect(words.first != "public" && !isOpen, "Sources/\(file): \(line)")
      }
    }
  }

  @Test(
    "updates and runners handle every case by its name: no default gives the compiler's help away")
  func exhaustiveness() throws {
    for file in try Self.swiftFiles() {
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      let isUpdate = file.hasPrefix("Screen/") && text.contains("extension State {")
      guard isUpdate || file.hasPrefix("daybook/Runners/") else { continue }
      #expect(!text.contains("default:"), "Sources/\(file)")
      guard file.hasPrefix("daybook/Runners/") else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 300, "Sources/\(file)")
    }
  }

  @Test("a file that only extends another file's type has a concern of its own to show for it")
  func extensions() throws {
    for file in try Self.swiftFiles() where file.contains("+") {
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines >= 40, "Sources/\(file) belongs into the file of its type")
    }
  }

  /// The modules of the table, each with what it may import.
  private static func table() throws -> [String: Set<String>] {
    let page = sources.deletingLastPathComponent().appending(path: "Resources/architecture.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let rows = lines.drop { !$0.hasPrefix("| module | imports |") }.dropFirst(2)
      .prefix { $0.hasPrefix("| `") }
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let cells = row.split(separator: "|")
        let name = cells[0].filter(\.isLetter)
        let imports = cells[1].split(separator: "`").filter { $0.contains(where: \.isLetter) }
        return (name, cells[1].contains("`") ? Set(imports.map(String.init)) : [])
      })
  }

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  private static func swiftFiles() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
  }

  private static func imports(of file: String) throws -> [String] {
    let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
    return text.split(separator: "\n").map(String.init).compactMap(importedModule)
  }

  private static func importedModule(of line: String) -> String? {
    let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    var words = line.split(separator: " ").map(String.init)
    while let word = words.first, word != "import" {
      guard word.hasPrefix("@") || ["public", "package", "internal", "private"].contains(word)
      else { return nil }
      words.removeFirst()
    }
    guard words.count > 1 else { return nil }
    let name = kinds.contains(words[1]) ? words.dropFirst(2).first : words[1]
    return name?.split(separator: ".").first.map(String.init)
  }
}

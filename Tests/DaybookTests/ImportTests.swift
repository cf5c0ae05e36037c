import Foundation
import Testing

/// SwiftPM lets any target import what another target links; this holds them to the table of the
/// README.
struct ImportTests {
  /// What each module may import, besides the standard library and the C library.
  private static let allowed: [String: Set<String>] = [
    "SectionedResults": ["Collections", "OrderedCollections", "HashTreeCollections"],
    "Files": ["CFiles"],
    "Journal": [],
    "JournalStore": [
      "Files", "Journal", "SectionedResults", "CStore", "GRDB", "GRDBSQLite", "Foundation",
    ],
    "JournalFormats": ["Journal", "CArchive", "TOMLKit", "Yams"],
    "JournalApp": ["Journal", "SectionedResults"],
    "TerminalUI": ["Files", "CNcurses", "CReadline", "CTerminal", "SectionedResults"],
    "daybook": [
      "Files", "SectionedResults", "Journal", "JournalStore", "JournalFormats", "JournalApp",
      "TerminalUI",
      "ArgumentParser", "TOMLKit",
    ],
    // It reads what the argument parser says of the commands, as JSON.
    "Manual": ["JournalApp", "Foundation"],
    // The benchmark measures the store through its own peers: raw SQL and GRDB's observation; and it
    // is its own floor, which opens ncurses and nothing else.
    "Benchmarks": [
      "SectionedResults", "Journal", "JournalStore", "GRDB", "CNcurses", "ArgumentParser",
      "Foundation", "Dispatch", "TestSupport",
    ],
  ]
  private static let systemModules: Set<String> = ["Glibc", "Synchronization", "Swift"]

  @Test("each module imports only what the architecture's table allows it")
  func importsFollowTheTable() throws {
    var seen: Set<String> = []
    for file in try Self.swiftFiles() {
      let module = try #require(file.split(separator: "/").first.map(String.init))
      seen.insert(module)
      let allowed = try #require(Self.allowed[module], "\(module) is not in the table")
      for name in try Self.imports(of: file) where !Self.systemModules.contains(name) {
        #expect(allowed.contains(name), "Sources/\(file) must not import \(name)")
      }
    }
    #expect(seen.isSuperset(of: ["Journal", "JournalApp", "TerminalUI", "daybook"]))
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

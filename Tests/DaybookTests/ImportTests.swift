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
    for file in try Repository.swiftFiles(in: "Sources") {
      let module = try #require(file.split(separator: "/").first.map(String.init))
      seen.insert(module)
      let allowed = try #require(Self.allowed[module], "\(module) is not in the table")
      for name in try Self.imports(of: file) where !Self.systemModules.contains(name) {
        #expect(allowed.contains(name), "Sources/\(file) must not import \(name)")
      }
    }
    #expect(seen.isSuperset(of: ["Journal", "JournalApp", "TerminalUI", "daybook"]))
  }

  @Test("the table of the README names the modules and libraries that each may import")
  func readme() throws {
    let libraries = ["libarchive": "CArchive", "ncurses": "CNcurses", "readline": "CReadline"]
    let rows = try Repository.readmeTable("Modules").map(Repository.cells)
    let named = rows.map { $0[0].trimmingPrefix("`").prefix { $0 != "`" } }
    let own = Set(Self.allowed.keys).subtracting(["Manual", "Benchmarks"])
    #expect(Set(named.map(String.init)) == own.union(["daybook-bench"]))
    let told = own.union(["GRDB", "Yams", "TOMLKit"]).union(libraries.values)
    for (name, cells) in zip(named, rows) where !cells[1].hasPrefix("all ") {
      let words = cells[1].split { !$0.isLetter }.map { libraries[String($0)] ?? String($0) }
      let allowed = try #require(Self.allowed[String(name)])
      #expect(Set(words).intersection(told) == allowed.intersection(told), "\(name)")
    }
    // The program knows all of them.
    #expect(own.subtracting(try #require(Self.allowed["daybook"])) == ["daybook"])
  }

  @Test("files are renamed by the module that syncs them, and by no other")
  func renames() throws {
    for file in try Repository.swiftFiles(in: "Sources") where !file.hasPrefix("Files/") {
      let text = try Repository.text("Sources/\(file)")
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

  private static func imports(of file: String) throws -> [String] {
    try Repository.text("Sources/\(file)").split(separator: "\n").map(String.init)
      .compactMap(importedModule)
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

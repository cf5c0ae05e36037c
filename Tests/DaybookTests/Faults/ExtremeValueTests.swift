import Foundation
import GRDB
import TestSupport
import Testing

/// Files are untrusted input: with every extreme value in every column of every table, no command
/// traps, hangs or loses a text.
///
/// One in five values is read by a command, chosen at random; `EXTREME_COMMANDS=99` takes all values and
/// all commands.
@Suite(.waiting)
struct ExtremeValueTests {
  /// Values that no column of a journal has.
  private static let extremes: [(name: String, value: DatabaseValue)] = [
    ("null", .null), ("text", "text".databaseValue), ("empty", "".databaseValue),
    ("blob", Data([0xFF, 0, 0x41]).databaseValue), ("largest", Int64.max.databaseValue),
    ("smallest", Int64.min.databaseValue), ("infinity", Double.infinity.databaseValue),
    ("-infinity", (-Double.infinity).databaseValue), ("zero", 0.databaseValue),
    ("minus one", (-1).databaseValue), ("fraction", 1.5.databaseValue),
    ("no day", "2026-13-45".databaseValue),
  ]

  static let tables = [
    "entry", "entry_tag", "section_count", "tag_count", "change_set", "change", "evicting", "clock",
    "search_state", "sqlite_sequence", "entry_link", "entry_field", "entry_file", "file",
    "file_piece",
  ]

  private static let commands: [[String]] = [
    ["list"], ["list", "--section", "tag"], ["list", "--sort", "modified", "--section", "none"],
    ["list", "--sort", "title", "--section", "month"], ["list", "bread"], ["list", "#home"],
    ["list", "is:deleted"], ["tags"], ["links"], ["fields"], ["random"], ["list", "--at", "today"],
    ["stats"],
    ["list", "is:broken"],
    ["list", "run:>5"], ["files"], ["list", "file:>1k"], ["file", "6", "-o", "file.sqlite"],
    ["stats", "milk"], ["show", "1"],
    ["history", "2", "--diff"], ["export"], ["doctor"], ["add", "typed text #home"],
    ["edit", "2", "typed text"], ["delete", "1"], ["restore", "5"], ["star", "3"],
    ["redate", "1", "--date", "2026-01-01"], ["tag", "3", "--tag", "x"],
    ["tags", "--rename", "home", "house"], ["undo"], ["redo"], ["purge", "--yes"],
    ["doctor", "--fix"], ["doctor", "--salvage", "saved.sqlite"], ["backup", "copy.sqlite"],
    ["screen"],
  ]
  private static let keys =
    "jjS}q?qTT/bread\rfmilk\r\u{1B}\u{1B}op\rHhqxatyped text\rdu\u{12}V*s:section tag\r\u{1B}MqQ"

  private static var commandsForEach: Int {
    ProcessInfo.processInfo.environment["EXTREME_COMMANDS"].flatMap { Int($0) } ?? 1
  }

  @Test("no value of any column makes a command trap or lose a text", arguments: tables)
  func sweep(table: String) throws {
    let program = try Program()
    let directory = program.home.appending(path: "journal")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let path = directory.appending(path: "j.sqlite").path
    let sound = try Self.journal(program, path)
    var generator = SeededGenerator(
      seed: table.utf8.reduce(SeededGenerator.runSeed) { $0 &* 31 &+ UInt64($1) })
    let columns = try DatabaseQueue(path: path).read { try $0.columns(in: table).map(\.name) }
    let sample = Sample(oneIn: Self.commandsForEach > 1 ? 1 : 5, of: table)
    for (place, column) in columns.enumerated() {
      for (index, (name, value)) in Self.extremes.enumerated()
      where sample.contains(1 + place * Self.extremes.count + index) {
        try Self.put(sound, path)
        guard try Self.set(value, in: column, of: table, path) else { continue }
        let damaged = try Data(contentsOf: URL(filePath: path))
        for command in Self.commands.shuffled(using: &generator).prefix(Self.commandsForEach) {
          try Self.put(damaged, path)
          try? FileManager.default.removeItem(at: program.home.appending(path: ".local"))
          try check(program, path, command, "\(table).\(column), \(name)")
        }
      }
    }
  }

  @Test("no number of an option makes a list trap")
  func options() throws {
    let program = try Program()
    for text in ["one", "two"] { _ = try program.run(["add", text]) }
    for (offset, titles) in [("0", ["two", "one"]), ("1", ["one"]), ("\(Int.max)", [])] {
      let result = try program.run(
        ["list", "--limit", "\(Int.max)", "--offset", offset, "--format", "jsonl"])
      #expect(result.code == 0, "\(offset): \(result.errors)")
      #expect(result.output.split(separator: "\n").count == titles.count, "\(offset)")
    }
  }

  private func check(_ program: Program, _ path: String, _ command: [String], _ note: String) throws
  {
    let directory = URL(filePath: path).deletingLastPathComponent()
    let words =
      command == ["screen"]
      ? [] : command.map { $0.hasSuffix(".sqlite") ? directory.appending(path: $0).path : $0 }
    let result = try program.run(
      ["--journal", path] + words, input: command == ["screen"] ? Array(Self.keys.utf8) : [])
    let note = "\(note): \(command.joined(separator: " "))"
    #expect(result.code < 128, "\(note): \(result.errors)")
    #expect(result.code == 0 || !(result.errors + result.output).isEmpty, "\(note)")
    guard command.contains(where: { $0.hasPrefix("typed text") }), result.code != 0 else { return }
    #expect(try program.drafts().contains { $0.hasPrefix("typed text") }, "\(note)")
  }

  /// A journal with all that a journal has: edits, tags, trash, a star, an undone step.
  private static func journal(_ program: Program, _ path: String) throws -> Data {
    let texts = [
      "one bread #home #work/api", "two milk #home", "three @anna text", "four without tags",
      "five #home gone",
    ]
    let file = program.home.appending(path: "photo.jpg")
    try Data((0..<2_000).map { UInt8($0 % 251) }).write(to: file)
    let steps =
      texts.map { ["add", $0] } + [
        ["add", "--attach", file.path, "six"],
        ["edit", "2", "two edited milk #home"], ["delete", "5"], ["star", "1"], ["undo"],
      ]
    for step in steps { try #require(try program.run(["--journal", path] + step).code == 0) }
    return try Data(contentsOf: URL(filePath: path))
  }

  private static func put(_ bytes: Data, _ path: String) throws {
    let directory = URL(filePath: path).deletingLastPathComponent()
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      try FileManager.default.removeItem(at: directory.appending(path: name))
    }
    try bytes.write(to: URL(filePath: path))
    chmod(path, 0o600)
  }

  /// Sets a column in all rows, past checks and triggers.
  ///
  /// - Returns: `false` where SQLite itself cannot store the value there.
  private static func set(
    _ value: DatabaseValue, in column: String, of table: String, _ path: String
  ) throws -> Bool {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.inDatabase { db in
      // The file is the test's own: it need not survive a power cut while it is made.
      try db.execute(
        sql: """
          PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF;
          PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY; BEGIN
          """)
      let triggers = try Row.fetchAll(
        db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
      for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger["name"] as String)") }
      var isStored = true
      do {
        try db.execute(sql: "UPDATE \(table) SET \(column) = ?", arguments: [value])
      } catch is DatabaseError {
        // A key that must be unique takes it in one row.
        do {
          try db.execute(
            sql: """
              UPDATE \(table) SET \(column) = ?
              WHERE \(column) = (SELECT max(\(column)) FROM \(table))
              """, arguments: [value])
        } catch is DatabaseError {
          isStored = false
        }
      }
      for trigger in triggers { try db.execute(sql: trigger["sql"] as String) }
      try db.execute(sql: "COMMIT")
      return isStored
    }
  }
}

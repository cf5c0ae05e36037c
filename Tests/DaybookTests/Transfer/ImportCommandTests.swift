import Foundation
import Testing

/// `import` as people run it.
struct ImportCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private static let good = """
    {"text":"one #a","created":"2026-01-01T10:00:00+01:00"}
    {"text":"two","created":"2026-01-02T10:00:00+01:00","tags":["x y"],"starred":true}

    """
  private static let mixed =
    good + """
      {"text":"cut off
      {"text":"without a date"}
      {"text":"three","created":"2026-01-03T10:00:00+01:00"}

      """

  /// Writes a file into the program's home and gives its path.
  private func file(_ name: String, _ text: String) throws -> String {
    try file(name, Array(text.utf8))
  }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = program.home.appending(path: name)
    try Data(bytes).write(to: url)
    return url.path
  }

  private func texts(_ words: String...) throws -> [String] {
    let result = try program.run(["list", "--format", "jsonl", "--sort", "oldest"] + words)
    return result.output.split(separator: "\n").compactMap { line in
      line.split(separator: "\"text\":\"", maxSplits: 1).dropFirst().first.map {
        String($0.prefix { $0 != "\"" })
      }
    }
  }

  @Test("after ten invalid records the rest are counted by reason", arguments: [10, 11, 5_000])
  func wrongFile(records: Int) throws {
    let path = try file("a.jsonl", String(repeating: "{\"text\": \"x\"}\n", count: records))
    let result = try program.run(["import", path])
    #expect(result.output == "added 0, skipped 0, failed \(records)\n")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == min(records, 11), "\(lines.last ?? "")")
    let last = [
      11: "1 more record: 1 \"has no date\"", 5_000: "4,990 more records: 4,990 \"has no date\"",
    ][records]
    #expect(last == nil || lines.last == "daybook: \(path): \(last ?? "")")
  }

  @Test("good entries go in, bad ones are named with their place, and the exit code tells")
  func mixedFile() throws {
    let path = try file("a.jsonl", Self.mixed)
    let result = try program.run(["import", path])
    #expect(result.code == 65)
    #expect(result.output == "added 3, skipped 0, failed 2\n")
    #expect(
      result.errors == """
        daybook: \(path):3: entry is invalid JSON at byte 17: unterminated string; skipped (use --strict to stop)
        daybook: \(path):4: entry has no date; skipped (use --strict to stop)
        daybook: \(path): changed: 1 tag ("x y" is #x-y)

        """)
    #expect(try texts() == ["one #a", "two #x-y", "three"])
  }

  @Test("the same file twice adds nothing, also when its entries went to the trash")
  func twice() throws {
    let path = try file("a.jsonl", Self.good)
    #expect(try program.run(["import", path]).output == "added 2, skipped 0, failed 0\n")
    _ = try program.run(["delete", "1"])
    let again = try program.run(["import", path])
    #expect(again.output == "added 0, skipped 2, failed 0\n")
    #expect(again.code == 0)
    #expect(try texts() == ["two #x-y"])
    #expect(try program.run(["undo"]).output == "undid the deletion of \"one #a\"\n")
  }

  @Test("--strict takes all or nothing")
  func strict() throws {
    let path = try file("a.jsonl", Self.mixed)
    let result = try program.run(["import", "--strict", path])
    #expect(result.code == 65)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("daybook: \(path):3: entry is invalid JSON"))
    #expect(result.errors.hasSuffix("nothing was added (without --strict it is skipped)\n"))
    #expect(try texts() == [])
    let good = try file("b.jsonl", Self.good)
    #expect(try program.run(["import", "--strict", good]).code == 0)
    #expect(try texts().count == 2)
  }

  @Test("--dry-run tells what would be added and writes nothing, not even the journal")
  func dryRun() throws {
    let path = try file("a.jsonl", Self.mixed + Self.good)
    let result = try program.run(["import", "--dry-run", path])
    #expect(result.code == 65)
    #expect(
      result.output == """
        would add 5, skip 0, fail 2; a dry run, nothing was written
        from Thursday 1 January 2026 to Saturday 3 January 2026
        2026  5 entries
        2 new tags: #a 2, #x-y 2

        """)
    let data = program.home.appending(path: ".local/share/daybook")
    #expect(!FileManager.default.fileExists(atPath: data.path))
    let named = program.home.appending(path: "new.sqlite").path
    #expect(try program.run(["import", "--dry-run", path, "--journal", named]).code == 65)
    #expect(!FileManager.default.fileExists(atPath: named))
    _ = try program.run(["import", path])
    let journal = data.appending(path: "journal.sqlite")
    let before = try Data(contentsOf: journal)
    let second = try program.run(["import", "--dry-run", path])
    #expect(second.output == "would add 0, skip 5, fail 2; a dry run, nothing was written\n")
    #expect(try Data(contentsOf: journal) == before)
  }

  @Test("an import is one step to undo and to redo")
  func undo() throws {
    _ = try program.run(["import", try file("a.jsonl", Self.good)])
    #expect(try program.run(["undo"]).output == "undid the import of 2 entries\n")
    #expect(try texts() == [])
    #expect(try program.run(["redo"]).output == "redid the import of 2 entries\n")
    #expect(try texts().count == 2)
  }

  @Test("standard input is a file like any other")
  func standardInput() throws {
    let result = try program.run(["import", "-"], input: Array(Self.mixed.utf8))
    #expect(result.output == "added 3, skipped 0, failed 2\n")
    #expect(result.errors.hasPrefix("daybook: standard input:3: entry is invalid JSON"))
    let piped = try program.shell(
      "printf '[{\"text\":\"p\",\"created\":\"2026-01-01T10:00Z\"}]' | daybook import -")
    #expect(piped.output == "added 1, skipped 0, failed 0\n")
    let empty = try program.run(["import", "-"])
    #expect(empty.output == "added 0, skipped 0, failed 0\n")
    #expect(empty.code == 0)
  }

  @Test("a long pipe is read to its end")
  func longPipe() throws {
    let result = try program.shell(
      """
      yes '{"text":"again and again and again and again and again","created":"2026-01-01T10:00:00Z"}' \
        | head -n 120000 | daybook import --dry-run -
      """)
    #expect(result.output.hasPrefix("would add 120000, skip 0, fail 0; a dry run, nothing"))
  }

  @Test("what cannot be imported is said with the right exit code")
  func refusals() throws {
    let missing = try program.run(["import", "nowhere.json"])
    #expect(missing.code == 66)
    #expect(missing.errors == "daybook: nowhere.json: No such file or directory\n")
    let words = try file("diary", "Dear diary\n")
    let unknown = try program.run(["import", words])
    #expect(unknown.code == 65)
    #expect(
      unknown.errors.hasPrefix(
        "daybook: \(words): unknown format; name the format with --from"))
    let foreign = try file("diary.pdf", "%PDF-1.7")
    #expect(
      try program.run(["import", foreign]).errors == """
        daybook: \(foreign): is a PDF, which is not read; daybook import --formats \
        lists what is

        """)
    #expect(try program.run(["import"]).code == 64)
    #expect(try program.run(["import", words, "--from", "word"]).code == 64)
    #expect(try program.run(["import", words, "--read-only"]).code != 0)
    let newer = try file("newer.json", "{\"format\":\"daybook\",\"version\":2,\"entries\":[]}")
    let refused = try program.run(["import", newer])
    #expect(refused.code == 65)
    #expect(refused.errors.contains("made by a newer daybook (version 2"))
    let directory = try program.run(["import", program.home.path])
    #expect(directory.code == 65)
  }

  @Test("a file that breaks off gives what stands before it, and says so")
  func truncated() throws {
    let path = try file(
      "a.json",
      "{\"entries\":[\n{\"text\":\"one\",\"created\":\"2026-01-01T10:00Z\"},\n{\"text\":\"t")
    let result = try program.run(["import", path])
    #expect(result.code == 65)
    #expect(result.output == "added 1, skipped 0, failed 1\n")
    #expect(
      result.errors
        == "daybook: \(path):3: the file ends inside the value that begins here; only the entries before it were imported\n"
    )
    let strict = try program.run([
      "import", "--strict", path, "--journal", program.home.appending(path: "s.sqlite").path,
    ])
    #expect(strict.code == 65)
    #expect(strict.output == "")
  }

  @Test("invalid UTF-8 spoils its entry; --lossy takes it")
  func lossy() throws {
    let line =
      Array("{\"text\":\"a".utf8) + [0xFF] + Array("b\",\"created\":\"2026-01-01T10:00Z\"}\n".utf8)
    let path = try file("a.jsonl", line + Array(Self.good.utf8))
    let result = try program.run(["import", path])
    #expect(result.output == "added 2, skipped 0, failed 1\n")
    #expect(
      result.errors.contains(
        ":1: entry is invalid JSON at byte 11: invalid UTF-8 (--lossy replaces it with U+FFFD);"
          + " skipped"))
    #expect(
      try program.run(["import", "--lossy", path]).output == "added 1, skipped 2, failed 0\n")
    #expect(try texts() == ["one #a", "a\u{FFFD}b", "two #x-y"])
  }

  @Test("a journal can be imported, with its trash, but not into itself")
  func journals() throws {
    let first = program.home.appending(path: "first.sqlite").path
    let second = program.home.appending(path: "second.sqlite").path
    _ = try program.run(["import", try file("a.jsonl", Self.good), "--journal", first])
    _ = try program.run(["delete", "2", "--journal", first])
    let result = try program.run(["import", first, "--journal", second])
    #expect(result.output == "added 2, skipped 0, failed 0\n")
    #expect(try texts("is:deleted", "--journal", second) == ["two #x-y"])
    let itself = try program.run(["import", first, "--journal", first])
    #expect(itself.code == 64)
    #expect(itself.errors == "daybook: \(first): is the journal itself; name another file\n")
    let json = program.home.appending(path: "third.json").path
    _ = try program.run(["import", first, "--journal", json])
    let fourth = program.home.appending(path: "fourth.sqlite").path
    #expect(
      try program.run(["import", json, "--journal", fourth]).output
        == "added 2, skipped 0, failed 0\n")
  }

  @Test("tui-journal's database can be imported, whichever way its dates are stored")
  func tuiJournal() throws {
    let path = program.home.appending(path: "entries.db").path
    let made = try program.shell(
      """
      sqlite3 \(path) "CREATE TABLE entries (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL,
        date DATE NOT NULL, content TEXT, priority INTEGER DEFAULT NULL, folder TEXT DEFAULT '');
      CREATE TABLE tags (entry_id INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (entry_id, tag));
      INSERT INTO entries VALUES (1, 'One', '2024-03-04T00:00:00+00:00', 'Body', 3, 'work'),
        (2, 'Two', 1709596800, NULL, NULL, ''), (3, 'Three', 2460375.5, '', NULL, NULL),
        (4, 'Four', 'never', '', NULL, '');
      INSERT INTO tags VALUES (1, 'hard, work'), (1, 'rust')"
      sha256sum \(path); daybook import \(path); sha256sum \(path)
      """)
    let lines = made.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1] == "added 3, skipped 0, failed 1")
    #expect(lines.first == lines.last)
    #expect(made.errors.hasPrefix("daybook: \(path):entry 4: there is no date never"))
    #expect(made.errors.contains("daybook: \(path): made: 1 folder field\n"))
    #expect(
      try program.run(["list", "--format", "csv", "--sort", "oldest"]).output.contains(
        "2024-03-04,One,"))
    let days = try program.run(["list", "--sort", "oldest"]).output
    #expect(days.contains("Tuesday 5 March 2024") && days.contains("Wednesday 6 March 2024"))
    let other = program.home.appending(path: "other.db").path
    let foreign = try program.shell(
      "sqlite3 \(other) 'CREATE TABLE x (a)'; daybook import \(other)")
    #expect(foreign.code == 78)
  }

  @Test("an import waits for another program's commit and loses nothing of either")
  func meanwhile() throws {
    _ = try program.run(["add", "first"])
    let lines = (1...400).map { "{\"text\":\"line \($0)\",\"created\":\"2026-01-01T10:00:00Z\"}" }
    let path = try file("a.jsonl", lines.joined(separator: "\n"))
    let result = try program.shell(
      """
      for i in 1 2 3 4 5 6 7 8; do daybook add "meanwhile $i" >/dev/null || echo failed; done &
      daybook import \(path); wait
      """)
    #expect(result.output == "added 400, skipped 0, failed 0\n")
    #expect(result.errors == "")
    #expect(try texts().count == 409)
  }

  @Test("^C takes everything back and says so", .timeLimit(.minutes(2)))
  func interrupted() throws {
    // So many that no machine adds them before the signal arrives.
    let path = program.home.appending(path: "a.jsonl").path
    let line = #"{"text":"line &","created":"2026-01-01T10:00:00Z"}"#
    _ = try program.shell("seq 1000000 | sed 's/.*/\(line)/' >\(path)")
    _ = try program.run(["add", "first"])
    let journal = program.home.appending(path: ".local/share/daybook/journal.sqlite").path
    let result = try program.shell(
      """
      set -m; daybook import \(path) & pid=$!
      while [ ! -s \(journal)-journal ]; do kill -0 $pid || exit 1; done
      kill -INT $(pgrep -P $pid daybook || echo $pid); wait $pid; echo $?
      """)
    #expect(result.output == "130\n")
    // The shell reports its job afterwards.
    #expect(result.errors.hasPrefix("daybook: interrupted; nothing was added\n"))
    #expect(try texts() == ["first"])
  }

  @Test("links in a directory are followed, in circles once; what leads nowhere is passed over")
  func links() throws {
    let manager = FileManager.default
    let directory = program.home.appending(path: "notes")
    let other = program.home.appending(path: "other")
    for item in [directory, other] {
      try manager.createDirectory(at: item, withIntermediateDirectories: true)
    }
    try Data("a".utf8).write(to: directory.appending(path: "2024-01-01.md"))
    try Data("b".utf8).write(to: other.appending(path: "2024-01-02.md"))
    for (name, target) in [
      ("sub", other), ("circle", directory), ("gone", other.appending(path: "x")),
    ] {
      try manager.createSymbolicLink(
        at: directory.appending(path: name), withDestinationURL: target)
    }
    #expect(
      try program.run(["import", directory.path]).output == "added 2, skipped 0, failed 0\n")
  }
}

import Foundation
import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// Commands of the shell, run in this process for the screen.
struct CommandRunnerTests {
  /// A command line for the screen, and a part of the news it ends with.
  private static let lines: [(line: String, news: String)] = [
    ("add --star three #new", "added entry 4"), ("list --sort title", "one #home"),
    ("show --format json", "\"number\":2"), ("edit 1 other", "saved entry 1"),
    ("delete 1 2", "deleted 2 entries"), ("restore --where gone", "restored 1 entry"),
    ("list --at today --sort title", "one #home"), ("list --at 2001", "the change log begins"),
    ("star", "starred 1 entry"), ("unstar 2", "unstarred 1 entry"),
    ("tag --tag work", "tagged 1 entry"), ("untag 1 --tag home", "untagged 1 entry"),
    ("redate --date 2020-02-03", "moved 1 entry to 2020-02-03"),
    ("undo", "undid "), ("redo", "nothing to redo"), ("changes", "command  starred \"two\""),
    ("undo 99", "no change has the number 99"), ("history --diff", "+ two"),
    ("history 1", "one #home"), ("tags", "1 #home"),
    ("links", "0 broken links"), ("links --complete two", "two"),
    ("fields --format json", "[]"), ("remind", "no [remind] at"), ("random --daily two", "two"),
    ("tags --rename home house", "renamed the tag in 1 entry"), ("stats --year 2026", "2026"),
    ("sync --status", "not linked"), ("seal --read-only", "cannot be combined"),
    ("unseal", "not sealed"), ("passphrase", "not sealed"),
    ("lock", "not sealed"), ("unlock", "not sealed"),
    ("purge --yes", "removed 1 entry for good"),
    ("import FOLDER/in.jsonl", "would add 1, skip 0, fail 0; Enter"),
    ("import --yes FOLDER/in.jsonl", "added 1, skipped 0"),
    ("import /dev/ptmx", "is a device"),
    ("export -o FOLDER/out.md", "exported 2 entries to"),
    ("export -o FOLDER/two.md --id -", "entry"), ("export --format csv", "starred,deleted"),
    ("backup FOLDER/copy.KIND", "copied the journal to"), ("doctor", "sound: 2 entries"),
    ("files", "no files"), ("file", "entry 2 has no files"), ("attach /nowhere", "No such file"),
    ("attach 1 /nowhere", "No such file"),
    ("config path", "config.toml"), ("tag --help", "USAGE: daybook tag"),
  ]

  /// A journal of a kind with two entries, the second of which is starred, and one in the trash.
  private func store(_ kind: String, in directory: String) throws -> any EntryStore {
    let path = kind == "memory" ? ":memory:" : "\(directory)/journal.\(kind)"
    let store = try JournalLocation(path: path, isExplicit: true).open(
      mode: .create, clock: .fixed(seconds: ScriptedScreen.now, offset: 3_600))
    let clock = store.clock
    for text in ["one #home", "two", "gone"] {
      let created = clock.moment()
      _ = try store.add([
        NewEntry(text: text, created: created, day: DayRule().day(of: created))
      ])
    }
    _ = try store.setStarred(true, [2])
    _ = try store.delete([3])
    return store
  }

  private func inDirectory(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.path + "/commands-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let record = "{\"text\":\"new\",\"created\":\"2024-01-01\"}\n"
    try Data(record.utf8).write(to: URL(fileURLWithPath: directory + "/in.jsonl"))
    try body(directory)
  }

  @Test(
    "every command of the catalog runs on the screen, over every kind of journal",
    arguments: ["sqlite", "json", "memory"])
  func everyCommand(kind: String) throws {
    try inDirectory { directory in
      let rig = try RunnerRig()
      for (line, news) in Self.lines {
        let store = try store(kind, in: (directory + "/\(UUID().uuidString)").makeDirectory())
        // Only an entry that is not starred yet can be starred.
        if line == "star" { _ = try store.setStarred(false, [2]) }
        let ending = kind == "memory" ? "sqlite" : kind
        let words = line.replacing("FOLDER", with: directory).replacing("KIND", with: ending)
          .split(separator: " ").map(String.init)
        let outcome = CommandRunner.outcome(
          of: words, over: store, Settings(),
          selection: CommandContext.Selection(numbers: { [2] }, isMarked: false),
          observer: rig.work)
        #expect(outcome.lines.allSatisfy { !$0.contains { $0.isNewline } }, "\(line)")
        let all = outcome.lines + [outcome.news, outcome.failure?.message].compactMap(\.self)
        #expect(
          news.isEmpty ? all.isEmpty : all.contains { $0.contains(news) },
          "\(kind) \(line): \(all.joined(separator: "; "))")
        try? FileManager.default.removeItem(atPath: directory + "/copy.\(ending)")
        for file in ["out.md", "two.md"] {
          try? FileManager.default.removeItem(atPath: directory + "/" + file)
        }
      }
    }
    let tried = Set(Self.lines.map { $0.line.prefix { $0 != " " } }.map(String.init))
    let onScreen = Daybook.commandTypes.filter { $0 is any JournalCommand.Type }
      .compactMap { $0.configuration.commandName }
    #expect(Set(onScreen).subtracting(tried) == [])
    #expect(Set(onScreen).isSubset(of: CommandCatalog.ofProgram.names))
  }

  @Test("a command for the shell alone says so, and nothing runs as a process of its own")
  func shellOnly() throws {
    let rig = try RunnerRig()
    let others = Daybook.commandTypes.filter { !($0 is any JournalCommand.Type) }
    let names = try others.map { try #require($0.configuration.commandName) }
    #expect(Set(names) == Daybook.shellOnly)
    for name in names {
      let outcome = CommandRunner.outcome(
        of: [name], over: rig.journal.store, Settings(), observer: rig.work)
      #expect(outcome.failure?.message.contains("command for the shell") == true, "\(name)")
    }
  }

  @Test("a long output ends after 4 MiB, and its last line says so")
  func longOutput() throws {
    let line = String(repeating: "word ", count: 20)
    let text = Array(repeating: line, count: 20_000).joined(separator: "\n")
    let rig = try RunnerRig([text, text, text])
    let outcome = CommandRunner.outcome(
      of: ["list", "--format", "markdown"], over: rig.journal.store, Settings(), observer: rig.work)
    #expect(outcome.failure == nil)
    #expect(outcome.lines.last == "(the first 4 MiB; export writes all)")
    #expect(outcome.lines.dropLast().suffix(9).allSatisfy { $0 == outcome.lines[20] })
    #expect((40_000..<42_000).contains(outcome.lines.count))
  }

  @Test("the help of every command fits the width of the screen", arguments: [40, 80])
  func help(columns: Int) throws {
    let rig = try RunnerRig()
    for type in Daybook.commandTypes where type is any JournalCommand.Type {
      let name = try #require(type.configuration.commandName)
      let outcome = CommandRunner.outcome(
        of: [name, "--help"], over: rig.journal.store, Settings(), columns: columns,
        observer: rig.work)
      #expect(outcome.failure == nil && outcome.lines.count > 5, "\(name)")
      for line in outcome.lines where line.split(separator: " ").count > 1 {
        #expect(line.count <= columns, "\(name): \(line)")
      }
    }
  }

  @Test("a line that names another journal, or forbids writing, changes nothing")
  func otherJournal() throws {
    let rig = try RunnerRig(["one"])
    _ = try rig.journal.store.delete([1])
    for line in [
      "purge --yes --journal /tmp/other.sqlite", "purge --yes --journal=/tmp/other.sqlite",
      "restore 1 --journal /tmp/other.sqlite", "purge --yes --read-only", "restore 1 --read-only",
      "add --read-only two", "edit 1 --read-only two", "undo --read-only",
    ] {
      let outcome = CommandRunner.outcome(
        of: line.split(separator: " ").map(String.init), over: rig.journal.store, Settings(),
        observer: rig.work)
      #expect(outcome.failure != nil, "\(line)")
      #expect(try rig.texts() == ["(one)"], "\(line)")
    }
  }

  @Test("what cannot be undone asks first, and runs again with --yes")
  func questions() throws {
    let rig = try RunnerRig(["one", "two"])
    _ = try rig.journal.store.delete([1])
    let runner = CommandRunner(rig.journal, work: rig.work) { rig.send($0) }
    try runner.run(.run(["purge"], on: nil), in: rig.state)
    let question = try #require(rig.state.questions.question)
    #expect(question.text == "Remove 1 entry for good? This cannot be undone. y/N")
    guard case .command(let again) = question.effect, case .run(let words, nil) = again else {
      Issue.record("\(question.effect)")
      return
    }
    #expect(words.starts(with: ["purge", "--yes", "--confirmed"]))
    #expect(try rig.texts() == ["(one)", "two"])
    // Another entry in the trash was not in the question.
    _ = try rig.journal.store.delete([2])
    rig.state.questions.question = nil
    try runner.run(again, in: rig.state)
    #expect(
      rig.state.status?.text
        == "the trash has changed; nothing removed; run purge again")
    #expect(try rig.texts() == ["(one)", "(two)"])
    _ = try rig.journal.store.restore([2])
    try runner.run(again, in: rig.state)
    #expect(rig.state.status?.text == "removed 1 entry for good")
    #expect(try rig.texts() == ["two"])
  }

  @Test("a command that names no entry gets the selected or marked ones, an export the marked ones")
  func selection() throws {
    let rig = try RunnerRig(["one", "two", "three"])
    let runner = CommandRunner(rig.journal, work: rig.work) { rig.send($0) }
    try runner.run(.run(["tag", "--tag", "x"], on: .entries([1, 3])), in: rig.state)
    #expect(try rig.texts() == ["one #x", "two", "three #x"])
    try runner.run(.run(["tag", "2", "--tag", "y"], on: .entries([1, 3])), in: rig.state)
    #expect(try rig.texts() == ["one #x", "two #y", "three #x"])
    try FileManager.default.createDirectory(
      atPath: rig.directory, withIntermediateDirectories: true)
    for (marks, count) in [(Set<Int64>(), 3), ([1, 3], 2)] {
      rig.state.marks.numbers = marks
      let words = ["export", "-o", "\(rig.directory)/\(count).json"]
      try runner.run(.run(words, on: .entries([1, 3])), in: rig.state)
      #expect(rig.state.status?.text.hasPrefix("exported \(count) entries") == true)
    }
    try runner.run(.run(["tag", "--tag", "x"], on: nil), in: rig.state)
    #expect(rig.state.status?.text == "no entry selected; give a number")
  }

  @Test("^C cancels a command, and nothing was changed")
  func cancelling() throws {
    let rig = try RunnerRig((1...200).map { "entry \($0)" })
    rig.type([3])
    let runner = CommandRunner(rig.journal, work: rig.work) { rig.send($0) }
    try runner.run(
      .run(["star", "--where", "entry"], on: nil), in: rig.state)
    #expect(rig.state.status?.text.hasSuffix("was cancelled; nothing was changed") == true)
    #expect(try rig.journal.store.numbers(matching: .flag(.starred)).isEmpty)
  }
}

extension String {
  /// The path, after its directory is made.
  fileprivate func makeDirectory() throws -> String {
    try FileManager.default.createDirectory(atPath: self, withIntermediateDirectories: true)
    return self
  }
}

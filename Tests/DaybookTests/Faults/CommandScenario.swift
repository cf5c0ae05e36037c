import Foundation
import Journal
import JournalStore
import Testing

/// A command that changes files, on a directory that was prepared for it: what faults are tried on.
///
/// A command has two outcomes, all of it or nothing: ``Outcome`` tells which.
struct CommandScenario: CustomTestStringConvertible, Sendable {
  var name: String
  /// `sqlite`, `json`, or `sealed` for a sealed SQLite journal.
  var kind: String
  /// What happens in the directory before.
  var prepare: @Sendable (Setup) throws -> Void
  /// The arguments of the command, for a directory.
  var arguments: @Sendable (String) -> [String]

  var testDescription: String { "\(name), \(kind)" }
  var journalName: String { kind == "json" ? "j.json" : "j.sqlite" }

  func journal(in directory: String) -> String { "\(directory)/\(journalName)" }

  /// What a scenario is prepared with.
  struct Setup {
    let program: Program
    let directory: String
    let journal: String

    /// Runs a command that must succeed.
    func run(_ words: String...) throws {
      let result = try program.run(["--journal", journal] + words)
      try #require(result.code == 0, "\(words): \(result.errors)")
    }
  }

  // MARK: The scenarios

  /// Every command that changes a journal or makes a file of one.
  static let all =
    kinds.flatMap { kind in changes(kind) + copies(kind) } + upgrades
    + [renewal]

  private static let kinds = ["sqlite", "json", "sealed"]

  /// A journal with three entries, of which one is in the trash.
  private static func fill(_ setup: Setup, _ kind: String) throws {
    if kind == "sealed" { try SealedProgram.make(setup.journal, setup.program) }
    for text in ["first #a", "second #b", "third #a"] { try setup.run("add", text) }
    try setup.run("delete", "2")
    if kind == "sealed" { try SealedProgram.register(setup.journal) }
  }

  private static func changes(_ kind: String) -> [CommandScenario] {
    let lines = (1...20).map { #"{"text":"imported \#($0)","created":"2026-01-02T03:04:05Z"}"# }
      .joined(separator: "\n")
    let commands: [(name: String, before: [[String]], words: [String])] = [
      ("add", [], ["add", "new text"]),
      ("edit", [], ["edit", "1", "edited text"]),
      ("delete", [], ["delete", "1", "3"]),
      ("star", [], ["star", "--where", "#a"]),
      ("import", [], ["import", "DIRECTORY/lines.jsonl"]),
      ("undo", [["star", "--where", "#a"]], ["undo"]),
      ("redo", [["star", "--where", "#a"], ["undo"]], ["redo"]),
      ("purge", [], ["purge", "--yes"]),
    ]
    let files: [(name: String, before: [[String]], words: [String])] = [
      ("attach", [], ["attach", "1", "DIRECTORY/photo.jpg"]),
      (
        "add --attach", [],
        ["add", "--attach", "DIRECTORY/photo.jpg", "--attach", "DIRECTORY/lines.jsonl", "new text"]
      ),
      (
        "purge of files", [["attach", "1", "DIRECTORY/photo.jpg"], ["delete", "1"]],
        ["purge", "--yes"]
      ),
    ]
    return (commands + (kind == "json" ? [] : files)).map { name, before, words in
      CommandScenario(
        name: name, kind: kind,
        prepare: { setup in
          try fill(setup, kind)
          try Data(lines.utf8).write(to: URL(filePath: "\(setup.directory)/lines.jsonl"))
          // More than one piece.
          try Data((0..<300_000).map { UInt8($0 % 251) })
            .write(to: URL(filePath: "\(setup.directory)/photo.jpg"))
          for words in before {
            _ = try setup.program.run(
              ["--journal", setup.journal]
                + words.map { $0.replacing("DIRECTORY", with: setup.directory) })
          }
        },
        arguments: { directory in words.map { $0.replacing("DIRECTORY", with: directory) } })
    }
  }

  private static func copies(_ kind: String) -> [CommandScenario] {
    let copy = kind == "json" ? "copy.json" : "copy.sqlite"
    return [
      CommandScenario(
        name: "backup", kind: kind, prepare: { try fill($0, kind) },
        arguments: { ["backup", "\($0)/\(copy)"] }),
      CommandScenario(
        name: "doctor --salvage", kind: kind, prepare: { try fill($0, kind) },
        arguments: { ["doctor", "--salvage", "\($0)/\(copy)"] }),
      CommandScenario(
        name: "backup --restore", kind: kind,
        prepare: { setup in
          try fill(setup, kind)
          try setup.run("backup", "\(setup.directory)/\(copy)")
          try setup.run("add", "since then")
        },
        arguments: { ["backup", "--restore", "\($0)/\(copy)", "--yes"] }),
    ]
  }

  /// A journal in which an earlier build found tags, links and fields: a writer finds all of them again.
  private static let renewal = CommandScenario(
    name: "renewal of tags, links and fields", kind: "sqlite",
    prepare: { setup in
      try fill(setup, "sqlite")
      try setup.run("add", "see [[first #a]]\nmood:: 4")
      let older = """
        UPDATE search_state SET folding = \(Folding.version);
        DELETE FROM entry_link; DELETE FROM entry_field; DELETE FROM entry_file;
        UPDATE entry SET tags = 'none' WHERE number = 1; DELETE FROM entry_tag WHERE number = 1;
        INSERT INTO entry_tag (live, tag, day, created, number, typed)
          SELECT 1, 'none', day, created, number, 'none' FROM entry WHERE number = 1
        """
      let result = try setup.program.shell("sqlite3 '\(setup.journal)' \"\(older)\"")
      try #require(result.code == 0, "\(result.errors)")
    },
    arguments: { _ in ["add", "new text"] })

  /// The upgrade of each older schema, which the first command that writes makes.
  private static let upgrades = (1...7).map { version in
    CommandScenario(
      name: "upgrade of schema \(version)", kind: "sqlite",
      prepare: { setup in
        let fixture = Repository.root.appending(
          path: "Tests/JournalStoreTests/Fixtures/schema-\(version).sqlite")
        try Data(contentsOf: fixture).write(to: URL(filePath: setup.journal))
      },
      arguments: { _ in ["add", "new text"] })
  }
}

// MARK: - Outcomes

extension CommandScenario {
  /// The journals in a directory, each with its entries, also those in the trash.
  struct Outcome: Equatable, CustomStringConvertible {
    /// By file name; a line for each entry, in order.
    var entries: [String: [String]] = [:]

    var description: String { entries.sorted { $0.key < $1.key }.map { "\($0)" }.joined() }
  }

  /// The state of a directory after a fault, and whether its journals are sound.
  ///
  /// - Throws: the error of a journal that does not open.
  func outcome(in directory: String) throws -> Outcome {
    var outcome = Outcome()
    for name in ["j.sqlite", "j.json", "copy.sqlite", "copy.json"] {
      let path = "\(directory)/\(name)"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let store = try StoredJournal.open(path)
      #expect(try store.check() == [], "\(testDescription): \(name)")
      let numbers = try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted))
      outcome.entries[name] = try store.entries(numbers).map { entry in
        // A text whose file is not there is neither outcome.
        let missing = try store.attachments(of: entry).filter { $0.file == nil }.count
        return "\(entry.text)\(entry.starred ? " *" : "")\(entry.deleted == nil ? "" : " (trash)")"
          + (missing == 0 ? "" : " (\(missing) missing)")
      }.sorted()
    }
    return outcome
  }

  /// A scenario with its directory prepared, and its outcomes without a fault.
  final class Stage {
    let scenario: CommandScenario
    let program: Program
    /// The prepared directory.
    let master: String
    /// The directory of a trial.
    let work: String
    private(set) var before = Outcome()
    private(set) var after = Outcome()

    init(_ scenario: CommandScenario) throws {
      self.scenario = scenario
      program = try Program()
      (master, work) = (program.home.path + "/master", program.home.path + "/work")
      try FileManager.default.createDirectory(atPath: master, withIntermediateDirectories: true)
      try scenario.prepare(
        Setup(program: program, directory: master, journal: scenario.journal(in: master)))
      try reset()
      before = try scenario.outcome(in: work)
      try reset()
      let result = try run()
      try #require(result.code == 0, "\(scenario.testDescription): \(result.errors)")
      after = try scenario.outcome(in: work)
    }

    /// Makes the trial's directory anew.
    func reset() throws {
      try? FileManager.default.removeItem(atPath: work)
      try FileManager.default.copyItem(atPath: master, toPath: work)
    }

    /// Runs the command in the trial's directory.
    func run(_ extra: [String: String] = [:]) throws -> Program.Result {
      try program.run(
        ["--journal", scenario.journal(in: work)] + scenario.arguments(work), extra: extra)
    }

    /// Whether a file has the entries from before or after the command; a copy may also be missing.
    func allows(_ found: Outcome) -> Bool {
      guard found.entries[scenario.journalName] != nil else { return false }
      return found.entries.allSatisfy { name, entries in
        entries == before.entries[name] || entries == after.entries[name]
      } && before.entries.keys.allSatisfy { found.entries[$0] != nil }
    }
  }
}

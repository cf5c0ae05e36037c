import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

/// Commands on one journal, one after the other, each killed at a random moment: what a command said is
/// so, and what it did not say is done whole or not at all.
///
/// `COMMAND_KILLS=1000` is the number of kills.
@Suite(.waiting)
struct RandomKillTests {
  private static var kills: Int {
    ProcessInfo.processInfo.environment["COMMAND_KILLS"].flatMap(Int.init) ?? 30
  }

  /// The entries outside and inside the trash, by number.
  private typealias State = [Int64: Line]

  private struct Line: Equatable {
    var text: String
    var isStarred = false
    var isDeleted = false
  }

  /// A command, and what it does to a state.
  private struct Step {
    var words: [String]
    var input = ""
    var after: State
  }

  @Test("random kills lose nothing", arguments: ["sqlite", "json", "sealed"])
  func kills(kind: String) throws {
    let program = try Program()
    let journal = program.home.path + (kind == "json" ? "/j.json" : "/j.sqlite")
    if kind == "sealed" {
      try SealedProgram.make(journal, program)
      try SealedProgram.register(journal)
    } else {
      try StoredJournal.add(["begin"], to: journal)
    }
    var random = SeededGenerator(seed: 23)
    var history = [try state(of: journal)]
    var (killed, ended) = (0, 0)
    // About half of the commands end before they are killed, however fast the machine is now: most of
    // the kills come late, when a command writes, and the others have something to lose.
    var span = 40.0
    for round in 0..<max(Self.kills * 20, 200) where killed < Self.kills {
      let step = Self.step(round, history, &random)
      let delay = Int.random(in: Int(span / 2)...Int(span), using: &random)
      let code = try run(program, journal, step, after: delay)
      span = min(max(span * (code == 137 ? 1.2 : 1 / 1.2), 4), 999)
      let before = try #require(history.last)
      let found = try state(of: journal)
      let note = "round \(round), \(step.words), code \(code)"
      if code == 137 { killed += 1 } else { ended += 1 }
      if code == 0 || code == 1 {
        #expect(Self.isSame(found, step.after, before), "\(note): \(found)")
      } else {
        try #require(code == 137, "\(note)")
        #expect(found == before || Self.isSame(found, step.after, before), "\(note): \(found)")
      }
      if found != before {
        history = step.words == ["undo"] ? history.dropLast() : history + [found]
      }
      if step.words.first == "purge" { history = [found] }
    }
    #expect(killed >= Self.kills, "too few commands were killed")
    #expect(ended >= Self.kills / 4, "too few commands came to an end")
  }

  /// A new entry's number may have been used by a killed command, and is not used again.
  private static func isSame(_ found: State, _ wanted: State, _ before: State) -> Bool {
    func new(_ state: State) -> [String] {
      state.filter { before[$0.key] == nil }.map(\.value.text).sorted()
    }
    let (old, wantedOld) = (
      found.filter { before[$0.key] != nil }, wanted.filter { before[$0.key] != nil }
    )
    return old == wantedOld && new(found) == new(wanted)
  }

  private static func step(
    _ round: Int, _ history: [State], _ random: inout SeededGenerator
  ) -> Step {
    let state = history[history.count - 1]
    var after = state
    let next = (state.keys.max() ?? 0) + 1
    let shown = state.filter { !$0.value.isDeleted }.keys.sorted()
    let one = shown.randomElement(using: &random)
    switch (Int.random(in: 0..<8, using: &random), one) {
    case (0, let number?):
      after[number]?.text = "edited \(round)"
      return Step(words: ["edit", "\(number)", "edited \(round)"], after: after)
    case (1, let number?):
      after[number]?.isDeleted = true
      return Step(words: ["delete", "\(number)"], after: after)
    case (2, _):
      for number in shown { after[number]?.isStarred = true }
      return Step(words: ["star", "--where", "until:2100"], after: after)
    case (3, _) where history.count > 1:
      return Step(words: ["undo"], after: history[history.count - 2])
    case (4, _):
      let texts = (0..<10).map { "imported \(round) \($0)" }
      for (place, text) in texts.enumerated() { after[next + Int64(place)] = Line(text: text) }
      let lines = texts.map { #"{"text":"\#($0)","created":"2026-01-02T03:04:05Z"}"# + "\n" }
      return Step(words: ["import", "-"], input: lines.joined(), after: after)
    case (5, _) where round.isMultiple(of: 3):
      return Step(words: ["purge", "--yes"], after: state.filter { !$0.value.isDeleted })
    default:
      after[next] = Line(text: "text \(round)")
      return Step(words: ["add", "text \(round)"], after: after)
    }
  }

  /// Runs a command that is killed after some milliseconds, unless it has ended.
  private func run(
    _ program: Program, _ journal: String, _ step: Step, after milliseconds: Int
  ) throws -> Int32 {
    let input = program.home.path + "/input"
    try Data(step.input.utf8).write(to: URL(filePath: input))
    let words = (["--journal", journal] + step.words).map { "'\($0)'" }.joined(separator: " ")
    return try program.shell(
      """
      timeout -s KILL 0.\(String(milliseconds + 1_000).dropFirst()) \(Program.binary.path) \(words) <'\(input)'
      exit $?
      """
    ).code
  }

  private func state(of journal: String) throws -> State {
    let store = try StoredJournal.open(journal)
    #expect(try store.check() == [])
    let numbers = try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted))
    let entries = try store.entries(numbers)
    return Dictionary(
      uniqueKeysWithValues: entries.map {
        (
          $0.number,
          Line(text: $0.text, isStarred: $0.starred, isDeleted: $0.deleted != nil)
        )
      })
  }
}

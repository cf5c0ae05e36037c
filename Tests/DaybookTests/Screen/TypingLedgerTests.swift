import Foundation
import Journal
import JournalStore
import Screen
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import daybook

/// Every character that was ever typed is in an entry, in a version of one, or in a draft, unless a key
/// deleted it that is there to delete.
///
/// Random typing, pasting, recalling, moving, cancelling and committing, with editors and kills in
/// between, and another program that changes the same entries. Each typed character is typed once only, so
/// that the ledger can tell where it is. `TYPING_LEDGERS` is the number of histories of each kind.
@Suite(.readline)
struct TypingLedgerTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["TYPING_LEDGERS"].flatMap(Int.init) ?? 3

  @Test("no typed character is lost", arguments: ScriptedScreen.Arrival.allCases, [true, false])
  func ledger(_ arrival: ScriptedScreen.Arrival, _ keepsPrompt: Bool) throws {
    for round in 0..<Self.rounds {
      let seed = SeededGenerator.runSeed &* 1_000 &+ UInt64(round)
      let world = try LedgerWorld(seed: seed, arrival, keepsPrompt: keepsPrompt)
      for _ in 0..<8 { try world.session() }
      let lost = try world.lost()
      #expect(
        lost.isEmpty,
        """
        seed \(seed): lost \(lost.sorted().joined()), \(arrival), staying prompt: \
        \(keepsPrompt)
        \(world.log.joined(separator: "\n"))
        """)
      if !lost.isEmpty { return }
    }
  }
}

/// A journal and its drafts, which outlive the sessions with them, and what was typed.
private final class LedgerWorld {
  private let store: SQLiteEntryStore
  private let drafts: DraftStore
  private let directory: String
  private let arrival: ScriptedScreen.Arrival
  private let keepsPrompt: Bool
  private var random: SeededGenerator
  private var typed: Set<String> = []
  private var deleted: Set<String> = []
  /// The keys of all sessions.
  private(set) var log: [String] = []

  init(seed: UInt64, _ arrival: ScriptedScreen.Arrival, keepsPrompt: Bool) throws {
    (self.arrival, self.keepsPrompt) = (arrival, keepsPrompt)
    random = SeededGenerator(seed: seed)
    store = try SQLiteEntryStore(clock: .fixed(seconds: ScriptedScreen.now, offset: 3_600))
    directory = FileManager.default.temporaryDirectory.path + "/ledger-\(UUID().uuidString)"
    drafts = DraftStore(directory: directory) { DraftName.make() }
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// One run of the program, from its start to a kill or its end.
  func session() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, store: store, drafts: drafts, keepsPrompt: keepsPrompt,
      editor: ["true", "false", "rm", "/nonexistent/editor", "echo >"].randomElement(using: &random)
        ?? "true")
    log.append("--- \(screen.runner.state.settings.editor ?? "")")
    for _ in 0..<40 {
      guard screen.runner.exitCode == nil else { break }
      try step(screen)
    }
    if random.chance(percent: 50) {
      // A pause, after which nothing may be lost; then the process is killed.
      for _ in 0..<2 {
        screen.runner.session?.prompts.keepWaitingDraft(in: screen.runner.state)
      }
      log.append("--- killed")
    } else {
      screen.runner.send(.terminal(.signalled(15)))
      log.append("--- ended")
    }
  }

  private func step(_ screen: ScriptedScreen) throws {
    if random.chance(percent: 12) { return try changeElsewhere() }
    if screen.runner.state.questions.conflict != nil {
      return try press(Self.deciding.randomElement(using: &random) ?? "<Esc>", screen)
    }
    guard let prompt = screen.runner.state.prompt.open else {
      // Keys of a page are no text.
      if case .menu(let menu) = screen.runner.state.pages.mode, menu.items.isEmpty {
        return try press("q", screen)
      }
      if random.chance(percent: 20), let form = Form("? one\n\n? mood::\n? three") {
        log.append("--- questions")
        return screen.runner.send(.prompt(.formFound(form)))
      }
      return try press(Self.opening.randomElement(using: &random) ?? "a", screen)
    }
    // A command or a search is no writing.
    guard prompt.kind.keepsDrafts else { return try press("<Esc>", screen) }
    switch random.below(20) {
    case 0..<6: try press((0...random.below(4)).map { _ in fresh() }.joined(), screen)
    case 6:
      let lines = (0...random.below(5)).map { _ in fresh() + " " + fresh() }
      try press("<Paste>\(lines.joined(separator: "<Enter>"))</Paste>", screen)
    case 7..<13: try press(Self.moving.randomElement(using: &random) ?? "<Up>", screen)
    case 13: try press(Self.deleting.randomElement(using: &random) ?? "<BS>", screen, deletes: true)
    case 14, 15: try press(Self.cancelling.randomElement(using: &random) ?? "<Esc>", screen)
    case 16: try press("<C-x><C-e>", screen)
    // Typing, and at once a key that leaves the text: no pause saved it.
    case 17: try press(fresh() + (Self.moving.randomElement(using: &random) ?? "<Up>"), screen)
    // The next text arrives with the Enter of this one, which may lead to a question.
    case 18 where arrival == .atOnce:
      let keys = "<Enter>a" + (0..<5).map { _ in fresh() }.joined()
      log.append("\(keys), in one read")
      try screen.read(keys)
    default: try press("<Enter>", screen)
    }
  }

  /// Another program changes an entry, perhaps the one that the screen writes.
  private func changeElsewhere() throws {
    guard let entry = try store.entries(Array(1...200)).randomElement(using: &random) else {
      return
    }
    let number = entry.number
    switch random.below(6) {
    case 0, 1:
      let text = "\(entry.text) \(fresh())"
      log.append("--- elsewhere \(number): \(text)")
      try store.edit(number, text: text)
    case 2, 3:
      let text = fresh() + fresh()
      log.append("--- elsewhere \(number): \(text)")
      try store.edit(number, text: text)
    case 4:
      log.append("--- elsewhere \(number): trash")
      try store.delete([number])
    default:
      log.append("--- elsewhere \(number): restored")
      try store.restore([number])
    }
  }

  /// The keys of the page of two texts.
  private static let deciding = ["m", "o", "b", "e", "n", "<Esc>", "j", "}", "<Enter>", "q"]
  private static let opening = [
    "a", "a", "a", "e", "e", "e", "i", ":drafts<Enter><Enter>", "j", "k", "c",
  ]
  private static let moving = [
    "<C-x>f", "<PageUp>", "<PageDown>", "<C-a>", "<C-e>", "<C-k><C-y>", "<C-u><C-y>", "<A-<>",
    "<A->>",
    "<Up>", "<Up>", "<Up><Up>", "<C-p>", "<Down>", "<Down>", "<C-n>", "<Home>", "<End>", "<Left>",
    "<Right>", "<PageUp>", "<PageDown>", "<A-lt>", "<A->>", "<C-r>", "<C-s>", "<A-Enter>", "<C-a>",
    "<C-e>", "<A-b>", "<A-f>", "<C-t>", "<C-y>", "<Tab>", "<C-z>", "<C-l>", "<C-q>",
  ]
  private static let deleting = [
    "<BS>", "<Del>", "<C-u>", "<C-k>", "<C-w>", "<A-d>", "<C-_>", "<A-r>", "<C-x><C-u>",
  ]
  /// Esc alone, and Esc and a key that arrive together.
  private static let cancelling = ["<Esc>", "<C-c>", "<A-a>", "<A-:>", "<A-j>"]

  private func press(_ keys: String, _ screen: ScriptedScreen, deletes: Bool = false) throws {
    log.append(keys)
    let before = deletes ? screen.runner.state.prompt.open?.text ?? "" : ""
    try screen.press(keys, arrival)
    if deletes {
      let after = screen.runner.state.prompt.open?.text ?? ""
      deleted.formUnion(characters(before).subtracting(characters(after)))
    }
    // An empty text that is submitted discards the draft that it was: its characters were deleted before.
  }

  /// A character that was never typed before: an ideograph, which no key means.
  private func fresh() -> String {
    let scalar = Unicode.Scalar(UInt32(0x4E00 + typed.count)) ?? "一"
    let text = String(Character(scalar))
    typed.insert(text)
    return text
  }

  private func characters(_ text: String) -> Set<String> { Set(text.map(String.init)) }

  /// What was typed and is nowhere.
  func lost() throws -> Set<String> {
    var kept = deleted
    for entry in try store.entries(Array(1...200)) {
      kept.formUnion(characters(entry.text))
      for version in try store.versions(entry.number) { kept.formUnion(characters(version.text)) }
    }
    for draft in drafts.abandoned() { kept.formUnion(characters(drafts.text(of: draft) ?? "")) }
    return typed.subtracting(kept)
  }
}

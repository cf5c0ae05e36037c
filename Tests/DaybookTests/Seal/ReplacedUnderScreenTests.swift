import Foundation
import JournalStore
import Testing

/// A journal that is sealed, unsealed or restored in another terminal while an open screen shows it.
///
/// Whatever is being typed there is in the journal that the path has afterwards, or in a draft that the
/// screen offers.
@Suite("A journal replaced under a screen", .waiting)
struct ReplacedUnderScreenTests {
  private let program: Program
  private let journal: String

  init() throws {
    program = try Program()
    journal = program.home.appending(path: "j.sqlite").path
    _ = try program.run(["--journal", journal, "add", "Bought bread"])
  }

  /// What happens in the other terminal.
  enum Event: CaseIterable {
    case seal, unseal, restore, restoreSealed
  }

  /// What the person at the screen is doing.
  enum Doing: CaseIterable {
    case nothing, typing, editing, inEditor, editingInEditor, movedToEditor, permanentPrompt
  }

  private func run(_ command: String) throws {
    let result = try program.shell(
      "DAYBOOK_PASSPHRASE_FD=3 daybook --journal '\(journal)' \(command)"
        + " 3<<<'\(SealedProgram.passphrase)' </dev/null")
    try #require(result.code == 0, "\(command): \(result.errors)")
  }

  private func prepare(_ event: Event) throws {
    try SealedProgram.configure(program)
    let isSealed = event == .unseal || event == .restoreSealed
    if isSealed { try SealedProgram.sealLightly(journal, program) }
    if event == .restore || event == .restoreSealed { try run("backup $HOME/copy.sqlite") }
  }

  private func make(_ event: Event) throws {
    switch event {
    case .seal: try run("seal")
    case .unseal: try run("unseal --yes")
    case .restore, .restoreSealed: try run("backup --restore --yes $HOME/copy.sqlite")
    }
  }

  /// Starts the screen with an editor that adds a word when it is told.
  private func start(_ doing: Doing) throws -> TerminalSession {
    try program.makeTool(
      program.home.appending(path: "editor").path,
      """
      echo editor runs
      until [ -e $HOME/go ]; do sleep 0.01; done
      printf '%s canaryedited\\n' "$(cat "$1")" >"$1"
      """)
    let option = doing == .permanentPrompt ? "--prompt" : ""
    let session = try TerminalSession(
      program,
      command: """
        sh -c 'EDITOR=$HOME/editor \(Program.binary.path) --journal \(journal) \(option); \
        echo ended with $?; cat'
        """)
    try session.wait("the list") { $0.contains("Bought bread") }
    return session
  }

  private func begin(_ doing: Doing, _ session: TerminalSession) throws {
    switch doing {
    case .nothing: break
    case .typing, .movedToEditor: try session.type("a")
    case .editing: try session.type("e")
    case .inEditor: try session.type("A")
    case .editingInEditor: try session.type("E")
    case .permanentPrompt: break
    }
    switch doing {
    case .nothing: return
    case .typing, .editing, .permanentPrompt:
      try session.type("-l", "canarytyped ")
      try session.wait("the text") { $0.contains("canarytyped") }
    case .movedToEditor:
      try session.type("-l", "canarytyped ")
      try session.type("C-x", "C-e")
      fallthrough
    case .inEditor, .editingInEditor:
      try session.wait("the editor") { $0.contains("editor runs") }
    }
  }

  /// Ends what was begun, until its words are saved.
  private func finish(_ doing: Doing, _ session: TerminalSession) throws {
    switch doing {
    case .nothing: return try session.type("s")
    case .typing, .editing, .permanentPrompt:
      try session.type("-l", "canarymore")
      try session.wait("the rest") { $0.contains("canarymore") }
      try session.type("Enter")
    case .inEditor, .editingInEditor, .movedToEditor:
      try Data().write(to: program.home.appending(path: "go"))
    }
    if doing == .movedToEditor {
      try session.wait("the text back in the prompt") { $0.contains("canaryedited") }
      try session.type("Enter")
    }
    try session.wait("the text again") { $0.contains("not saved yet") }
    try session.type("Enter")
  }

  private static let cases = Event.allCases.flatMap { event in
    Doing.allCases.map { (event, $0) }
  }

  @Test("what is being typed or edited is saved to the new file", arguments: cases)
  func saved(event: Event, doing: Doing) throws {
    try prepare(event)
    let session = try start(doing)
    try begin(doing, session)
    try make(event)
    if doing == .nothing {
      try session.wait("the new file") { $0.contains("opened again") }
    }
    try finish(doing, session)
    try session.wait("the end") {
      doing == .nothing ? $0.contains("starred") : !$0.contains("not saved yet")
    }
    let listed = try program.shell("daybook --journal '\(journal)' list")
    let words: [String] =
      switch doing {
      case .nothing: []
      case .typing, .permanentPrompt: ["canarytyped canarymore"]
      case .editing: ["Bought breadcanarytyped canarymore"]
      case .inEditor: ["canaryedited"]
      case .editingInEditor: ["Bought bread canaryedited"]
      case .movedToEditor: ["canarytyped  canaryedited"]
      }
    for word in words { #expect(listed.output.contains(word), "\(listed)") }
    #expect(try program.drafts() == [])
    let drafts = try program.shell("find $HOME -name sealed -o -name boxed")
    #expect(drafts.output == "")
  }

  @Test(
    "a prompt whose text is cut stays open, so that no key is a command", arguments: Event.allCases)
  func cut(event: Event) throws {
    try prepare(event)
    let session = try start(.typing)
    try begin(.typing, session)
    try make(event)
    try session.wait("the news") { $0.contains("keeps the text and opens") }
    try session.type("C-u")
    try session.wait("the empty prompt") { !$0.contains("canarytyped") }
    try session.type("-l", "dcanaryafter")
    try session.wait("the text") { $0.contains("dcanaryafter") }
    try session.type("Enter")
    try session.wait("the text again") { $0.contains("not saved yet") }
    try session.type("Enter")
    try session.wait("the end") { !$0.contains("not saved yet") }
    let listed = try program.shell("daybook --journal '\(journal)' list")
    #expect(listed.output.contains("dcanaryafter") && listed.output.contains("Bought bread"))
  }

  @Test(
    "a person is asked for the passphrase; who gives up has the text as a draft",
    arguments: [true, false])
  func asked(isGiven: Bool) throws {
    let session = try start(.typing)
    try begin(.typing, session)
    try run("seal")
    try SealedProgram.lock(journal)
    try session.type("Enter")
    try session.wait("the question") { $0.contains("Passphrase") }
    try expectNothingReadable()
    if isGiven {
      try session.type("-l", SealedProgram.passphrase)
      try session.type("Enter")
      try session.wait("the text again") { $0.contains("not saved yet") }
      try session.type("Enter")
      try session.wait("the entry") { $0.contains("added entry 2") }
    } else {
      try session.type("Escape")
      try session.wait("the end") { $0.contains("ended with 0") }
      try SealedProgram.configure(program)
      let again = try start(.nothing)
      try again.wait("the draft") { $0.contains("1 draft kept: press a, then Up") }
      try again.type("a", "Up", "Enter")
      try again.wait("the entry") { $0.contains("added entry 2") }
    }
    try SealedProgram.configure(program)
    let listed = try program.shell("daybook --journal '\(journal)' list")
    #expect(listed.output.contains("canarytyped"))
  }

  @Test(
    "where a readable file took a sealed journal's place, the text stays sealed, and can be recalled"
  )
  func taken() throws {
    try SealedProgram.configure(program)
    _ = try program.shell("cp \(journal) $HOME/other.sqlite")
    try SealedProgram.sealLightly(journal, program)
    let session = try start(.typing)
    try begin(.typing, session)
    _ = try program.shell("mv \(journal) $HOME/was.sqlite; cp $HOME/other.sqlite \(journal)")
    try session.type("Enter")
    try session.wait("the refusal") { $0.contains("draft kept") && $0.contains("readable now") }
    try expectNothingReadable()
    try session.type("a", "Up")
    try session.wait("the draft") { $0.contains("canarytyped") }
    // The file that the screen has open is the journal again.
    _ = try program.shell("mv $HOME/was.sqlite \(journal)")
    try session.type("Enter")
    try session.wait("the entry") { $0.contains("canarytyped") && $0.contains("1 of 2") }
    try expectNothingReadable()
  }

  /// The terminals' own files have what their screens show.
  private func expectNothingReadable() throws {
    #expect(try program.shell("grep -r --exclude='tmux*' canarytyped $HOME").output == "")
  }
}

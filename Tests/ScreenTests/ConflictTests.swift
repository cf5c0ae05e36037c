import Journal
import Screen
import Testing

/// A text that cannot be saved because its entry was changed elsewhere: the person decides.
struct ConflictTests {
  @Test(
    "the question stands until a key answers it",
    arguments: [
      ("o", EditConflict.Answer.overwrite), ("n", .addAsNew), ("<Esc>", .keepDraft),
      ("<C-c>", .keepDraft),
    ])
  func answers(_ key: String, _ answer: EditConflict.Answer) {
    let conflict = EditConflict(number: 7, fate: .changed)
    var store = TestStore([3])
    store.send(.question(.conflictFound(conflict))) {
      $0.questions.conflict = conflict
      $0.status = .failed(conflict.question)
    }
    for other in ["j", "d", "<Enter>", "5"] { store.send(.key(other)) }
    store.send(.key(key), [.change(.resolve(conflict, answer))]) {
      $0.questions.conflict = nil
      $0.status = nil
    }
  }

  private static let both = EditConflict(
    number: 7, fate: .changed, text: "Trip\nSun",
    theirs: EditConflict.Theirs(
      text: "Trip\nRain", written: Moment(seconds: 0, offset: 0), author: "by a command",
      mine: "Trip\nSun"))

  @Test(
    "of two texts of the same words each key chooses; one opens both in the prompt",
    arguments: [
      ("m", EditConflict.Answer.overwrite), ("t", .theirs), ("b", .both),
      ("e", .editBoth), ("n", .addAsNew), ("<Esc>", .keepDraft), ("q", .keepDraft),
      ("Q", .keepDraft),
    ])
  func choices(_ key: String, _ answer: EditConflict.Answer) {
    var store = TestStore([3])
    _ = update(&store.state, .question(.conflictFound(Self.both)))
    // Keys of other questions answer nothing.
    for other in ["o", "d", "r", "s", "x", "1", "<Enter>"] { store.send(.key(other)) }
    let ending: [Effect] = key == "Q" ? [.terminal(.quit(0))] : []
    store.send(.key(key), [.change(.resolve(Self.both, answer))] + ending) {
      $0.questions.conflict = nil
      $0.status = nil
    }
  }

  @Test("both texts are edited when they are saved, but for a question that comes first")
  func editing() {
    let edit = Effect.prompt(.edit(.entry(7)))
    var saved = Saved("saved entry 7")
    var store = TestStore([3])
    #expect(!update(&store.state, .journal(.saved(saved))).contains(edit))
    saved.edited = 7
    #expect(update(&store.state, .journal(.saved(saved))).contains(edit))
    saved.question = Question("change 2 links? y/N", effect: .terminal(.redraw), refusal: "no")
    #expect(!update(&store.state, .journal(.saved(saved))).contains(edit))
    #expect(store.state.questions.question == saved.question)
  }

  @Test("both texts are on the screen with who wrote them, and scroll", arguments: [120, 80, 40])
  func page(columns: Int) {
    var state = TestStore([3], columns: columns, lines: 9).state
    _ = update(&state, .question(.conflictFound(Self.both)))
    let renderer = ScreenRenderer { _ in nil }
    func lines() -> String { renderer.frame(of: state).canvas.plainText() }
    func words() -> String {
      lines().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(lines().contains("Theirs: entry 7, saved by a command"))
    #expect(lines().contains("- Rain"))
    #expect(lines().contains("m mine  t theirs  b both  e edit both"))
    for key in ["G", "G", "j"] { _ = update(&state, .key(key)) }
    #expect(lines().contains("+ Sun"))
    #expect(state.status == .failed(Self.both.question))
    // What was typed ahead is said above the choices.
    let question = state.status
    state.status = .failed("\(Self.both.question); a draft: see :drafts")
    #expect(words().contains("\(Self.both.question); a draft: see :drafts"))
    state.status = question
    // A larger screen shows the heads again.
    state.environment.size = Size(columns: 160, lines: 40)
    #expect(lines().contains("Theirs: entry 7, saved by a command"))
    for key in ["g", "k", "<C-u>"] { _ = update(&state, .key(key)) }
    #expect(state.questions.conflict == Self.both)
  }

  @Test(
    "the question says what it is about, whatever else is said, on every screen",
    arguments: [(40, 16), (40, 10), (20, 12), (80, 24), (200, 60)])
  func statement(columns: Int, lines: Int) {
    for fate in [EditConflict.Fate.changed, .deleted, .purged] {
      let news = [nil, "what you typed ahead is a draft: see :drafts"]
      for conflict in [EditConflict(number: 4, fate: fate), Self.both] {
        for news in news {
          var state = TestStore([30], columns: columns, lines: lines).state
          _ = update(&state, .question(.conflictFound(conflict)))
          if let news { _ = update(&state, .journal(.noted(news))) }
          let text = ScreenRenderer { _ in nil }.frame(of: state).canvas.plainText()
          let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
          #expect(words.contains(conflict.question), "\(text)")
          #expect(columns < 40 || words.contains(":drafts") == (news != nil), "\(text)")
          for choice in conflict.choices where columns >= 40 {
            #expect(words.contains("\(choice.keys) \(choice.word)"), "\(text)")
          }
        }
      }
    }
  }

  @Test("a message stays visible over the keys that may follow, however many lines they take")
  func messageOverKeys() {
    for (columns, lines) in [(80, 24), (40, 10)] {
      for key in ["g", "o", "'", "2"] {
        var state = TestStore([30], columns: columns, lines: lines).state
        _ = update(&state, .key(key))
        _ = update(&state, .journal(.failed("pasted text is not run as keys")))
        let text = ScreenRenderer { _ in nil }.frame(of: state).canvas.plainText()
        #expect(text.contains("pasted text is not run as keys"), "\(key): \(text)")
      }
    }
  }

  @Test("an entry that is gone for good cannot be overwritten")
  func purged() {
    let conflict = EditConflict(number: 7, fate: .purged)
    #expect(conflict.answer(to: "o") == nil)
    #expect(conflict.answer(to: "n") == .addAsNew)
    #expect(!conflict.question.contains("o "))
  }

  @Test("a signal ends the program though a question is open")
  func signal() {
    var store = TestStore([3])
    store.state.questions.conflict = EditConflict(number: 7, fate: .deleted)
    store.send(.terminal(.signalled(15)), [.terminal(.quit(143))])
  }
}

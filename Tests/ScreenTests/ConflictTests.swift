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

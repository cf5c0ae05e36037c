import JournalStore
import Screen

extension AppRunner {
  /// Whether the entry is not what it was when its editing began.
  static func isConflict(_ error: any Error) -> Bool {
    switch (error as? StoreError)?.kind {
    case .conflict, .noSuchEntry: true
    default: false
    }
  }

  /// Asks what to do with a text whose entry was changed elsewhere; a draft keeps it.
  func ask(about number: Int64, _ text: String, _ draft: Draft) {
    guard let draftStore else { return send(.failed("entry \(number) was changed meanwhile")) }
    let question = EditConflict(number: number, fate: actions.fate(of: number))
    conflict = EditorConflict(question, text: text, draft: draft, in: draftStore)
    send(.conflictFound(question))
  }

  /// Does what was answered.
  func resolve(_ answer: EditConflict.Answer) throws {
    guard let conflict else { return }
    self.conflict = nil
    do {
      switch answer {
      case .overwrite: send(.saved(try conflict.overwrite(actions)))
      case .addAsNew: send(.saved(try conflict.addAsNew(actions)))
      case .keepDraft: send(.saved(try conflict.keepDraft()))
      }
    } catch {
      throw Failure(.notDone, "\(Self.reason(error)); draft kept: see :drafts")
    }
  }
}

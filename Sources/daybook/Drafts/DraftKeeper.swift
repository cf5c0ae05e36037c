/// Knows which draft the text in the prompt belongs to.
///
/// Text typed in a prompt becomes one draft, however often it is kept. A draft brought back with Up
/// is that same draft again, and goes when its text is committed.
final class DraftKeeper {
  private let store: DraftStore
  private var purpose = Draft.Purpose.newEntry
  private var offered: [(draft: Draft, text: String)] = []
  private var own: Draft?
  private var recalled: Draft?
  private var typed = ""

  /// Makes a keeper over the user's drafts.
  init(store: DraftStore) {
    self.store = store
  }

  /// How many drafts of new entries wait to be brought back.
  var count: Int { store.abandoned().count { $0.purpose == .newEntry } }

  /// Begins a prompt.
  ///
  /// - Returns: the texts that Up brings back, oldest first.
  func begin(_ purpose: Draft.Purpose) -> [String] {
    self.purpose = purpose
    detach()
    offered = store.abandoned().filter { $0.purpose == purpose }
      .compactMap { draft in store.text(of: draft).map { (draft, $0) } }
    return offered.map(\.text)
  }

  /// Notices that the prompt shows another text, so that a draft brought back is known again.
  func notice(_ text: String) {
    if text.isEmpty {
      recalled = nil
    } else if let match = offered.last(where: { $0.text.utf8.elementsEqual(text.utf8) }) {
      recalled = match.draft
    } else if text.utf8.elementsEqual(typed.utf8) {
      recalled = nil
    }
    if recalled == nil { typed = text }
  }

  /// Keeps the text: in the draft it came from, else in the prompt's own.
  ///
  /// - Returns: the file.
  /// - Throws: ``Failure`` when the disk refuses.
  @discardableResult
  func keep(_ text: String) throws(Failure) -> String {
    if let draft = recalled ?? own {
      try store.update(draft, Array(text.utf8))
      return draft.path
    }
    let draft = try store.keep(Array(text.utf8), for: purpose)
    own = draft
    return draft.path
  }

  /// Lets go of the drafts of the last prompt: what comes now is another text.
  func detach() {
    own = nil
    recalled = nil
    typed = ""
  }

  /// Forgets the prompt's own draft and the one brought back: their text is committed.
  func committed() {
    for draft in [own, recalled].compactMap(\.self) { store.remove(draft) }
    own = nil
    recalled = nil
  }

  /// Forgets the prompt's own draft: its writer erased the text.
  func discard() {
    if let own { store.remove(own) }
    own = nil
  }
}

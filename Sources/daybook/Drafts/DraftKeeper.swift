/// Knows which draft the text in the prompt belongs to.
///
/// Text typed in a prompt becomes one draft, however often it is kept. A draft brought back with Up
/// is that same draft again, and goes when its text is committed. Writing a draft waits for the
/// disk, so a text that changes all the time is written four times a second at most.
final class DraftKeeper {
  /// The shortest time between two writes of a draft.
  static let interval = Duration.milliseconds(250)

  private let store: DraftStore
  private let now: () -> ContinuousClock.Instant
  private var purpose = Draft.Purpose.newEntry
  private var offered: [(draft: Draft, text: String)] = []
  /// Texts that could not be written.
  private var remembered: [(purpose: Draft.Purpose, text: String)] = []
  private var own: Draft?
  /// The draft that was brought back, and into which line of the prompt's history; `nil` is the
  /// prompt's own line.
  private var recalled: (draft: Draft, line: Int?)?
  /// The draft that the prompt's own line began with.
  private var opened: Draft?
  /// The draft that was brought back and whose text was erased since, and in which line.
  private var emptied: (draft: Draft, line: Int?)?
  private var typed = ""
  private var lastWrite: ContinuousClock.Instant?
  private var waiting: String?

  /// Makes a keeper over the user's drafts.
  init(store: DraftStore, now: @escaping () -> ContinuousClock.Instant = { .now }) {
    self.store = store
    self.now = now
  }

  /// How many drafts of new entries, and of edits, wait to be brought back.
  var count: (new: Int, edits: Int) { store.count() }

  /// Begins a prompt.
  ///
  /// - Returns: the texts that Up brings back, oldest first.
  func begin(_ purpose: Draft.Purpose) -> [String] {
    detach()
    self.purpose = purpose
    offered = store.abandoned().filter { $0.purpose == purpose }
      .compactMap { draft in store.text(of: draft).map { (draft, $0) } }
    return offered.map(\.text) + remembered.filter { $0.purpose == purpose }.map(\.text)
  }

  /// Notices that the prompt began with the text of a draft.
  func recall(_ draft: Draft, _ text: String) {
    opened = draft
    recalled = (draft, nil)
    offered.append((draft, text))
  }

  /// Notices that the prompt shows another text, so that a draft brought back is known again.
  ///
  /// - Parameter line: The line of the prompt's history that is shown; `nil` for its own.
  func notice(_ text: String, line: Int? = nil) {
    if text.isEmpty {
      // Erased where it was brought back; another line may be empty of itself.
      if let recalled { emptied = recalled }
      if emptied?.line != line { emptied = nil }
      recalled = nil
    } else {
      emptied = nil
      if let match = offered.last(where: { Self.areSame($0.text, text) }) {
        recalled = (match.draft, line)
      } else if let recalled, recalled.line != line {
        self.recalled = line == nil ? opened.map { ($0, nil) } : nil
      } else if recalled != nil, Self.areSame(text, typed) {
        recalled = nil
      }
    }
    if recalled == nil { typed = text }
  }

  /// Keeps the text: in the draft it came from, else in the prompt's own.
  ///
  /// - Returns: the draft.
  /// - Throws: ``Failure`` when the disk refuses.
  @discardableResult
  func keep(_ text: String) throws(Failure) -> Draft {
    waiting = nil
    lastWrite = now()
    do {
      let draft = try written(text)
      remembered.removeAll { $0.purpose == purpose && text.hasPrefix($0.text) }
      return draft
    } catch {
      remember(text)
      throw error
    }
  }

  private func written(_ text: String) throws(Failure) -> Draft {
    if let draft = recalled?.draft ?? own {
      try store.update(draft, text: text)
      return draft
    }
    let draft = try store.keep(Array(text.utf8), for: purpose)
    own = draft
    return draft
  }

  /// Keeps a text that the disk refused as long as the program runs; a longer one replaces its
  /// beginnings.
  private func remember(_ text: String) {
    remembered.removeAll { $0.purpose == purpose && text.hasPrefix($0.text) }
    remembered.append((purpose, text))
  }

  /// Keeps the text now, or later when a draft was written a moment ago.
  ///
  /// - Returns: after what time ``keepWaiting()`` is to be called; `nil` when the text is written.
  /// - Throws: ``Failure`` when the disk refuses.
  func keepSoon(_ text: String) throws(Failure) -> Duration? {
    let passed = lastWrite.map { $0.duration(to: now()) } ?? Self.interval
    if passed >= Self.interval {
      try keep(text)
      return nil
    }
    waiting = text
    return Self.interval - passed
  }

  /// Whether a text is held back, so that the time to write it must not be put off by more typing.
  var isWaiting: Bool { waiting != nil }

  /// Writes the text that ``keepSoon(_:)`` held back, if any.
  ///
  /// - Throws: ``Failure`` when the disk refuses.
  func keepWaiting() throws(Failure) {
    if let text = waiting { try keep(text) }
  }

  /// Lets go of the drafts of the last prompt: what comes now is another text.
  func detach() {
    own = nil
    recalled = nil
    opened = nil
    emptied = nil
    waiting = nil
    typed = ""
  }

  /// Forgets every draft of a text that is committed: the prompt's own, the one brought back, and
  /// those with the same text.
  func committed(_ text: String) {
    for draft in [own, recalled?.draft].compactMap(\.self) { store.remove(draft) }
    store.remove(committed: text, for: purpose)
    remembered.removeAll { $0.purpose == purpose && text.hasPrefix($0.text) }
    detach()
  }

  /// Forgets the prompt's own draft: its writer erased the text.
  func discard() {
    if let own { store.remove(own) }
    own = nil
    waiting = nil
  }

  /// Forgets the draft that was brought back and emptied.
  ///
  /// - Returns: whether there was one.
  func discardEmptied() -> Bool {
    guard let draft = emptied?.draft else { return false }
    store.remove(draft)
    detach()
    return true
  }

  /// By bytes: two texts that only look the same are two drafts.
  private static func areSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }
}

/// Assigns the text in the prompt to a draft.
///
/// Text typed in a prompt becomes one draft, however often it is saved. A draft restored with Up
/// remains the same draft, and is removed when its text is committed. Writing a draft waits for the
/// disk, so a text that changes continuously is written at most four times a second.
final class DraftKeeper {
  /// The minimum time between two writes of a draft.
  static let interval = Duration.milliseconds(250)

  /// The longest time that typing without a pause stays without a draft.
  static let longestUnsaved = Duration.seconds(1)
  /// The time of the first key that no draft has yet.
  private var unsavedSince: ContinuousClock.Instant?

  private let store: DraftStore
  private let now: () -> ContinuousClock.Instant
  private var purpose = Draft.Purpose.newEntry
  private var offered: [(draft: Draft, text: String)] = []
  /// Texts that could not be written.
  private var remembered: [(purpose: Draft.Purpose, text: String)] = []
  private var own: Draft?
  /// The restored draft, with its line in the prompt's history; `nil` is the prompt's own line.
  private var recalled: (draft: Draft, line: Int?)?
  /// The draft in the prompt's own line.
  private var opened: Draft?
  /// The restored draft whose text was erased since, with its line.
  private var emptied: (draft: Draft, line: Int?)?
  private var typed = ""
  private var lastWrite: ContinuousClock.Instant?
  private var waiting: String?

  init(store: DraftStore, now: @escaping () -> ContinuousClock.Instant = { .now }) {
    self.store = store
    self.now = now
  }

  /// The number of drafts of new entries, and of edits, that can be restored.
  var count: (new: Int, edits: Int) { store.count() }

  /// Starts a prompt.
  ///
  /// - Returns: the texts for Up, oldest first.
  func begin(_ purpose: Draft.Purpose) -> [String] {
    detach()
    self.purpose = purpose
    offered = store.abandoned().filter { $0.purpose == purpose }
      .compactMap { draft in store.text(of: draft).map { (draft, $0) } }
    return offered.map(\.text) + remembered.filter { $0.purpose == purpose }.map(\.text)
  }

  /// Records that the prompt started with the text of a draft.
  func recall(_ draft: Draft, _ text: String) {
    opened = draft
    recalled = (draft, nil)
    offered.append((draft, text))
  }

  /// Records that the prompt shows another text, and recognises a restored draft.
  ///
  /// - Parameter line: The current line of the prompt's history; `nil` for its own.
  func notice(_ text: String, line: Int? = nil) {
    if text.isEmpty {
      // Erased in its own line; another line may be empty on its own.
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

  /// Saves the text: in the draft it came from, else in the prompt's own.
  ///
  /// - Returns: the draft.
  /// - Throws: ``Failure`` when the disk fails.
  @discardableResult
  func keep(_ text: String) throws(Failure) -> Draft {
    waiting = nil
    unsavedSince = nil
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

  /// Keeps a text that could not be written in memory; a longer one replaces its prefixes.
  private func remember(_ text: String) {
    remembered.removeAll { $0.purpose == purpose && text.hasPrefix($0.text) }
    remembered.append((purpose, text))
  }

  /// Saves the text now, or later if a draft was written a moment ago.
  ///
  /// - Returns: the time until the call of ``keepWaiting()``; `nil` when the text is written.
  /// - Throws: ``Failure`` when the disk fails.
  func keepSoon(_ text: String) throws(Failure) -> Duration? {
    let passed = lastWrite.map { $0.duration(to: now()) } ?? Self.interval
    if passed >= Self.interval {
      try keep(text)
      return nil
    }
    waiting = text
    return Self.interval - passed
  }

  /// The time until the text is saved after a key: a pause in typing, or what is left of the longest
  /// time without a draft.
  func timeAfterKey() -> Duration {
    let first = unsavedSince ?? now()
    unsavedSince = first
    return max(.zero, min(Self.interval, Self.longestUnsaved - first.duration(to: now())))
  }

  /// Whether a text could not be written, so that only this process has it.
  var hasUnwritten: Bool { !remembered.isEmpty }

  /// Saves a text of another prompt as a draft of its own.
  ///
  /// - Throws: ``Failure`` when the disk fails; then it is kept in memory.
  func keepOther(_ text: String) throws(Failure) {
    do {
      _ = try store.keepOnce(Array(text.utf8), for: .newEntry)
    } catch {
      remember(text)
      throw error
    }
  }

  /// Whether a text is pending, so that more typing must not postpone its write.
  var isWaiting: Bool { waiting != nil }

  /// Writes the pending text of ``keepSoon(_:)``, if any.
  ///
  /// - Throws: ``Failure`` when the disk fails.
  func keepWaiting() throws(Failure) {
    unsavedSince = nil
    if let text = waiting { try keep(text) }
  }

  /// Releases the drafts of the last prompt: the next text is a new one.
  func detach() {
    unsavedSince = nil
    own = nil
    recalled = nil
    opened = nil
    emptied = nil
    waiting = nil
    typed = ""
  }

  /// Removes every draft of a committed text: the prompt's own, the restored one, and those with
  /// the same text.
  func committed(_ text: String) {
    for draft in [own, recalled?.draft].compactMap(\.self) { store.remove(draft) }
    store.remove(committed: text, for: purpose)
    remembered.removeAll { $0.purpose == purpose && text.hasPrefix($0.text) }
    detach()
  }

  /// Removes the prompt's own draft, whose text was erased.
  func discard() {
    if let own { store.remove(own) }
    own = nil
    waiting = nil
  }

  /// Removes the restored draft that was emptied.
  ///
  /// - Returns: whether there was one.
  func discardEmptied() -> Bool {
    guard let draft = emptied?.draft else { return false }
    store.remove(draft)
    detach()
    return true
  }

  /// By bytes: canonically equivalent texts are different drafts.
  private static func areSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }
}

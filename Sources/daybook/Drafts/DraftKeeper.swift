import Journal
import Screen

/// Keeps the texts of a prompt as drafts.
///
/// A prompt has several texts, one at a time on the screen: the drafts that Up recalls, and its own, which
/// is the last one. Each is one draft, however often it is saved, and a change of the text on the screen
/// changes no other draft. A draft is removed only when its text is committed, or when the user erased it.
///
/// Writing a draft waits for the disk, so a text that changes continuously is written at most four times a
/// second. A text that cannot be written is remembered until it can be, or is committed.
final class DraftKeeper {
  /// The minimum time between two writes of a draft.
  static let interval = Duration.milliseconds(250)

  /// The longest time that typing without a pause stays without a draft.
  static let longestUnsaved = Duration.seconds(1)
  /// The time of the first key that no draft has yet.
  private var unsavedSince: ContinuousClock.Instant?

  /// A text of the prompt.
  private struct Slot {
    /// Its draft, once it has one.
    var draft: Draft?
    /// The text of the draft.
    var kept = ""
    /// A newer text that could not be written.
    var unkept: String?
    /// The checksum of the text that the edit began with.
    var edited: Int64?
    /// Whether the draft belongs to this process, so that no other one offers it.
    var isClaimed = false
    /// Whether the draft was there before the prompt.
    var isRecalled = false
    /// The paths of the files that were chosen for it.
    var files: [String] = []
  }

  /// A text of an ended prompt.
  private struct Remembered {
    var purpose: Draft.Purpose
    var edited: Int64?
    var files: [String] = []
    var text: String
  }

  let store: DraftStore
  /// The entry of the command line whose questions are asked; its drafts have what that says.
  var asked: AskedEntry?
  /// The open conflicts of the edited entry when its edit began; `nil` for none.
  private(set) var knownConflicts: String?
  private let now: () -> ContinuousClock.Instant
  private var purpose = Draft.Purpose.newEntry
  /// The texts, oldest first; the prompt's own is the last one.
  private var slots = [Slot()]
  /// The texts of ended prompts that could not be written.
  private var remembered: [Remembered] = []
  /// The text that was submitted or handed on last.
  private var submitted = 0
  private var lastWrite: ContinuousClock.Instant?
  private var waiting: (text: String, index: Int)?

  init(store: DraftStore, now: @escaping () -> ContinuousClock.Instant = { .now }) {
    self.store = store
    self.now = now
  }

  /// The number of drafts of new entries, and of edits, that can be restored.
  var count: (new: Int, edits: Int) { store.count() }

  /// Starts a prompt.
  ///
  /// - Parameters:
  ///   - opened: the draft that its own text comes from.
  ///   - edited: the checksum of the text that is edited.
  ///   - conflicts: the open conflicts of its entry.
  /// - Returns: the texts of the other drafts for this purpose, oldest first.
  func begin(
    _ purpose: Draft.Purpose, with opened: (draft: Draft, text: String)? = nil,
    edited: Int64? = nil, conflicts: String? = nil
  ) -> [String] {
    close()
    (self.purpose, knownConflicts) = (purpose, conflicts)
    let offered = store.abandoned()
      .filter { $0.purpose == purpose && $0.name != opened?.draft.name }
      .compactMap { draft in
        store.text(of: draft).map {
          Slot(
            draft: draft, kept: $0, edited: draft.edited ?? edited, isRecalled: true,
            files: draft.entry.files)
        }
      }
    let unwritten = remembered.filter { $0.purpose == purpose }.map {
      Slot(unkept: $0.text, edited: $0.edited, files: $0.files)
    }
    remembered.removeAll { $0.purpose == purpose }
    let own =
      opened.map {
        Slot(
          draft: $0.draft, kept: $0.text, edited: $0.draft.edited ?? edited, isRecalled: true,
          files: $0.draft.entry.files)
      } ?? Slot(edited: edited)
    slots = offered + unwritten + [own]
    submitted = slots.count - 1
    return slots.dropLast().map { $0.unkept ?? $0.kept }
  }

  // MARK: Saving

  /// Saves a text as its draft.
  ///
  /// - Parameter index: which text of the prompt it is; `nil` for the last submitted one.
  /// - Returns: the draft.
  /// - Throws: ``Failure`` when the disk fails; the text is then remembered.
  @discardableResult
  func keep(_ text: String, at index: Int? = nil) throws(Failure) -> Draft? {
    let index = self.index(index)
    if waiting?.index == index { waiting = nil }
    unsavedSince = nil
    lastWrite = now()
    do {
      slots[index] = try written(text, slots[index])
    } catch {
      slots[index].unkept = text
      throw error
    }
    return slots[index].draft
  }

  /// The text that the editor gets: the tags of the command line are a part of it there, too.
  func editorText(_ typed: String, of purpose: PromptPurpose) -> String {
    // Questions are a new entry as soon as the editor gets them.
    purpose == .newEntry ? asked?.draftText(typed) ?? typed : typed
  }

  /// The index of the prompt's own text.
  var own: Int { slots.count - 1 }

  private func index(_ index: Int?) -> Int { min(index ?? submitted, slots.count - 1) }

  /// Writes a text to the draft of its slot, or to a new one.
  private func written(_ text: String, _ slot: Slot) throws(Failure) -> Slot {
    var slot = slot
    slot.unkept = nil
    let known = slot.draft?.entry ?? DraftEntry()
    if let draft = slot.draft, store.has(draft) {
      // A draft that is only looked at stays everybody's.
      if text.isSame(as: slot.kept) { return slot }
      if !slot.isClaimed { slot.draft = try store.claimed(draft) }
    } else {
      slot.draft = nil
    }
    (slot.kept, slot.isClaimed) = (text, true)
    let asked = slot.isRecalled ? nil : asked
    let stored = asked?.draftText(text) ?? text
    if var own = slot.draft {
      if own.entry.files != slot.files {
        own.entry.files = slot.files
        try store.write(own)
      }
      slot.draft = try store.update(own, text: stored)
    } else {
      // Another screen may have taken, committed or discarded the draft: this text is a new one.
      var entry = asked?.draftEntry ?? known
      entry.files = slot.files
      slot.draft = try store.keep(
        Array(stored.utf8), for: purpose, edited: slot.edited, entry: entry)
    }
    return slot
  }

  /// Saves a text now, or later if a draft was written a moment ago.
  ///
  /// - Returns: the time until the call of ``keepWaiting()``; `nil` when the text is written.
  /// - Throws: ``Failure`` when the disk fails.
  func keepSoon(_ text: String, at index: Int) throws(Failure) -> Duration? {
    let passed = lastWrite.map { $0.duration(to: now()) } ?? Self.interval
    if passed >= Self.interval {
      try keep(text, at: index)
      return nil
    }
    // Two texts do not wait together.
    if let waiting, waiting.index != index { try keepWaiting() }
    waiting = (text, index)
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
  var hasUnwritten: Bool { !remembered.isEmpty || slots.contains { $0.unkept != nil } }

  /// Which text of the prompt could not be written with these words.
  func index(ofUnkept text: String) -> Int? {
    slots.lastIndex { $0.unkept.map { $0.isSame(as: text) } ?? false }
  }

  /// Saves a text of another prompt as a draft of its own.
  ///
  /// - Throws: ``Failure`` when the disk fails; then it is kept in memory.
  func keepOther(_ text: String) throws(Failure) {
    do {
      _ = try store.keepOnce(Array(text.utf8), for: .newEntry)
    } catch {
      remembered.append(Remembered(purpose: .newEntry, text: text))
      throw error
    }
  }

  /// Whether a text is pending, so that more typing must not postpone its write.
  var isWaiting: Bool { waiting != nil }

  /// Writes the pending text of ``keepSoon(_:at:)``, if any.
  ///
  /// - Throws: ``Failure`` when the disk fails.
  func keepWaiting() throws(Failure) {
    unsavedSince = nil
    if let (text, index) = waiting { try keep(text, at: index) }
  }

  // MARK: The end of a text

  /// Records that a text was submitted, or handed on to the editor: it decides what ``committed(_:)``
  /// removes, and where a failed text is kept.
  func submit(at index: Int) { submitted = index }

  /// The other fields of the submitted text's entry.
  var entry: DraftEntry {
    let slot = slots[index(nil)]
    var entry = slot.draft?.entry ?? DraftEntry()
    entry.files = slot.files
    return entry
  }

  /// Records that a file was chosen for a text of the prompt; its draft has the path from the next change on.
  func choose(_ path: String, at index: Int) {
    let index = self.index(index)
    if !slots[index].files.contains(path) { slots[index].files.append(path) }
  }

  /// The checksum of the text that the edit of the submitted text began with.
  var edited: Int64? { slots[index(nil)].edited }

  /// Writes the drafts of this process again after another file replaced the journal: that one may be
  /// sealed, or readable, or have another key.
  func rewrite() {
    for (index, slot) in slots.enumerated() where slot.isClaimed {
      // A failed text is written with the next change.
      if let draft = slot.draft.flatMap({ try? store.update($0, text: slot.kept) }) {
        slots[index].draft = draft
      }
    }
  }

  /// Removes the draft of the submitted text, which is committed, and drafts with the same text.
  ///
  /// - Returns: whether other texts of the prompt wait as drafts or were remembered.
  func committed(_ text: String) -> Bool {
    removeSubmitted()
    store.remove(committed: text, for: purpose)
    return slots.contains { $0.isClaimed || $0.unkept != nil }
  }

  /// Removes the draft of the submitted text, which is committed or has another draft by now.
  func removeSubmitted() { remove(at: index(nil)) }

  /// Removes the draft of the prompt's own text, which was erased; one that the prompt began with stays
  /// as it is.
  func discard() {
    let own = slots.count - 1
    if waiting?.index == own { waiting = nil }
    slots[own].unkept = nil
    if !slots[own].isRecalled { remove(at: own) }
  }

  /// Removes the draft of the submitted text, which was emptied.
  ///
  /// - Returns: whether it was there before the prompt.
  func discardEmptied() -> Bool {
    let wasRecalled = slots[index(nil)].isRecalled
    removeSubmitted()
    return wasRecalled
  }

  private func remove(at index: Int) {
    if waiting?.index == index { waiting = nil }
    let slot = slots[index]
    // Another screen may have written on in a draft that is only recalled here.
    if let draft = slot.draft, slot.isClaimed || store.isUntaken(draft, with: slot.kept) {
      store.remove(draft)
    }
    slots[index] = Slot()
  }

  /// Whether a text is remembered that could not be written.
  var hasUnkept: Bool { slots.contains { $0.unkept != nil } }

  /// Writes the remembered texts again.
  ///
  /// - Returns: a text that still cannot be written, and why.
  func unkept() -> (text: String, error: Failure)? {
    for (index, slot) in slots.enumerated() {
      guard let text = slot.unkept else { continue }
      do { try keep(text, at: index) } catch { return (text, error) }
    }
    return nil
  }

  /// Ends the prompt: from now on its drafts are offered everywhere.
  func close() {
    // A failure is remembered.
    try? keepWaiting()
    _ = unkept()
    removeOlderCopies()
    for slot in slots {
      if slot.isClaimed { slot.draft.map(store.release) }
      if let text = slot.unkept {
        remembered.append(
          Remembered(purpose: purpose, edited: slot.edited, files: slot.files, text: text))
      }
    }
    remembered.removeAll { unwritten in
      var entry = DraftEntry()
      entry.files = unwritten.files
      guard
        let draft = try? store.keep(
          Array(unwritten.text.utf8), for: unwritten.purpose, edited: unwritten.edited,
          entry: entry)
      else { return false }
      store.release(draft)
      return true
    }
    unsavedSince = nil
    waiting = nil
    slots = [Slot()]
    submitted = 0
  }

  /// Removes offered drafts with the text of one that this prompt has written: the same text left twice is
  /// one draft.
  private func removeOlderCopies() {
    for slot in slots where slot.isClaimed && slot.unkept == nil {
      guard let own = slot.draft, store.has(own) else { continue }
      for other in slots where !other.isClaimed && other.unkept == nil {
        guard let draft = other.draft, draft.name != own.name, other.kept.isSame(as: slot.kept),
          store.isUntaken(draft, with: other.kept)
        else { continue }
        store.remove(draft)
      }
    }
  }

  /// Writes texts that no disk could save into memory, at the end of the program.
  ///
  /// - Returns: the paths.
  func rescue() -> [String] {
    remembered.compactMap { try? store.keepInMemory($0.text, for: $0.purpose, edited: $0.edited) }
  }
}

import Journal
import JournalStore
import Screen

/// The journal on the screen, with its list, actions and drafts.
final class ScreenJournal {
  /// The journal.
  let store: any EntryStore
  /// The list of its entries.
  let listing: Listing
  /// The actions on it.
  let actions: EntryActions
  /// Its drafts; `nil` if no directory for them is known.
  let drafts: DraftStore?
  /// Saves typed text as drafts.
  let keeper: DraftKeeper?
  /// Its real path, for the record of journals; `nil` for a journal in memory.
  let path: String?

  /// The present journal while one of the past is shown; `nil` in the present.
  let present: PresentJournal?

  /// Whether the program may keep nothing of it that others can read.
  var isSealed: Bool { store.key != nil }

  /// Whether another file has replaced the journal, so that it must be opened again.
  private(set) var isReplaced = false
  /// The name of the draft of a text that could not be saved for that reason.
  private(set) var unsavedDraft: String?

  /// Gives the drafts the form of the file that replaced the journal: after `unseal` elsewhere the key is
  /// gone, and after `seal` nothing readable may stay.
  func followReplacement() {
    isReplaced = true
    drafts?.followJournal(orKey: store.key)
    keeper?.rewrite()
  }

  /// The event, in words: `the journal was sealed elsewhere`.
  var replacement: String {
    let isSealedNow = drafts?.isSealed ?? isSealed
    let event = isSealedNow == isSealed ? "replaced" : isSealedNow ? "sealed" : "unsealed"
    return "the journal was \(event) elsewhere"
  }

  /// Records an attempt to open it again; after one that failed the next event of its file makes another.
  func triedReopening() { isReplaced = false }

  /// Records that a text could not be saved, to come back to it if another file replaced the journal.
  func noteUnsaved(_ draft: Draft, because error: any Error) {
    guard (error as? StoreError)?.kind == .replaced else { return }
    if !isReplaced { followReplacement() }
    unsavedDraft = draft.name
  }

  /// Combines the parts of an open journal; nothing is read before the listing starts.
  ///
  /// - Throws: the error of the results controller.
  init(
    _ opened: JournalHandle, scope: ListScope, settings: Settings, revealing key: String
  ) throws {
    store = opened.store
    drafts = opened.drafts
    keeper = opened.drafts.map { DraftKeeper(store: $0) }
    path = opened.path
    present = opened.past?.present
    listing = try Listing(
      store: store, scope: scope, rule: settings.dayRule, showsOtherYears: settings.onThisDay)
    actions = EntryActions(
      store: store, present: present?.handle.store, listing: listing, rule: settings.dayRule,
      revealing: key)
  }
}

/// A newly opened journal, with the notes about its opening.
struct JournalHandle {
  /// The journal.
  var store: any EntryStore
  var drafts: DraftStore?
  /// Whether it was opened read-only.
  var isReadOnly = false
  /// The notes for the user.
  var notes: [String] = []
  /// The moment of the past of which it is the journal, and the present one.
  var past: (moment: Moment, present: PresentJournal)?

  /// Its real path with links resolved; `nil` for a journal in memory.
  var path: String? {
    guard store.path != ":memory:" else { return nil }
    return DraftStore.identity(of: store.path)
  }

  /// The name in the status line: the file's name, with its directory if the default journal has
  /// the same name.
  var name: String {
    let parts = store.path.split(separator: "/").map(String.init)
    guard let last = parts.last else { return store.path }
    guard parts.count > 1, let usual = try? JournalLookup.location(nil).path,
      usual.split(separator: "/").last.map(String.init) == last,
      DraftStore.identity(of: usual) != path
    else { return last }
    return parts.suffix(2).joined(separator: "/")
  }
}

/// The open journal and its view, to which the screen returns from the past.
final class PresentJournal {
  /// The journal, which stays open.
  let handle: JournalHandle
  /// The screen's view of it.
  let view: ViewState

  init(_ handle: JournalHandle, view: ViewState) {
    self.handle = handle
    self.view = view
  }
}

extension JournalHandle {
  /// Opens a journal for the screen; writers create its file, never its directory.
  ///
  /// - Parameters:
  ///   - option: the value of `--journal` or `:open`; `nil` for the default journal.
  ///   - observer: observes an upgrade.
  /// - Throws: `StoreError`, ``Failure``.
  static func open(
    _ option: String?, readOnly: Bool, clock: WallClock,
    observer: any WorkObserver = ShellObserver(), unlocking: Unlocking = .inShell
  ) throws -> JournalHandle {
    let (store, notes) = try JournalLookup.opened(
      option, readOnly: readOnly, for: .writing, by: .screen, clock: clock,
      observer: observer, unlocking: unlocking)
    return JournalHandle(
      store: store,
      drafts: try? DraftStore.standard(for: option, form: DraftForm(of: store)),
      isReadOnly: readOnly || store.isReadOnly, notes: notes)
  }
}

import Journal
import JournalStore
import Screen

/// The journal on the screen, with all that belongs to it alone.
final class OpenJournal {
  /// The journal.
  let store: any EntryStore
  /// What the list shows of it.
  let listing: Listing
  /// What can be done to it.
  let actions: EntryActions
  /// Where its drafts are; `nil` where there is no place for them.
  let drafts: DraftStore?
  /// Keeps what is typed.
  let keeper: DraftKeeper?
  /// Its real path, by which it is remembered; `nil` for a journal in memory.
  let path: String?

  /// Puts the parts of an open journal together; nothing is read before the listing starts.
  ///
  /// - Throws: what the results controller throws.
  init(
    _ opened: OpenedJournal, scope: ListScope, settings: Settings, revealing key: String
  ) throws {
    store = opened.store
    drafts = opened.drafts
    keeper = opened.drafts.map { DraftKeeper(store: $0) }
    path = opened.path
    listing = try Listing(store: store, scope: scope, rule: settings.dayRule)
    actions = EntryActions(
      store: store, listing: listing, rule: settings.dayRule, revealing: key)
  }
}

/// A journal's store as it was opened, and what is to be known about it.
struct OpenedJournal {
  /// The journal.
  var store: any EntryStore
  /// Where its drafts are.
  var drafts: DraftStore?
  /// Whether it was opened without any write.
  var isReadOnly = false
  /// What is to be said about the opening.
  var notes: [String] = []

  /// Its real path, whatever link led there; `nil` for a journal in memory.
  var path: String? {
    guard store.place != ":memory:" else { return nil }
    return DraftStore.identity(of: store.place)
  }

  /// What the status line calls it: the file's name, with its folder where the usual journal has the
  /// same name and is another one.
  var name: String {
    let parts = store.place.split(separator: "/").map(String.init)
    guard let last = parts.last else { return store.place }
    guard parts.count > 1, let usual = try? JournalOpening.location(nil).path,
      usual.split(separator: "/").last.map(String.init) == last,
      DraftStore.identity(of: usual) != path
    else { return last }
    return parts.suffix(2).joined(separator: "/")
  }
}

extension OpenedJournal {
  /// Opens a journal for the screen; writers create its file, never its folder.
  ///
  /// - Parameters:
  ///   - option: what `--journal` or `:open` says; `nil` for the usual one.
  ///   - attendant: who is told when it has to be brought up to date; `nil` tells it on standard error.
  /// - Throws: `StoreError`, ``Failure``.
  static func open(
    _ option: String?, readOnly: Bool, clock: WallClock, attendant: UpgradeObserver? = nil
  ) throws -> OpenedJournal {
    let (store, notes) = try JournalOpening.opened(
      option, readOnly: readOnly, for: .writing, clock: clock, attendant: attendant)
    return OpenedJournal(
      store: store, drafts: try? DraftStore.standard(for: option),
      isReadOnly: readOnly || store.isReadOnly, notes: notes)
  }
}

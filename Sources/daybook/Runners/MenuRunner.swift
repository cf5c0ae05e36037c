import Journal
import JournalStore
import Screen

/// Lists names in menus, and opens journals.
final class MenuRunner {
  private let journal: ScreenJournal
  private let memory: RecentJournals?
  private let openJournal: (String) throws -> Void
  private let send: (Event) -> Void

  init(
    _ journal: ScreenJournal, memory: RecentJournals?,
    openJournal: @escaping (String) throws -> Void, send: @escaping (Event) -> Void
  ) {
    self.journal = journal
    self.memory = memory
    self.openJournal = openJournal
    self.send = send
  }

  /// Runs an effect on tags or journals.
  ///
  /// - Throws: ``Failure``, and the errors of the store.
  func run(_ effect: MenuEffect, in state: State) throws {
    switch effect {
    case .listTags:
      let isUpdate =
        if case .menu(let menu) = state.pages.mode { menu.title == Self.tags } else { false }
      try listTags(filtering: state.list.scope, isUpdate: isUpdate)
    case .listJournals: try listJournals()
    case .openJournal(let path): try openJournal(path)
    }
  }

  /// The title of the menu of tags.
  private static let tags = "tags"

  private func listTags(filtering scope: ListScope, isUpdate: Bool) throws {
    let counts = try journal.store.tagTotals().sorted { ($1.count, $0.key) < ($0.count, $1.key) }
    guard !counts.isEmpty || isUpdate else {
      throw Failure(.notDone, "no tags yet; press t to tag an entry, or write #home in its text")
    }
    let items = counts.map { count in
      let name = Tag.typed(count.tag)
      var detail = Numbers.entries(count.count)
      // The count for Enter's filter, which includes the tag's children.
      if let all = count.total, all > count.count {
        detail += " (\(Numbers.grouped(all)) with subtags)"
      }
      return Menu.Item(
        name, detail: detail, effect: .query(.show(scope.filtered(by: name), .top)))
    }
    let menu = Menu(title: Self.tags, items: items, refresh: .menu(.listTags))
    send(.menu(isUpdate ? .updated(menu) : .opened(menu)))
  }

  /// Lists the journals opened recently, the latest first.
  private func listJournals() throws {
    let paths = (memory?.journals ?? []).filter { $0 != journal.path }
    guard !paths.isEmpty else {
      throw Failure(.usage, "no recent journals; type :open PATH")
    }
    let items = paths.map { path in
      Menu.Item(Places.abbreviated(path), effect: .menu(.openJournal(path)))
    }
    send(.menu(.opened(Menu(title: "journals", items: items))))
  }
}

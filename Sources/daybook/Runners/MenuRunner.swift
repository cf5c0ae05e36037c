import Journal
import JournalStore
import Screen

/// Lists names in menus, and opens journals.
final class MenuRunner {
  private let journal: ScreenJournal
  private let memory: RecentJournals?
  private let openJournal: (String) throws -> Void
  private let send: (Event) -> Void
  /// Shows the journal as it was at a date.
  var openPast: (String) throws -> Void = { _ in }
  /// Returns from the past to the present.
  var leavePast: () throws -> Void = {}

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
    case .listFields:
      let isUpdate =
        if case .menu(let menu) = state.pages.mode { menu.title == Self.fields } else { false }
      try listFields(filtering: state.list.scope, isUpdate: isUpdate)
    case .listJournals: try listJournals()
    case .openJournal(let path): try openJournal(path)
    case .openPast(let date): try openPast(date)
    case .leavePast: try leavePast()
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

  /// The title of the menu of fields.
  private static let fields = "fields"
  /// The most values of which sums are shown beside the names.
  private static let mostSummed = 100_000

  private func listFields(filtering scope: ListScope, isUpdate: Bool) throws {
    let names = try journal.store.fieldNames().sorted { ($1.count, $0.key) < ($0.count, $1.key) }
    guard !names.isEmpty || isUpdate else {
      throw Failure(.notDone, "no fields yet; write mood:: 4 or [run:: 5 km] in a text")
    }
    var left = Self.mostSummed
    let items = try names.map { name in
      var detail = Numbers.counted(name.count, "value", "values")
      left -= name.count
      if left >= 0 {
        let sums = try journal.store.statistics(ofField: name.name)
        let unit = sums.unit.isEmpty ? "" : " \(sums.unit)"
        if let all = sums.all { detail += ", sum \(sums.text(all.sum))\(unit)" }
      }
      return Menu.Item(
        name.name, detail: detail,
        effect: .query(.show(scope.filtered(by: "field:\(name.name)"), .top)))
    }
    let menu = Menu(title: Self.fields, items: items, refresh: .menu(.listFields))
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

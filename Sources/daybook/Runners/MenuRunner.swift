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
    case .listTags: show(try tags(filtering: state.list.scope), in: state)
    case .listFields: show(try fields(filtering: state.list.scope), in: state)
    case .listJournals: listJournals()
    case .openJournal(let path): try openJournal(path)
    case .openPast(let date): try openPast(date)
    case .leavePast: try leavePast()
    }
  }

  /// Opens a menu, or shows the lines of the open one after a commit.
  private func show(_ menu: Menu, in state: State) {
    let isUpdate =
      if case .menu(let open) = state.pages.mode { open.title == menu.title } else { false }
    send(.menu(isUpdate ? .updated(menu) : .opened(menu)))
  }

  private func tags(filtering scope: ListScope) throws -> Menu {
    let counts = try journal.store.tagTotals().sorted { ($1.count, $0.key) < ($0.count, $1.key) }
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
    return Menu(
      title: "tags", items: items, refresh: .menu(.listTags),
      absence: "No tags yet. Press t to tag an entry, or write #home in its text.")
  }

  /// The most values of which sums are shown beside the names.
  private static let mostSummed = 100_000

  private func fields(filtering scope: ListScope) throws -> Menu {
    let names = try journal.store.fieldNames().sorted { ($1.count, $0.key) < ($0.count, $1.key) }
    var left = Self.mostSummed
    let items = try names.map { name in
      var detail = Numbers.counted(name.count, "value", "values")
      left -= name.count
      if left >= 0 {
        let sums = try journal.store.statistics(ofField: name.name)
        if let unit = sums.chosen, let all = sums.all {
          let statistic = FieldMeasure.Statistic.usual(of: unit)
          let amount = sums.described(rounded: statistic == .sum ? all.sum : all.mean)
          detail += ", \(statistic.rawValue) \(amount)"
        }
      }
      return Menu.Item(
        name.name, detail: detail,
        effect: .query(.show(scope.filtered(by: "field:\(name.name)"), .top)))
    }
    return Menu(
      title: "fields", items: items, refresh: .menu(.listFields),
      absence: "No fields yet. Write mood:: 4 or [run:: 5 km] in a text.")
  }

  /// Lists the journals opened recently, the latest first.
  private func listJournals() {
    let paths = (memory?.journals ?? []).filter { $0 != journal.path }
    let items = paths.map { path in
      Menu.Item(Places.abbreviated(path), effect: .menu(.openJournal(path)))
    }
    let absence = "No other journal was opened here. Type :open PATH."
    send(.menu(.opened(Menu(title: "journals", items: items, absence: absence))))
  }
}

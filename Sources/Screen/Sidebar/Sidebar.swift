import Journal
import TextLayout

/// The views, tags and months of the journal beside the list, each of which filters it.
package struct Sidebar: Equatable, Sendable {
  /// A line that filters the list.
  package struct Item: Equatable, Sendable {
    package var label: String
    /// The number of entries; `nil` if it is not counted.
    package var count: Int?
    /// The filter as a user would type it; empty for all entries.
    package var filter: String

    package init(_ label: String, count: Int? = nil, filter: String) {
      (self.label, self.count, self.filter) = (label, count, filter)
    }

    /// The width of the indentation, greater below a parent.
    fileprivate var depth: Int { label.prefix { $0 == " " }.count }
  }

  /// A line of the sidebar.
  enum Line: Equatable {
    case heading(String)
    case item(Int)
    case blank
  }

  /// The tags, months and counts of the journal, as last read.
  package private(set) var contents = SidebarContents()
  /// The number of entries of each view's query, as it was last counted.
  private var viewCounts: [String: Int] = [:]
  /// All items, in the order of the lines.
  private(set) var items: [Item] = []
  private(set) var lines: [Line] = []
  /// The index of the selected item.
  package private(set) var selected = 0
  /// The first visible line.
  private(set) var offset = 0

  /// The columns of the sidebar, without the line beside it.
  package static let columns = 24
  /// The minimum width of a screen that shows it.
  package static let leastColumns = 90
  /// The maximum number of tags, and of months, which are shown by years.
  package static let mostTags = 40
  package static let mostMonths = 12 * 200

  package init() {}

  /// Takes what the journal has, and shows it.
  mutating func take(_ contents: SidebarContents, beside state: State) {
    self.contents = contents
    arrange(beside: state)
  }

  /// Takes the numbers of entries of the views.
  mutating func take(viewCounts counts: [String: Int], beside state: State) {
    viewCounts = counts
    follow(state)
  }

  /// Follows the list to another filter, once there is something to show.
  mutating func follow(_ state: State) {
    guard !items.isEmpty else { return }
    arrange(beside: state)
    layOut(height: state.layout.main.count)
  }

  /// Makes the lines: tags as a tree, and months below the newest year and that of the list's filter.
  ///
  /// The selection stays at its filter.
  private mutating func arrange(beside state: State) {
    let filter = items.indices.contains(selected) ? items[selected].filter : nil
    items = []
    lines = []
    add("", [Item("All entries", count: contents.entries, filter: "")])
    add("Views", state.views.map { Item($0.name, count: viewCounts[$0.query], filter: $0.query) })
    add("Tags", Self.tree(contents.tags, depth: 0))
    add("Months", Self.years(contents.months, names: state.dates.names, state.list.scope.filter))
    selected = items.firstIndex { $0.filter == filter } ?? min(selected, max(0, items.count - 1))
  }

  /// Tags with the same names up to a depth, each followed by those below it.
  private static func tree(_ tags: [SidebarContents.TagUse], depth: Int) -> [Item] {
    var names: [String] = []
    var groups: [String: [SidebarContents.TagUse]] = [:]
    for use in tags {
      let name = Folding.fold(String(parts(of: use.tag)[depth]))
      if groups[name] == nil { names.append(name) }
      groups[name] = (groups[name] ?? []) + [use]
    }
    return names.flatMap { name -> [Item] in
      guard let group = groups[name], let first = group.first else { return [] }
      let own = group.first { parts(of: $0.tag).count == depth + 1 }
      // A single tag without a parent needs no branch of its own.
      guard own != nil || group.count > 1 else { return [item(first.tag, depth, first.count)] }
      let path = parts(of: first.tag)[...depth].joined(separator: "/")
      return [item(own?.tag ?? path, depth, own?.count)]
        + tree(group.filter { parts(of: $0.tag).count > depth + 1 }, depth: depth + 1)
    }
  }

  private static func parts(of tag: String) -> [Substring] {
    tag.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func item(_ tag: String, _ depth: Int, _ count: Int?) -> Item {
    let name = depth == 0 ? Tag.typed(tag) : parts(of: tag)[depth...].joined(separator: "/")
    return Item(indent(name, depth), count: count, filter: Tag.typed(tag))
  }

  private static func indent(_ name: String, _ depth: Int) -> String {
    TextFit.spaces(2 * depth) + name
  }

  /// The years; the newest one, and that of a filter such as `on:2019-05`, with their months.
  private static func years(
    _ months: [SidebarContents.Month], names: DateNames, _ filter: String
  ) -> [Item] {
    let open = Set([months.first?.day.year, year(of: filter)].compactMap(\.self))
    var items: [Item] = []
    var start = 0
    while start < months.count {
      let year = months[start].day.year
      let end = months[start...].firstIndex { $0.day.year != year } ?? months.count
      let count = months[start..<end].reduce(0) { $0 + $1.count }
      items.append(Item("\(year)", count: count, filter: "on:\(Digits.padded(year, to: 4))"))
      for month in months[start..<end] where open.contains(year) {
        let name = String(names.months[month.day.month - 1].prefix(3))
        items.append(
          Item(
            indent(name, 1), count: month.count, filter: "on:\(month.day.description.dropLast(3))"))
      }
      start = end
    }
    return items
  }

  private static func year(of filter: String) -> Int? {
    guard filter.hasPrefix("on:") else { return nil }
    return Int(filter.dropFirst(3).prefix(4))
  }

  private mutating func add(_ heading: String, _ group: [Item]) {
    guard !group.isEmpty else { return }
    if !lines.isEmpty { lines.append(.blank) }
    if !heading.isEmpty { lines.append(.heading(heading)) }
    for item in group {
      lines.append(.item(items.count))
      items.append(item)
    }
  }

  /// Selects the item of a filter, if there is one.
  mutating func select(filter: String) {
    selected = items.firstIndex { $0.filter == filter } ?? selected
  }

  mutating func move(_ movement: Movement, count: Int?, height: Int) {
    let line = movement.line(from: selected, of: items.count, height: height, count: count)
    selected = min(max(0, line), max(0, items.count - 1))
    layOut(height: height)
  }

  mutating func scroll(by count: Int, height: Int) {
    offset = max(0, min(offset + count, lines.count - height))
  }

  /// Scrolls as little as possible until the selected item, a heading above it and what belongs to it, such
  /// as the months of a year, are visible.
  mutating func layOut(height: Int) {
    let line = lines.firstIndex(of: .item(selected)) ?? 0
    let isFirst = line > 0 && lines[line - 1] != .item(selected - 1)
    let top = isFirst ? line - 1 : line
    let last =
      line + items.dropFirst(selected + 1).prefix { $0.depth > items[selected].depth }.count
    offset = max(min(offset, top), min(last - max(1, height) + 1, top))
    offset = max(0, min(max(offset, line - max(1, height) + 1), lines.count - height))
  }

  /// Selects the item on a visible line.
  ///
  /// - Returns: the item; `nil` if the line has none.
  mutating func select(line: Int) -> Item? {
    guard lines.indices.contains(offset + line), case .item(let index) = lines[offset + line] else {
      return nil
    }
    selected = index
    return items[index]
  }

  /// Draws it over a part of the screen.
  ///
  /// - Parameter filter: the filter of the list, whose item is marked; `nil` for the trash.
  func draw(in rect: CanvasRect, filter: String?, hasFocus: Bool, on canvas: inout Canvas) {
    for (row, line) in zip(rect.row..<rect.row + rect.height, lines.dropFirst(offset)) {
      switch line {
      case .blank: break
      case .heading(let text):
        canvas.draw(
          text, at: rect.column + 1, row: row, width: rect.width - 1,
          style: Style(.header, bold: true))
      case .item(let index):
        draw(
          items[index], in: CanvasRect(column: rect.column, row: row, width: rect.width, height: 1),
          isShown: items[index].filter == filter, isSelected: hasFocus && index == selected,
          on: &canvas)
      }
    }
  }

  private func draw(
    _ item: Item, in rect: CanvasRect, isShown: Bool, isSelected: Bool, on canvas: inout Canvas
  ) {
    var style = isShown ? Style(.header, bold: true) : Style()
    var detail = Style(.hint, dim: true)
    if isSelected {
      (style, detail) = (Style(.selected, reverse: true), Style(.selected, reverse: true))
      canvas.fill(rect, style: style)
    }
    // The cursor is on the screen once; what is shown without it has a mark of its own.
    if isSelected || isShown {
      canvas.draw(
        isSelected ? "›" : ListWidget.shownMark, at: rect.column, row: rect.row, style: style)
    }
    let count = item.count.map(Numbers.grouped) ?? ""
    let room = rect.width - 3 - (count.isEmpty ? 0 : count.count + 1)
    canvas.draw(
      TextFit.cut(item.label, columns: max(0, room)), at: rect.column + 2, row: rect.row,
      style: style)
    canvas.draw(
      count, at: rect.column + rect.width - 1 - count.count, row: rect.row, style: detail)
  }
}

/// The contents of a journal for the sidebar.
package struct SidebarContents: Equatable, Codable, Sendable {
  /// A month with entries.
  package struct Month: Equatable, Codable, Sendable {
    /// Its first day.
    package var day: Day
    package var count: Int

    package init(day: Day, count: Int) { (self.day, self.count) = (day, count) }
  }

  /// The number of entries outside the trash.
  package var entries: Int
  /// The most used tags.
  package var tags: [TagUse]
  /// The months with entries, the newest first.
  package var months: [Month]

  package init(entries: Int = 0, tags: [TagUse] = [], months: [Month] = []) {
    (self.entries, self.tags, self.months) = (entries, tags, months)
  }

  /// A tag with the number of its entries.
  package struct TagUse: Equatable, Codable, Sendable {
    package var tag: String
    package var count: Int

    package init(tag: String, count: Int) { (self.tag, self.count) = (tag, count) }
  }
}

/// Events of the sidebar.
package enum SidebarEvent: Equatable, Codable, Sendable {
  /// The contents of the journal were read.
  case contentsFound(SidebarContents)
  /// The entries of the views' queries were counted; a query that is no query has no number.
  case viewsCounted([String: Int])
}

/// The sidebar: shown and focused by a key, left by the keys that go back.
extension State {
  /// Whether the sidebar is beside the list.
  package var showsSidebar: Bool {
    sidebar != nil && pages.mode.showsList && environment.size.columns >= Sidebar.leastColumns
  }

  mutating func updateSidebar(_ event: SidebarEvent) -> [Effect] {
    switch event {
    case .contentsFound(let contents):
      work.queries.finish(.sidebar)
      let isFirst = sidebar?.items.isEmpty == true
      let state = self
      sidebar?.take(contents, beside: state)
      let filter = list.scope.filter
      if isFirst { sidebar?.select(filter: filter) }
      let height = layout.main.count
      sidebar?.layOut(height: height)
      return sidebar == nil || views.isEmpty ? [] : [.query(.countViews(views.map(\.query)))]
    case .viewsCounted(let counts):
      work.queries.finish(.views)
      let state = self
      sidebar?.take(viewCounts: counts, beside: state)
    }
    return []
  }

  /// Goes from the list into the sidebar beside it.
  mutating func goIntoSidebar() {
    guard hasRoomForSidebar() else { return }
    guard showsSidebar || environment.isLinear && sidebar != nil else {
      status = .done("gs shows the sidebar")
      return
    }
    focusSidebar()
  }

  /// Whether the screen is wide enough; says so if it is not.
  private mutating func hasRoomForSidebar() -> Bool {
    guard environment.size.columns < Sidebar.leastColumns, !environment.isLinear else {
      return true
    }
    status = .failed("too narrow for the sidebar; use :tags, :view or gi")
    return false
  }

  private mutating func focusSidebar() {
    pages.focus(.sidebar)
    let filter = list.scope.filter
    sidebar?.select(filter: filter)
    let height = layout.main.count
    sidebar?.layOut(height: height)
    fit()
  }

  /// Focuses the sidebar, which it shows if needed; hides it if it has the focus.
  mutating func toggleSidebar() -> [Effect] {
    guard hasRoomForSidebar() else { return [] }
    if pages.mode == .sidebar {
      sidebar = nil
      leaveMode()
      return []
    }
    let isNew = sidebar == nil
    if isNew { sidebar = Sidebar() }
    if pages.mode != .list { leaveMode() }
    focusSidebar()
    return isNew ? [.query(.countSidebar)] : []
  }

  /// Requests the contents again after a commit.
  func refreshedSidebar() -> [Effect] { sidebar == nil ? [] : [.query(.countSidebar)] }

  /// Filters the list by the selected item, and focuses the list.
  mutating func chooseInSidebar() -> [Effect] {
    guard let sidebar, sidebar.items.indices.contains(sidebar.selected) else { return [] }
    return show(sidebar.items[sidebar.selected])
  }

  /// Handles a click on a line of the sidebar: it filters the list.
  mutating func clickSidebar(line: Int) -> [Effect] {
    guard let item = sidebar?.select(line: line) else { return [] }
    return show(item)
  }

  private mutating func show(_ item: Sidebar.Item) -> [Effect] {
    if pages.mode != .list { leaveMode() }
    var next = list.scope.filtered(by: item.filter)
    next.isTrash = false
    guard next != list.scope else { return [] }
    return [.query(.show(next, item.filter.isEmpty ? .nearest : .top))]
  }
}

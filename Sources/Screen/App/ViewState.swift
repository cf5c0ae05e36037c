import Journal
import SectionedResults

/// The last view of a journal, restored at the next start.
///
/// It contains the user's choices only: values equal to the configuration are not saved, so that a
/// change of the configuration takes effect. The file has one line per field, the same on every
/// machine; any other content makes it invalid.
package struct ViewState: Equatable, Codable, Sendable {
  /// The order, if it differs from the configuration.
  package var order: ListOrder?
  /// The sections, if they differ from the configuration.
  package var grouping: Grouping?
  /// The field whose sums the headers have.
  package var measure: FieldMeasure?
  /// Whether the reading pane is beside the list; `nil` if the width decides.
  package var preview: Bool?
  /// Where the pane is, if that differs from the configuration.
  package var side: PaneSide?
  /// The list's share in percent, if it differs from the configuration.
  package var share: Int?
  /// Whether the sidebar is shown.
  package var sidebar = false
  /// The filter as it was typed.
  package var filter = ""
  /// Whether the filter's last word may be a prefix.
  package var takesPrefix = false
  /// The keys of folded sections.
  package var folded: [String] = []
  /// The uuid of the selected entry.
  package var selected: String?
  /// The screen line of the selection.
  package var screenLine = 0
  /// When it was left, in seconds since 1970.
  package var leftAt: Int64 = 0

  package init() {}

  /// The lifetime of filter, folds and selection, in seconds: a user who returns later starts at
  /// today.
  package static let freshSeconds: Int64 = 3_600
  /// The maximum number of saved folds.
  static let mostFolded = 2_000

  /// The part that is still valid at a moment.
  package func holding(at now: Int64) -> ViewState {
    let (age, isBeyond) = now.subtractingReportingOverflow(leftAt)
    if !isBeyond, (0...Self.freshSeconds).contains(age) { return self }
    var state = ViewState()
    (state.order, state.grouping, state.measure) = (order, grouping, measure)
    (state.preview, state.side, state.share) = (preview, side, share)
    state.sidebar = sidebar
    return state
  }
}

// MARK: - The screen

extension ViewState {
  /// Takes the view state of the screen.
  ///
  /// - Parameters:
  ///   - selected: the uuid of the selected entry.
  ///   - settings: the configured settings.
  package init(_ state: State, selected: String?, settings: Settings, leftAt: Int64) {
    let scope = state.list.scope
    order = scope.order == settings.sort ? nil : scope.order
    grouping = scope.grouping == settings.section ? nil : scope.grouping
    measure = scope.measure
    preview = state.pane.isWanted == settings.preview.isWanted ? nil : state.pane.isWanted
    side = state.pane.split.side == settings.paneSide ? nil : state.pane.split.side
    share = state.pane.split.share == settings.split.share ? nil : state.pane.split.share
    sidebar = state.sidebar != nil
    // The trash is a visit, not a way to look at the journal.
    guard !scope.isTrash else {
      self.leftAt = leftAt
      return
    }
    filter = scope.filter
    takesPrefix = scope.takesPrefix
    folded = Array(state.list.widget.foldedKeys.sorted().prefix(Self.mostFolded))
    self.selected = selected
    screenLine = state.list.widget.selectionScreenLine ?? 0
    self.leftAt = leftAt
  }

  /// Applies the choices to a fresh state before the list is read.
  package func apply(to state: inout State) {
    if let order { state.list.scope.order = order }
    if let grouping { state.list.scope.grouping = grouping }
    state.list.scope.measure = measure
    if let preview { state.pane.isWanted = preview }
    if let side { state.pane.split.side = side }
    if sidebar { state.sidebar = Sidebar() }
    if let share { state.pane.split.share = share }
    state.list.scope.filter = filter
    state.list.scope.takesPrefix = takesPrefix && !filter.isEmpty
  }
}

// MARK: - The file

extension ViewState {
  private static let header = "daybook view 1"

  /// The lines of the file.
  package var text: String {
    var lines = [Self.header, "left \(leftAt)"]
    if let order { lines.append("order \(order.rawValue)") }
    if let grouping { lines.append("section \(grouping.rawValue)") }
    if let measure, !Self.breaksLine(measure.name) { lines.append("measure \(measure.line)") }
    if let preview { lines.append("preview \(preview ? "on" : "off")") }
    if sidebar { lines.append("sidebar on") }
    if let side { lines.append("pane \(side.rawValue)") }
    if let share { lines.append("share \(share)") }
    if !filter.isEmpty, !Self.breaksLine(filter) {
      lines.append("\(takesPrefix ? "prefix" : "filter") \(filter)")
    }
    lines += folded.filter { !Self.breaksLine($0) }.map { "folded \($0)" }
    if let selected, !Self.breaksLine(selected) {
      lines += ["selected \(selected)", "line \(screenLine)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Parses a file; `nil` if it is invalid.
  package init?(text: String) {
    let lines = text.utf8.split(separator: 0x0A).map { String(Substring($0)) }
    guard lines.first == Self.header, text.utf8.last == 0x0A else { return nil }
    for line in lines.dropFirst() {
      let parts = line.utf8.split(separator: 0x20, maxSplits: 1).map { String(Substring($0)) }
      guard let name = parts.first, take(name, parts.count > 1 ? parts[1] : "") else { return nil }
    }
  }

  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "left": return Self.set(&leftAt, Int64(value))
    case "order": order = ListOrder(rawValue: value)
    case "section": grouping = Grouping(rawValue: value)
    case "measure": measure = FieldMeasure(line: value)
    case "preview": preview = value == "on"
    case "sidebar": sidebar = value == "on"
    case "pane": side = PaneSide(rawValue: value)
    case "share": share = Int(value).flatMap { Split.shares.contains($0) ? $0 : nil }
    case "filter", "prefix": (filter, takesPrefix) = (value, name == "prefix")
    case "folded": folded.append(value)
    case "selected": selected = value
    case "line": return Self.set(&screenLine, Int(value))
    default: return false
    }
    return true
  }

  private static func set<Number>(_ place: inout Number, _ number: Number?) -> Bool {
    guard let number else { return false }
    place = number
    return true
  }

  private static func breaksLine(_ text: String) -> Bool {
    text.utf8.contains(0x0A) || text.utf8.contains(0)
  }
}

extension FieldMeasure {
  /// The measure as a line: statistic, name, and the unit if it is one of numbers.
  fileprivate var line: String {
    ([statistic.rawValue, name] + (unit.isDuration ? [] : ["n" + unit.name])).joined(separator: " ")
  }

  fileprivate init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count > 1, let statistic = Statistic(rawValue: words[0]) else { return nil }
    let unit = words.count > 2 ? FieldUnit(String(words[2].dropFirst())) : .duration
    self.init(name: words[1], unit: unit, statistic: statistic)
  }
}

import Journal
import Screen
import SectionedResults
import Testing
import TextLayout

/// Sends events and asserts everything: the whole state afterwards, and all effects in order.
struct TestStore {
  var state: State

  /// A store over a list with these rows per section, on 2026-11-21 at 80×24.
  init(_ counts: [Int] = [], columns: Int = 80, lines: Int = 24) {
    state = State(
      journal: "journal.sqlite", today: Day(daysSinceEpoch: 20_778),
      size: Size(columns: columns, lines: lines))
    state.commands.catalog = Self.catalog
    if !counts.isEmpty { state.list.widget.reload(sections: Self.sections(counts), generation: 1) }
  }

  /// Sections with made-up keys.
  static func sections(_ counts: [Int]) -> [ListWidget.Section] {
    counts.enumerated().map { ListWidget.Section(key: "k\($0.offset)", count: $0.element) }
  }

  /// Sends an event; `change` makes all of its changes to the state.
  mutating func send(
    _ event: Event, _ effects: [Effect] = [], at location: SourceLocation = #_sourceLocation,
    change: (inout State) -> Void = { _ in }
  ) {
    var expected = state
    change(&expected)
    let made = update(&state, event)
    expected.takeBookkeeping(from: state)
    #expect(state == expected, sourceLocation: location)
    #expect(made == effects, sourceLocation: location)
  }

  /// Presses keys that only change the state as `change` says.
  mutating func press(
    _ keys: KeySequence, _ effects: [Effect] = [],
    at location: SourceLocation = #_sourceLocation, change: (inout State) -> Void = { _ in }
  ) {
    var expected = state
    change(&expected)
    var made: [Effect] = []
    for key in keys.keys { made += update(&state, .key(key)) }
    expected.takeBookkeeping(from: state)
    #expect(state == expected, sourceLocation: location)
    #expect(made == effects, sourceLocation: location)
  }

  /// An entry that takes so many lines in the pane.
  static func entry(_ number: Int64, lines: Int) -> Entry {
    entry(number, (3...lines).map { "line \($0)" }.joined(separator: "\n"))
  }

  /// An entry with a text.
  static func entry(_ number: Int64, _ text: String) -> Entry {
    let moment = Moment(seconds: 1_795_000_000, offset: 0)
    return Entry(
      uuid: "u\(number)", number: number, created: moment, modified: moment,
      day: Day(daysSinceEpoch: 20_778), text: text)
  }
}

extension State {
  /// Takes over what follows from the effects and has tests of its own.
  fileprivate mutating func takeBookkeeping(from state: State) {
    (work.queries, commands.line) = (state.work.queries, state.commands.line)
    (pressed.lastChange, places) = (state.pressed.lastChange, state.places)
    pressed.hasJustDeleted = state.pressed.hasJustDeleted
    list.hasLostSelection = state.list.hasLostSelection
    // The height follows from the size and the prompt.
    if list.widget.height != state.list.widget.height {
      list.widget.resize(height: state.list.widget.height)
    }
  }
}

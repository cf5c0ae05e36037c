import Journal
import TextLayout

/// The replacement of a list without rows: the reason, and the next keys with a phrase each, in the
/// middle of the screen.
///
/// ```
///            No entries match #work
///
///     Esc   show all entries
///     f     change the filter
/// ```
struct EmptyList {
  /// A key or command, and its effect.
  private struct Step {
    var keys: String
    var phrase: String
  }

  private let keys: KeyTable
  private let state: State

  /// Makes the text for a state.
  init(_ keys: KeyTable, _ state: State) {
    self.keys = keys
    self.state = state
  }

  /// Draws the block; on a small screen at its top, and as much of it as fits.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let keyColumns = steps.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    let phraseColumns = steps.map { TextWidth.columns(of: $0.phrase) }.max() ?? 0
    let width = keyColumns + Self.gap + phraseColumns
    let heading = TextFit.wrap(Sanitizer.line(heading), columns: max(1, rect.width - 2))
    let height = heading.count + (steps.isEmpty ? 0 : 1 + steps.count)
    var row = rect.row + max(0, (rect.height - height) / 3)
    let end = rect.row + rect.height
    for line in heading where row < end {
      let indent = max(0, (rect.width - TextFit.columns(of: line)) / 2)
      canvas.draw(
        line, at: rect.column + indent, row: row, width: rect.width - indent,
        style: Style(.normal, bold: true))
      row += 1
    }
    row += 1
    let start = max(0, min(1, rect.width), (rect.width - width) / 2)
    for step in steps where row < end {
      let column = rect.column + start
      canvas.draw(
        step.keys, at: column, row: row, width: rect.width - start,
        style: Style(.header, bold: true))
      let room = rect.width - start - keyColumns - Self.gap
      canvas.draw(
        TextFit.cut(step.phrase, columns: max(0, room)), at: column + keyColumns + Self.gap,
        row: row, width: max(0, room), style: Style(.hint, dim: true))
      row += 1
    }
  }

  /// The reason and the next keys in words.
  var spokenLines: [String] {
    [heading]
      + steps.map { step in
        // A command is no key.
        Spoken.head(step.keys.contains(" ") ? step.keys : Spoken.keys(step.keys), step.phrase)
      }
  }

  /// The columns between the keys and the phrases.
  private static let gap = 3

  private var isFiltered: Bool { !state.list.scope.filter.isBlank }

  private var heading: String {
    if isFiltered { return "No entries match \(state.list.scope.filter.trimmed)" }
    if state.list.scope.isTrash { return "The trash is empty" }
    let trash = state.list.trash.count
    if trash > 0 {
      return trash == 1
        ? "The only entry is in the trash"
        : "All \(Numbers.grouped(trash)) entries are in the trash"
    }
    return "This journal is empty"
  }

  private var steps: [Step] {
    // Keys go to an open prompt.
    if let prompt = state.prompt.open?.kind {
      return prompt == .newEntry && !isFiltered && !state.list.scope.isTrash
        ? [Step(keys: "Enter", phrase: "saves what you type below")] : []
    }
    if isFiltered {
      let meant = Query.meant(state.list.scope.filter).map {
        [Step(keys: ":filter \($0)", phrase: "what you may have meant")]
      }
      return (meant ?? []) + [
        step(.escape, "show all entries"),
        step(.filter, "change the filter"),
      ]
    }
    if state.list.scope.isTrash { return [step(.trash, "go back to the list")] }
    let writing =
      state.journal.isReadOnly
      ? []
      : [step(.newEntry, "write an entry"), step(.newEntryInEditor, "write it in your editor")]
    if state.list.trash.count > 0 {
      let undo = state.list.trash.isUndone ? [step(.undo, "undo the last deletion")] : []
      return [step(.trash, "show the trash")] + undo + writing.prefix(1)
    }
    let importing =
      state.journal.isReadOnly
      ? [] : [Step(keys: ":import FILE", phrase: "from jrnl, Day One, Markdown…")]
    return writing + importing + [
      step(.help, "all keys"), Step(keys: "daybook demo", phrase: "a tour, in the shell"),
    ]
  }

  private func step(_ action: Action, _ phrase: String) -> Step {
    let key = keys.sequences(for: action, in: .list).first.map(KeyTable.display)
    return Step(keys: key ?? ":\(action.rawValue)", phrase: phrase)
  }
}

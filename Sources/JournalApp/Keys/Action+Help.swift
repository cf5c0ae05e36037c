extension Action {
  /// What the help screen says about the action: a few words in the imperative, below 40 columns.
  public var help: String {
    switch self {
    case .moveDown: "down"
    case .moveUp: "up"
    case .halfPageDown: "half a screen down"
    case .halfPageUp: "half a screen up"
    case .pageDown: "a screen down"
    case .pageUp: "a screen up"
    case .first: "to the top; 5gg to row 5"
    case .last: "to the end; 5G to row 5"
    case .previousSection: "previous section"
    case .nextSection: "next section"
    case .toggleFold: "fold or unfold the section"
    case .foldAll: "fold all sections"
    case .unfoldAll: "unfold all sections"
    case .goToDate: "go to a date"
    case .goToToday: "go to today"
    case .read: "read the entry"
    case .newEntry: "new entry in the prompt"
    case .newEntryInEditor: "new entry in $EDITOR"
    case .edit: "edit the entry in the prompt"
    case .editInEditor: "edit the entry in $EDITOR"
    case .delete: "delete to the trash (u brings it back)"
    case .undo: "undo the last change"
    case .redo: "redo what was undone"
    case .star: "star, or take the star away"
    case .command: "command line, for example :help"
    case .help: "these keys"
    case .redraw: "draw the screen again"
    case .suspend: "suspend"
    case .back: "back, or quit"
    case .escape: "back, or clear"
    case .quit: "quit"
    }
  }

  /// The word on the hint line, or `nil` for actions that stand only on the help screen.
  public func hint(in context: KeyContext) -> String? {
    switch (self, context) {
    case (.newEntry, .list): "new"
    case (.read, .list): "read"
    case (.edit, .list), (.edit, .reading): "edit"
    case (.delete, .list), (.delete, .reading): "delete"
    case (.undo, .list): "undo"
    case (.star, .list), (.star, .reading): "star"
    case (.help, .list), (.help, .reading): "help"
    case (.back, .list): "quit"
    case (.back, .reading), (.back, .help): "back"
    case (.moveDown, .help): "down"
    default: nil
    }
  }
}

/// The help lies over what was there, and leaving it leads back.
extension State {
  mutating func openHelp() {
    let context = self.context
    switch mode {
    case .help: return
    case .list, .order: covered = nil
    case .reading, .page, .versions, .menu, .calendar, .jump, .statistics: covered = mode
    }
    pageSearch = nil
    mode = .help(HelpPage(context: context == .order ? .list : context, layout: HelpLayout()))
  }

  /// Lays the help out, when it was opened or the width is another one.
  mutating func layOutHelp(_ keys: KeyTable) {
    guard case .help(var page) = mode else { return }
    if page.layout.columns != size.columns {
      page.layout = HelpLayout(keys, in: page.context, columns: size.columns)
    }
    page.offset = clamped(page.offset, of: page.layout.lines.count)
    mode = .help(page)
  }

  /// Goes back to what the help lay over, and asks anew for what may have changed meanwhile.
  mutating func uncover(_ covered: Mode) -> [Effect] {
    self.covered = nil
    mode = covered
    fit()
    switch covered {
    case .menu(let menu): show(menu)
    case .statistics: return recounted()
    default: return refreshedReading()
    }
    return []
  }

  /// Forgets what the help lay over when something else took the help's place.
  mutating func forgetCovered() {
    if case .help = mode { return }
    covered = nil
    if case .page = mode { return }
    pageSearch = nil
  }
}

/// The help lies over what was there, and leaving it leads back.
extension State {
  mutating func openHelp() {
    switch mode {
    case .help: break
    case .list, .order: covered = nil
    case .reading, .page, .versions, .menu, .calendar, .jump, .statistics: covered = mode
    }
    mode = .help(0)
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
  }
}

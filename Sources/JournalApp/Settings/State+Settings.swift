extension State {
  /// Begins with what the user has chosen.
  public mutating func take(_ settings: Settings) {
    scope.order = settings.sort
    scope.sectioning = settings.section
    wantsPreview = settings.preview.isWanted
    keepsPrompt = settings.keepsPrompt
    views = settings.views
    firstWeekday = settings.weekStart.weekday
  }

  /// Takes over what was set, and nothing that was not.
  mutating func change(_ settings: Settings, from old: Settings) -> [Effect] {
    firstWeekday = settings.weekStart.weekday
    if settings.keepsPrompt != old.keepsPrompt { keepsPrompt = settings.keepsPrompt }
    var effects: [Effect] = []
    if settings.preview != old.preview {
      wantsPreview = settings.preview.isWanted
      fit()
      effects.append(.measure)
    }
    var next = scope
    if settings.sort != old.sort { next.order = settings.sort }
    if settings.section != old.section { next.sectioning = settings.section }
    return next == scope ? effects : effects + [.show(next)]
  }
}

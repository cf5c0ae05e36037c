extension State {
  /// Begins with what the user has chosen.
  public mutating func take(_ settings: Settings) {
    scope.order = settings.sort
    scope.sectioning = settings.section
    wantsPreview = settings.preview.isWanted
    keepsPrompt = settings.keepsPrompt
    views = settings.views
  }
}

import Journal

/// What a user can choose, as plain values with their defaults.
///
/// The reducer and the drawing read them; where they come from is not known here.
public struct Settings: Equatable, Sendable {
  /// The name of the theme.
  public var theme = "calm"
  /// When a day ends, for what is written here and now.
  public var dayRule = DayRule()
  /// The day that a week of the calendar begins with.
  public var weekStart = WeekStart.monday
  /// How days are written; nil for the long form with the names of `LC_TIME`.
  public var dateFormat: DateFormat?
  /// How times of day are written.
  public var timeFormat = DateFormat.clock
  /// Whether the reading pane stands beside the list.
  public var preview = PreviewMode.auto
  /// Whether the mouse is heard.
  public var hearsMouse = true
  /// The user's editor, a shell command; nil for `$VISUAL`, `$EDITOR` or `vi`.
  public var editor: String?
  /// Whether the prompt for a new entry opens again after each entry.
  public var keepsPrompt = false
  /// The journal's path; nil for the usual one.
  public var journal: String?
  /// The order of a list for which none is asked.
  public var sort = ListOrder.newest
  /// The sections of a list for which none are asked.
  public var section = Sectioning.day
  /// What `purge` leaves in the trash without `--older`, in that option's words; nil for nothing.
  ///
  /// Nothing is ever purged without being asked for.
  public var purgeAfter: String?
  /// Which templates new entries begin with; of several for the same, the last one holds.
  public var templates: [TemplateRule] = []
  /// Queries with names, by name.
  public var views: [SavedView] = []

  /// Makes the defaults.
  public init() {}

  /// How dates and times are written, with month and weekday names.
  public func dateStyle(names: DateNames) -> DateStyle {
    DateStyle(names: names, date: dateFormat, time: timeFormat)
  }

  /// The query of a view, without case.
  public func view(named name: String) -> SavedView? {
    views.first { $0.name.lowercased() == name.lowercased() }
  }
}

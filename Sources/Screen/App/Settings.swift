import Journal

/// What a user can choose, as plain values with their defaults.
///
/// The reducer and the drawing read them; where they come from is not known here.
package struct Settings: Equatable, Sendable {
  /// The name of the theme.
  package var theme = "calm"
  /// When a day ends, for what is written here and now.
  package var dayRule = DayRule()
  /// The day that a week of the calendar begins with.
  package var weekStart = WeekStart.monday
  /// How days are written; nil for the long form with the names of `LC_TIME`.
  package var dateFormat: DateFormat?
  /// How times of day are written.
  package var timeFormat = DateFormat.clock
  /// Whether the reading pane stands beside the list.
  package var preview = PreviewMode.auto
  /// Whether the mouse is heard.
  package var hearsMouse = true
  /// The user's editor, a shell command; nil for `$VISUAL`, `$EDITOR` or `vi`.
  package var editor: String?
  /// Whether the prompt for a new entry opens again after each entry.
  package var keepsPrompt = false
  /// The journal's path; nil for the usual one.
  package var journal: String?
  /// The order of a list for which none is asked.
  package var sort = ListOrder.newest
  /// The sections of a list for which none are asked.
  package var section = Sectioning.day
  /// What `purge` leaves in the trash without `--older`, in that option's words; nil for nothing.
  ///
  /// Nothing is ever purged without being asked for.
  package var purgeAfter: String?
  /// Which templates new entries begin with; of several for the same, the last one holds.
  package var templates: [TemplateRule] = []
  /// Queries with names, by name.
  package var views: [SavedView] = []

  /// Makes the defaults.
  package init() {}

  /// How dates and times are written, with month and weekday names.
  package func dateStyle(names: DateNames) -> DateStyle {
    DateStyle(names: names, date: dateFormat, time: timeFormat)
  }

  /// The query of a view, without case.
  package func view(named name: String) -> SavedView? {
    views.first { $0.name.lowercased() == name.lowercased() }
  }
}

/// Whether the reading pane stands beside the list.
package enum PreviewMode: String, CaseIterable, Sendable {
  /// Where the screen is wide enough for both.
  case auto
  /// Wherever it can stand at all.
  case on
  /// Only when asked for.
  case off

  /// Whether it is wanted; nil where the width decides.
  package var isWanted: Bool? {
    switch self {
    case .auto: nil
    case .on: true
    case .off: false
    }
  }
}

/// A query that has a name.
package struct SavedView: Equatable, Sendable {
  /// The name, as `:view NAME` takes it.
  package var name: String
  /// The query, as typed.
  package var query: String

  /// Makes a view.
  package init(name: String, query: String) {
    self.name = name
    self.query = query
  }
}

/// Which template a new entry begins with, where, and when.
package struct TemplateRule: Hashable, Sendable {
  /// The journal's path as typed; nothing for all journals.
  package var journal: String?
  /// The weekday, 1 for Monday; nothing for all days.
  package var weekday: Int?
  /// The template's name; empty for none.
  package var name: String

  /// Makes a rule.
  package init(journal: String? = nil, weekday: Int? = nil, name: String) {
    self.journal = journal
    self.weekday = weekday
    self.name = name
  }

  /// The names a rule may have in a configuration, the usual one first, then Monday to Sunday.
  package static let keys = [
    "default", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The rule's name in a configuration.
  package var key: String { Self.keys[weekday ?? 0] }
}

extension Settings {
  /// The rule for a new entry, if there is one: that of its journal before that of all journals, that
  /// of its weekday before that of all days.
  ///
  /// - Parameter isJournal: whether a path is that of the entry's journal.
  package func templateRule(weekday: Int, isJournal: (String) -> Bool) -> TemplateRule? {
    let own = templates.filter { $0.journal.map(isJournal) ?? false }
    for rules in [own, templates.filter { $0.journal == nil }] {
      if let rule = rules.last(where: { $0.weekday == weekday }) { return rule }
      if let rule = rules.last(where: { $0.weekday == nil }) { return rule }
    }
    return nil
  }
}

/// The day that a week of the calendar begins with.
///
/// It moves the columns of the month calendar and nothing else: week sections are ISO weeks.
package enum WeekStart: String, CaseIterable, Sendable {
  /// Monday.
  case monday
  /// Saturday.
  case saturday
  /// Sunday.
  case sunday

  /// The number of the day, Monday being 1 and Sunday 7.
  package var weekday: Int {
    switch self {
    case .monday: 1
    case .saturday: 6
    case .sunday: 7
    }
  }
}

extension State {
  /// Begins with what the user has chosen.
  package mutating func take(_ settings: Settings) {
    scope.order = settings.sort
    scope.sectioning = settings.section
    wantsPreview = settings.preview.isWanted
    keepsPrompt = settings.keepsPrompt
    self.settings = settings
  }

  mutating func updateSettings(_ event: SettingsEvent) -> [Effect] {
    switch event {
    case .changed(let settings): return change(settings)
    case .viewsChanged(let views): self.views = views
    }
    return []
  }

  /// Puts changed settings into force; what was chosen on the screen stays unless its setting changed.
  private mutating func change(_ settings: Settings) -> [Effect] {
    let old = self.settings
    self.settings = settings
    layOutStatistics()
    if settings.keepsPrompt != old.keepsPrompt { keepsPrompt = settings.keepsPrompt }
    if settings.preview != old.preview {
      wantsPreview = settings.preview.isWanted
      fit()
    }
    var next = scope
    if settings.sort != old.sort { next.order = settings.sort }
    if settings.section != old.section { next.sectioning = settings.section }
    return next == scope ? [] : [.query(.show(next))]
  }
}

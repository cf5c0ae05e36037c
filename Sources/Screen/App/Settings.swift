import Journal

/// The user's settings as plain values with their defaults.
///
/// The reducer and the views read them; their source is unknown here.
package struct Settings: Equatable, Codable, Sendable {
  /// The name of the theme.
  package var theme = Settings.automaticTheme

  /// The theme that follows the terminal's background.
  package static let automaticTheme = "auto"
  /// The end of a day, for new entries.
  package var dayRule = DayRule()
  /// The first day of a week in the calendar.
  package var weekStart = WeekStart.monday
  /// The format of days; nil for the long form with the names of `LC_TIME`.
  package var dateFormat: DateFormat?
  /// The format of times of day.
  package var timeFormat = DateFormat.clock
  /// Whether the reading pane is shown beside the list.
  package var preview = PreviewMode.auto
  /// Where the reading pane is.
  package var paneSide = PaneSide.auto
  /// The list's share of the screen beside or above the pane, in percent; 0 for a share that
  /// depends on the size.
  package var listShare = 0
  /// The number of lines kept above and below the selected entry while it moves.
  package var scrollMargin = 2
  /// Whether mouse events are used.
  package var hearsMouse = true
  /// Whether the screen is read out line by line, and not drawn; nil for no choice.
  package var isLinear: Bool?
  /// Whether pictures are drawn in the reading pane; nil for no choice.
  package var pictures: PictureMode?
  /// The user's editor, a shell command; nil for `$VISUAL`, `$EDITOR` or `vi`.
  package var editor: String?
  /// The pager of long printed lists, a shell command, empty for none; nil for `$PAGER` or `less`.
  package var pager: String?
  /// The browser of links, a shell command that gets the terminal; nil for `xdg-open`.
  package var browser: String?
  /// Whether the prompt for a new entry reopens after each entry.
  package var keepsPrompt = false
  /// When the screen synchronises by itself.
  package var autoSync = AutoSync()
  /// The name of this machine in a synchronised repository; nil for its host name.
  package var syncDevice: String?
  /// Which files a synchronisation receives; `nil` for all, as in records of earlier versions.
  package var syncedFiles: SyncedFiles?
  /// A shell command that prints the passphrase of sealed journals; nil for none.
  package var passphraseCommand: String?
  /// How long the key of a sealed journal stays in the user's keyring, in seconds; 0 for not at all.
  package var sealKeep: UInt32 = 600
  /// After how long without a key the screen of a sealed journal locks it, in seconds; 0 for never.
  package var lockAfter: UInt32 = 900
  /// The languages of spelling, as `en_GB`; nil for no spelling.
  package var spellLanguages: [String]?
  /// When to remind of an entry of today, in minutes after midnight; nil for never.
  package var remindAt: Int?
  /// The journal's path; nil for the default one.
  package var journal: String?
  /// The default order of lists.
  package var sort = ListOrder.newest
  /// The default sections of lists.
  package var section = Grouping.day
  /// Whether the list by day shows entries of this day in other years, below today.
  package var onThisDay = true
  /// Whether a printed list is marked for terminals; nil for no.
  package var marksLists: Bool?
  /// The age of entries that `purge` keeps in the trash without `--older`, in that option's words;
  /// nil to purge all.
  ///
  /// Nothing is ever purged without a request.
  package var purgeAfter: String?
  /// The templates of new entries; of several for the same case, the last one applies.
  package var templates: [TemplateRule] = []
  /// Queries with names, by name.
  package var views: [SavedView] = []

  package init() {}

  /// All but the command that prints a passphrase, which may contain it.
  private enum CodingKeys: CodingKey {
    case theme, dayRule, weekStart, dateFormat, timeFormat, preview, paneSide, listShare,
      scrollMargin,
      hearsMouse, isLinear, pictures, editor, pager, browser, keepsPrompt, autoSync, syncDevice,
      syncedFiles,
      sealKeep,
      lockAfter, spellLanguages, remindAt, journal, sort, section, onThisDay, marksLists,
      purgeAfter, templates, views
  }

  /// The format of dates and times, with month and weekday names.
  package func dateStyle(names: DateNames) -> DateStyle {
    DateStyle(names: names, date: dateFormat, time: timeFormat)
  }

  /// How the list and the pane divide the screen.
  package var split: Split {
    Split(side: paneSide, share: Split.shares.contains(listShare) ? listShare : nil)
  }

  /// The view with a name, ignoring case.
  package func view(named name: String) -> SavedView? {
    views.first { $0.name.lowercased() == name.lowercased() }
  }
}

/// When the reading pane is shown beside the list.
package enum PreviewMode: String, CaseIterable, Codable, Sendable {
  /// If the screen is wide enough for both.
  case auto
  /// If it fits at all.
  case on
  /// Only on request.
  case off

  /// Whether it is requested; nil if the width decides.
  package var isWanted: Bool? {
    switch self {
    case .auto: nil
    case .on: true
    case .off: false
    }
  }
}

/// How the reading pane shows pictures.
package enum PictureMode: String, CaseIterable, Codable, Sendable {
  /// Drawn, in pixels where the terminal can, else by half blocks where it has colours.
  case auto
  /// By half blocks, also where the terminal draws pixels.
  case blocks
  /// By their names, sizes and types.
  case names
}

/// A named query.
package struct SavedView: Equatable, Codable, Sendable {
  /// The name, as in `:view NAME`.
  package var name: String
  /// The query, as typed.
  package var query: String

  package init(name: String, query: String) {
    self.name = name
    self.query = query
  }
}

/// The template of new entries for a journal and a weekday.
package struct TemplateRule: Hashable, Codable, Sendable {
  /// The journal's path as typed; nil for all journals.
  package var journal: String?
  /// The weekday, 1 for Monday; nil for all days.
  package var weekday: Int?
  /// The template's name; empty for none.
  package var name: String

  package init(journal: String? = nil, weekday: Int? = nil, name: String) {
    self.journal = journal
    self.weekday = weekday
    self.name = name
  }

  /// The names of rules in a configuration: the default one, then Monday to Sunday.
  package static let keys = [
    "default", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The rule's name in a configuration.
  package var key: String { Self.keys[weekday ?? 0] }
}

extension Settings {
  /// The rule for a new entry, if there is one; a rule for its journal precedes one for all
  /// journals, a rule for its weekday one for all days.
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

/// The first day of a week in the calendar.
///
/// It affects the columns of the month calendar only: week sections are ISO weeks.
package enum WeekStart: String, CaseIterable, Codable, Sendable {
  case monday
  case saturday
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

/// Events of the settings.
package enum SettingsEvent: Equatable, Codable, Sendable {
  /// The current settings.
  case changed(Settings)
  /// The saved views of the configuration.
  case viewsChanged([SavedView])
}

extension State {
  /// Applies the user's settings at the start.
  package mutating func take(_ settings: Settings) {
    list.scope.order = settings.sort
    list.scope.grouping = settings.section
    pane.isWanted = settings.preview.isWanted
    pane.split = settings.split
    prompt.reopens = settings.keepsPrompt
    list.widget.scrollMargin = settings.scrollMargin
    self.settings = settings
  }

  mutating func updateSettings(_ event: SettingsEvent) -> [Effect] {
    switch event {
    case .changed(let settings): return change(settings)
    case .viewsChanged(let views):
      self.views = views
      return refreshedSidebar()
    }
  }

  /// Applies changed settings; choices made on the screen stay unless their setting changed.
  private mutating func change(_ settings: Settings) -> [Effect] {
    let old = self.settings
    self.settings = settings
    layOutPage()
    if settings.keepsPrompt != old.keepsPrompt { prompt.reopens = settings.keepsPrompt }
    list.widget.scrollMargin = settings.scrollMargin
    if settings.preview != old.preview { pane.isWanted = settings.preview.isWanted }
    if settings.split != old.split { pane.split = settings.split }
    fit()
    var next = list.scope
    if settings.sort != old.sort { next.order = settings.sort }
    if settings.section != old.section { next.grouping = settings.section }
    return next == list.scope ? [] : [.query(.show(next))]
  }
}

import Journal
import Screen

/// A key of `config.toml`: its parser, its output, and its purpose.
///
/// Parsing, messages, `config show` and its help all use ``all``, so that they know the same keys.
struct SettingKey: Sendable {
  let name: String
  /// Its purpose, in a few words.
  let about: String
  /// Stores a value, or returns the valid values: `one of "auto", "on", "off"`.
  let read: @Sendable (ConfigValue, inout Settings) -> String?
  /// The value as TOML; nil if it is not set.
  let shown: @Sendable (Settings) -> String?
  /// The valid values, if there are few.
  var values: [String] = []
  /// A value for an example, as TOML; needed if there is no default.
  var example = "\"\""

  /// All keys, grouped by subject.
  static let all: [SettingKey] = [
    SettingKey(
      name: "theme", about: "the colours; daybook config themes lists them",
      read: Self.text { $1.theme = $0 }, shown: { TOMLText.quoted($0.theme) }),
    SettingKey(
      name: "day_ends_at", about: "the time at which a day ends, for entries after midnight",
      read: Self.text("a time such as \"04:00\"") { text, settings in
        guard let rule = DayRule(text) else { return false }
        settings.dayRule = rule
        return true
      }, shown: { TOMLText.quoted(Self.clock($0.dayRule.endsAt)) }),
    SettingKey(
      name: "week_starts", about: "the first day of the week in calendar and heat map",
      read: Self.choice(\.weekStart), shown: { TOMLText.quoted($0.weekStart.rawValue) },
      values: WeekStart.allCases.map(\.rawValue)),
    SettingKey(
      name: "date_format", about: "the format of dates, as in strftime; empty for the long form",
      read: Self.text("a pattern such as \"%d.%m.%Y\"", Self.readDate),
      shown: { TOMLText.quoted($0.dateFormat?.pattern ?? "") }),
    SettingKey(
      name: "time_format", about: "the format of times, as in strftime; or \"24h\", \"12h\"",
      read: Self.text("\"24h\", \"12h\" or a pattern such as \"%H:%M\"", Self.readTime),
      shown: { TOMLText.quoted($0.timeFormat.pattern) }),
    SettingKey(
      name: "preview", about: "the reading pane beside the list",
      read: Self.choice(\.preview), shown: { TOMLText.quoted($0.preview.rawValue) },
      values: PreviewMode.allCases.map(\.rawValue)),
    SettingKey(
      name: "split", about: "where the reading pane is",
      read: Self.choice(\.paneSide), shown: { TOMLText.quoted($0.paneSide.rawValue) },
      values: PaneSide.allCases.map(\.rawValue)),
    SettingKey(
      name: "list_share", about: "the list's share of the screen in per cent; 0 for automatic",
      read: Self.number(in: "0, or a number from 20 to 80", \.listShare) {
        $0 == 0 || Split.shares.contains($0)
      }, shown: { "\($0.listShare)" }),
    SettingKey(
      name: "scrolloff", about: "lines kept above and below the selected entry",
      read: Self.number(0...999, \.scrollMargin), shown: { "\($0.scrollMargin)" }),
    SettingKey(
      name: "mouse", about: "use the mouse",
      read: Self.flag(\.hearsMouse), shown: { "\($0.hearsMouse)" }, values: flags),
    SettingKey(
      name: "linear", about: "say the screen in lines, for screen readers; from the next start",
      read: { value, settings in
        guard case .flag(let flag) = value else { return "true or false" }
        settings.isLinear = flag ? true : nil
        return nil
      }, shown: { "\($0.isLinear == true)" }, values: flags),
    SettingKey(
      name: "pictures", about: "how the reading pane shows pictures; drawing needs libvips",
      read: { value, settings in
        guard case .text(let text) = value, let mode = PictureMode(rawValue: text) else {
          return "one of \"auto\", \"blocks\", \"names\""
        }
        settings.pictures = mode == .auto ? nil : mode
        return nil
      }, shown: { TOMLText.quoted(($0.pictures ?? .auto).rawValue) },
      values: PictureMode.allCases.map(\.rawValue)),
    SettingKey(
      name: "editor", about: "the editor, a shell command; by default $VISUAL, $EDITOR, vi",
      read: Self.filled("a command such as \"vim\"", \.editor),
      shown: { $0.editor.map(TOMLText.quoted) },
      example: "\"vim\""),
    SettingKey(
      name: "pager", about: "the pager, a shell command, empty for none; by default $PAGER, less",
      read: Self.text { $1.pager = $0 }, shown: { $0.pager.map(TOMLText.quoted) },
      example: "\"less\""),
    SettingKey(
      name: "browser", about: "the command that opens links; by default xdg-open",
      read: Self.filled("a command such as \"w3m\"", \.browser),
      shown: { $0.browser.map(TOMLText.quoted) },
      example: "\"w3m\""),
    SettingKey(
      name: "prompt", about: "open the prompt again after each new entry",
      read: Self.flag(\.keepsPrompt), shown: { "\($0.keepsPrompt)" }, values: flags),
    SettingKey(
      name: "journal", about: "the journal's path; --journal and DAYBOOK_JOURNAL override it",
      read: Self.text("a path that begins with / or ~/", Self.readJournal),
      shown: { $0.journal.map(TOMLText.quoted) },
      example: "\"~/notes/journal.sqlite\""),
    SettingKey(
      name: "on_this_day", about: "show entries of this day in other years, below today",
      read: Self.flag(\.onThisDay), shown: { "\($0.onThisDay)" }, values: flags),
    SettingKey(
      name: "sort", about: "the default order of lists",
      read: Self.choice(\.sort), shown: { TOMLText.quoted($0.sort.rawValue) },
      values: ListOrder.allCases.map(\.rawValue)),
    SettingKey(
      name: "section", about: "the default sections of lists",
      read: Self.choice(\.section), shown: { TOMLText.quoted($0.section.rawValue) },
      values: Grouping.allCases.map(\.rawValue)),
    SettingKey(
      name: "list_marks", about: "mark printed lists for terminals that jump between outputs",
      read: { value, settings in
        guard case .flag(let flag) = value else { return "true or false" }
        settings.marksLists = flag ? true : nil
        return nil
      }, shown: { "\($0.marksLists ?? false)" }, values: flags),
    SettingKey(
      name: "purge_after", about: "the age in the trash from which purge removes entries",
      read: Self.text("a time such as \"90d\", \"12w\" or \"1y\"", Self.readAge),
      shown: { $0.purgeAfter.map(TOMLText.quoted) },
      example: "\"90d\""),
    SettingKey(
      name: "sync.auto", about: "when the screen synchronises by itself",
      read: Self.texts(AutoSync.wanted) { texts, settings in
        guard let auto = AutoSync(texts) else { return false }
        settings.autoSync = auto
        return true
      },
      shown: { "[" + $0.autoSync.words.map(TOMLText.quoted).joined(separator: ", ") + "]" }),
    SettingKey(
      name: "sync.files",
      about: "which files a synchronisation receives; others are fetched when opened",
      read: Self.text(SyncedFiles.wanted) { text, settings in
        guard let files = SyncedFiles(text) else { return false }
        settings.syncedFiles = files == .all ? nil : files
        return true
      }, shown: { TOMLText.quoted(($0.syncedFiles ?? .all).words) }),
    SettingKey(
      name: "sync.device", about: "this machine's name in a repository; else its host name",
      read: Self.filled("a name such as \"laptop\"", \.syncDevice),
      shown: { $0.syncDevice.map(TOMLText.quoted) },
      example: "\"laptop\""),
    SettingKey(
      name: "spell.languages", about: "languages of spelling while one writes; needs libhunspell",
      read: Self.texts("languages such as [\"en_GB\", \"de_DE\"]") { texts, settings in
        guard texts.allSatisfy(HunspellDictionary.isName) else { return false }
        settings.spellLanguages = texts.isEmpty ? nil : texts
        return true
      },
      shown: { "[" + ($0.spellLanguages ?? []).map(TOMLText.quoted).joined(separator: ", ") + "]" }),
    SettingKey(
      name: "seal.keep", about: "how long an unlocked journal stays open; \"0\" for one command",
      read: Self.text("a time such as \"10m\", \"8h\" or \"0\"") { text, settings in
        guard let time = KeepTime(text) else { return false }
        settings.sealKeep = time.seconds
        return true
      }, shown: { TOMLText.quoted(KeepTime(seconds: $0.sealKeep).text) }),
    SettingKey(
      name: "seal.lock_after", about: "when an idle screen locks a sealed journal; \"0\" for never",
      read: Self.text("a time such as \"15m\", \"1h\" or \"0\"") { text, settings in
        guard let time = KeepTime(text) else { return false }
        settings.lockAfter = time.seconds
        return true
      }, shown: { TOMLText.quoted(KeepTime(seconds: $0.lockAfter).text) }),
    SettingKey(
      name: "seal.passphrase_command", about: "a command that prints the passphrase",
      read: Self.filled("a command such as \"pass show journal\"", \.passphraseCommand),
      shown: { $0.passphraseCommand.map(TOMLText.quoted) },
      example: "\"secret-tool lookup daybook journal\""),
    SettingKey(
      name: "remind.at", about: "when to remind of the day's entry; then run daybook remind",
      read: Self.text("a time such as \"21:00\"") { text, settings in
        guard let time = DayRule(text) else { return false }
        settings.remindAt = time.endsAt
        return true
      }, shown: { $0.remindAt.map { TOMLText.quoted(Self.clock($0)) } },
      example: "\"21:00\""),
  ]

  /// The key with a name.
  static func named(_ name: String) -> SettingKey? { all.first { $0.name == name } }

  /// The key with a name.
  ///
  /// - Throws: ``Failure`` 64 with the nearest one.
  static func find(_ name: String) throws(Failure) -> SettingKey {
    if let key = named(name) { return key }
    throw Failure(
      .usage,
      ConfigProblem.unknown("key", name, among: all.map(\.name), else: ":set shows them"))
  }

  private static let flags = ["true", "false"]

  /// The typed value of the key, without the quotes that a file requires.
  func value(_ typed: String) -> ConfigValue {
    guard values == Self.flags else {
      return isNumber ? Int(typed).map(ConfigValue.number) ?? .text(typed) : .text(typed)
    }
    switch typed.lowercased() {
    case "true", "on", "yes": return .flag(true)
    case "false", "off", "no": return .flag(false)
    default: return .text(typed)
    }
  }

  /// Whether its value is a number, which is written without quotes.
  private var isNumber: Bool { shown(Settings()).map { Int($0) != nil } ?? false }

  /// Whether it can change while the screen is open; the journal changes by `:open`.
  var isChangeable: Bool {
    !["journal", "linear", "pager", "list_marks", "purge_after", "remind.at"].contains(name)
  }

  /// The keys that can change while the screen is open.
  static var changeable: [SettingKey] { all.filter(\.isChangeable) }
}

// MARK: - Readers

extension SettingKey {
  private typealias Reader = @Sendable (ConfigValue, inout Settings) -> String?

  private static func text(_ set: @escaping @Sendable (String, inout Settings) -> Void) -> Reader {
    text("a string in quotes") { text, settings in
      set(text, &settings)
      return true
    }
  }

  private static func text(
    _ wanted: String, _ set: @escaping @Sendable (String, inout Settings) -> Bool
  ) -> Reader {
    { value, settings in
      guard case .text(let text) = value, set(text, &settings) else { return wanted }
      return nil
    }
  }

  private static func number(
    _ range: ClosedRange<Int>, _ path: WritableKeyPath<Settings, Int> & Sendable
  ) -> Reader {
    number(in: "a number from \(range.lowerBound) to \(range.upperBound)", path) {
      range.contains($0)
    }
  }

  /// A text that is not blank.
  private static func filled(
    _ wanted: String, _ path: WritableKeyPath<Settings, String?> & Sendable
  ) -> Reader {
    text(wanted) { text, settings in
      guard !text.allSatisfy(\.isWhitespace) else { return false }
      settings[keyPath: path] = text
      return true
    }
  }

  /// A list of texts; typed after `:set`, they are separated by commas.
  private static func texts(
    _ wanted: String, _ set: @escaping @Sendable ([String], inout Settings) -> Bool
  ) -> Reader {
    { value, settings in
      let texts: [String]
      switch value {
      case .texts(let list): texts = list
      case .text(let text):
        // `:set` takes words, also in the form of a file.
        texts = text.split(separator: ",").map { word in
          word.filter { !"[]\"".contains($0) }.split(separator: " ").joined(separator: " ")
        }
      case .number, .flag, .emptyTable, .other: return wanted
      }
      return set(texts, &settings) ? nil : wanted
    }
  }

  private static func number(
    in wanted: String, _ path: WritableKeyPath<Settings, Int> & Sendable,
    _ isValid: @escaping @Sendable (Int) -> Bool
  ) -> Reader {
    { value, settings in
      guard case .number(let number) = value, isValid(number) else { return wanted }
      settings[keyPath: path] = number
      return nil
    }
  }

  private static func flag(
    _ path: WritableKeyPath<Settings, Bool> & Sendable
  ) -> Reader {
    { value, settings in
      guard case .flag(let flag) = value else { return "true or false" }
      settings[keyPath: path] = flag
      return nil
    }
  }

  private static func choice<
    Choice: RawRepresentable<String> & CaseIterable & SendableMetatype
  >(
    _ path: WritableKeyPath<Settings, Choice> & Sendable
  ) -> Reader {
    { value, settings in
      guard case .text(let text) = value, let choice = Choice(rawValue: text) else {
        return "one of " + Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      }
      settings[keyPath: path] = choice
      return nil
    }
  }
}

// MARK: - Values

extension SettingKey {
  private static func clock(_ minutes: Int) -> String {
    [minutes / 60, minutes % 60].map { Digits.padded($0) }.joined(separator: ":")
  }

  private static let readDate: @Sendable (String, inout Settings) -> Bool = { text, settings in
    guard !text.isEmpty else {
      settings.dateFormat = nil
      return true
    }
    guard let format = DateFormat(text, .date) else { return false }
    settings.dateFormat = format
    return true
  }

  private static let readTime: @Sendable (String, inout Settings) -> Bool = { text, settings in
    switch text {
    case "24h": settings.timeFormat = .clock
    case "12h": settings.timeFormat = .halfDayClock
    default:
      guard let format = DateFormat(text, .time) else { return false }
      settings.timeFormat = format
    }
    return true
  }

  private static let readJournal: @Sendable (String, inout Settings) -> Bool = { text, settings in
    if text.hasPrefix("~/"), let home = Places.variable("HOME") {
      settings.journal = home + text.dropFirst()
    } else {
      guard text.hasPrefix("/") || text == ":memory:" else { return false }
      settings.journal = text
    }
    return true
  }

  /// A number and a letter, as for `purge --older`.
  private static let readAge: @Sendable (String, inout Settings) -> Bool = { text, settings in
    guard let unit = text.last, "dwmy".contains(unit), let count = Int(text.dropLast()),
      1...9_999 ~= count
    else { return false }
    settings.purgeAfter = text
    return true
  }
}

/// What kind of words a place takes.
enum CompletionContext: Equatable {
  /// An entry's text: tags are completed, and nothing else.
  case text
  /// Words of the query language.
  case query
  /// A date as people say it.
  case date
  /// The name of a tag, with or without its sign.
  case tag
  /// The number of an entry.
  case entry
  /// The number of an entry, or the name of a tag.
  case entryOrTag
  /// The number of an entry, or a date as people say it.
  case entryOrDate
  /// A line typed after `:`.
  case command
  /// The name of a theme.
  case theme
  /// The name of a template.
  case template
  /// The name of a saved view.
  case view
  /// The name of a saved view, or what is done to one.
  case viewOrVerb
  /// A journal's file or a folder: the rest of the line, spaces and all.
  case path
  /// A file or folder, in quotation marks where its name has spaces.
  case file
  /// The name of a setting.
  case setting
  /// A value of the setting named before it.
  case settingValue
  /// One of these words.
  case choice([String])
  /// Nothing that is known here.
  case nothing

  /// What the whole line of a prompt takes.
  init(_ purpose: PromptPurpose) {
    switch purpose {
    case .newEntry, .edit: self = .text
    case .command: self = .command
    case .date, .redate: self = .date
    case .search, .filter: self = .query
    case .tags: self = .tag
    case .pipe: self = .nothing
    }
  }
}

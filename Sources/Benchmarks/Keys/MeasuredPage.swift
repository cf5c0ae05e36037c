import Screen
import TextLayout

/// A page of row 26: a view of the catalog in one of its states, with the keys that lead to it from the list.
enum MeasuredPage: String, CaseIterable {
  case list
  case flatList = "flat list"
  case tagList = "list by tag"
  case filteredList = "filtered list"
  case searchedList = "searched list"
  case listBesideSidebar = "list beside the sidebar"
  case trash, reading, sidebar, help, output, day, versions, conflict, files, gallery, menu, drafts
  case calendar
  case index, statistics
  case order = "order menu"
  case proposal = "import preview"

  /// The view whose keys work in it.
  var context: KeyContext {
    switch self {
    case .list, .flatList, .tagList, .filteredList, .searchedList, .listBesideSidebar: .list
    case .trash: .trash
    case .reading: .reading
    case .sidebar: .sidebar
    case .help, .output, .day: .page
    case .versions: .versions
    case .conflict: .conflict
    case .files: .files
    case .gallery: .gallery
    case .menu: .menu
    case .drafts: .drafts
    case .calendar: .calendar
    case .index: .jump
    case .statistics: .statistics
    case .order: .order
    case .proposal: .proposal
    }
  }

  /// The keys that lead to it, each pressed when the program is at rest.
  var path: [String] {
    switch self {
    case .list: []
    case .flatList: Self.arranged(by: .sectionNone)
    case .tagList: Self.arranged(by: .sectionTag)
    case .filteredList: Self.keys(of: .filter) + ["bread\r"]
    case .searchedList: Self.keys(of: .search) + ["bread\r"]
    // Hidden and shown again where the sidebar has the keys.
    case .listBesideSidebar: Self.keys(of: .sidebar) + Self.keys(of: .moveRight)
    case .output: [":", "changes\r"]
    case .day: Self.keys(of: .wholeDay)
    case .menu: [":", "tags\r"]
    case .drafts:
      Self.keys(of: .newEntry) + ["an unfinished text", "\u{1b}", ":", "drafts\r"]
    case .proposal: [":", "import \(SampleFiles.imported)\r"]
    case .sidebar: Self.keys(of: .sidebar)
    case .conflict: Self.keys(of: .filter) + ["is:conflict\r"] + Self.keys(of: .versions)
    case .trash, .reading, .help, .versions, .files, .gallery, .calendar, .index,
      .statistics, .order:
      context.opener.map { Self.keys(of: $0) } ?? []
    }
  }

  /// A word of the page's hints, or of its contents, that shows that it is open.
  var sign: String {
    switch self {
    case .filteredList: "bread"
    case .searchedList: "/bread"
    case .output: "changes"
    case .day: SampleFiles.title
    case .menu: "tags"
    default: KeyTable.standard.hints(in: context).first?.word ?? ""
    }
  }

  private static func arranged(by action: Action) -> [String] {
    keys(of: .order) + keys(of: action, in: .order)
  }

  /// The keys of an action in the list, as one text.
  static func keys(of action: Action, in context: KeyContext = .list) -> [String] {
    KeyTable.standard.sequences(for: action, in: context).first.map { [bytes(of: $0).joined()] }
      ?? []
  }

  /// The bytes of each key of a sequence.
  static func bytes(of sequence: KeySequence) -> [String] {
    sequence.keys.map { name in
      KeyStroke(named: name).map { String(decoding: $0.bytes, as: UTF8.self) } ?? name
    }
  }
}

/// The abilities of a delegate, for tests of each one alone.
enum Ability: CaseIterable {
  case nothing
  case titles
  case errors
  case will
  case sections
  case did
  case batch
  case content
  case snapshot
  case difference

  /// Those that need no changes to be followed.
  static let passive: [Ability] = [.nothing, .titles, .errors]
  /// Those that do.
  static let active = allCases.filter { !passive.contains($0) }

  /// A listener with this ability.
  var listener: Listener {
    switch self {
    case .nothing: Listener()
    case .titles: TitleListener()
    case .errors: ErrorListener()
    case .will: WillListener()
    case .sections: SectionListener()
    case .did: DidListener()
    case .batch: BatchListener()
    case .content: ContentListener()
    case .snapshot: SnapshotListener()
    case .difference: DifferenceListener()
    }
  }

  /// Its calls for a commit that inserts a section with one row.
  var told: [String] {
    switch self {
    case .nothing, .titles, .errors: []
    case .will: ["will"]
    case .sections: ["section"]
    case .did: ["did"]
    case .batch: ["batch"]
    case .content: ["content"]
    case .snapshot: ["snapshot"]
    case .difference: ["will", "section", "row", "did"]
    }
  }
}

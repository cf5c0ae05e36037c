import Journal
import JournalStore

/// A change of entries in one undoable step: the operation of a shell command, of a line after `:`
/// and of a key.
enum EntryChange {
  case delete
  case restore
  case star
  case unstar
  case tag([TagEdit])
  case redate(created: Moment, day: Day)

  /// A tag to append or to remove.
  struct TagEdit: Equatable {
    var name: String
    var isRemoval = false

    /// - Throws: `TagError` for a word that is no tag.
    init(_ word: String, isRemoval: Bool = false) throws {
      name = try Tag.parse(word)
      self.isRemoval = isRemoval
    }

    /// Reads tags with signs: `home` and `+home` append, `-home` removes.
    ///
    /// - Throws: `TagError` for a word that is no tag.
    static func parse(_ words: String) throws -> [TagEdit] {
      try words.split(separator: " ").map { word in
        let isSigned = word.hasPrefix("-") || word.hasPrefix("+")
        return try TagEdit(
          String(isSigned ? word.dropFirst() : word), isRemoval: word.hasPrefix("-"))
      }
    }

    fileprivate func applied(to text: String) -> String {
      isRemoval ? Tag.text(removing: name, from: text) : Tag.text(adding: name, to: text)
    }
  }

  /// A change of the date to that of a phrase, relative to now.
  ///
  /// - Throws: `WhenError` for a phrase that is no date.
  static func redate(
    to phrase: String, clock: WallClock, rule: DayRule
  ) throws -> EntryChange {
    let now = clock.moment()
    let when = try When.parse(phrase, now: now, clock: clock, rule: rule)
    let (created, day) = try when.resolved(now: now, clock: clock, rule: rule)
    return .redate(created: created, day: day)
  }

  /// Makes the change in one transaction.
  ///
  /// - Returns: the numbers of the entries that changed.
  /// - Throws: the errors of the store; then nothing was changed.
  func apply(
    to numbers: [Int64], in store: any EntryStore, _ options: BulkOptions = BulkOptions()
  ) throws -> [Int64] {
    switch self {
    case .delete: try store.delete(numbers, options)
    case .restore: try store.restore(numbers, options)
    case .star: try store.setStarred(true, numbers, options)
    case .unstar: try store.setStarred(false, numbers, options)
    case .tag(let edits):
      try store.retag(numbers, as: removesOnly ? .untag : .tag, options) { text in
        edits.reduce(text) { $1.applied(to: $0) }
      }
    case .redate(let created, let day):
      try store.redate(numbers, created: created, day: day, options)
    }
  }

  /// The message for a person: `starred 3 entries`.
  ///
  /// - Parameter entries: the entries that changed, in words.
  func news(_ entries: String) -> String {
    switch self {
    case .delete: "deleted \(entries); u undoes it"
    case .restore: "restored \(entries)"
    case .star: "starred \(entries)"
    case .unstar: "unstarred \(entries)"
    case .tag: "\(removesOnly ? "untagged" : "tagged") \(entries)"
    case .redate(_, let day): "moved \(entries) to \(day)"
    }
  }

  /// The message when no entry changed.
  var newsOfNothing: String {
    switch self {
    case .delete: "already in the trash; r restores it"
    case .restore: "not in the trash"
    case .star, .unstar: "nothing to change"
    case .tag: "no tag to change"
    case .redate: "already on that date"
    }
  }

  private var removesOnly: Bool {
    if case .tag(let edits) = self { edits.allSatisfy(\.isRemoval) } else { false }
  }
}

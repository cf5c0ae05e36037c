import Journal

/// What the list shows: which entries, in which order, in which sections.
public struct ListScope: Hashable, Sendable {
  /// The filter as it was typed; empty for every entry.
  public var filter: String
  /// The order of the rows.
  public var order: ListOrder
  /// What the sections are made by.
  public var sectioning: Sectioning
  /// Whether the list is the trash.
  public var isTrash: Bool
  /// Whether the filter's last word may be the start of one, as while it is typed letter by letter.
  public var takesPrefix: Bool

  /// Makes a scope; every entry by day, the newest first, unless told otherwise.
  public init(
    filter: String = "", order: ListOrder = .newest, sectioning: Sectioning = .day,
    isTrash: Bool = false, takesPrefix: Bool = false
  ) {
    self.filter = filter
    self.order = order
    self.sectioning = sectioning
    self.isTrash = isTrash
    self.takesPrefix = takesPrefix
  }

  /// The same with another filter.
  public func filtered(by filter: String, takesPrefix: Bool = false) -> ListScope {
    var scope = self
    scope.filter = filter
    scope.takesPrefix = takesPrefix
    return scope
  }

  /// Which entries the list holds, whatever their order and sections.
  var coverage: Coverage { Coverage(filter: isFiltered ? filter : "", isTrash: isTrash) }

  private var isFiltered: Bool { !filter.allSatisfy(\.isWhitespace) }

  /// The part of a scope that decides which entries the list holds.
  struct Coverage: Equatable {
    var filter: String
    var isTrash: Bool

    /// Whether it holds every entry outside the trash.
    var isWhole: Bool { filter.isEmpty && !isTrash }
  }

  /// What differs from a fresh start, in a few words: `trash  #home  by tag`.
  public var summary: String {
    let words = (isTrash ? ["trash"] : []) + (filter.isEmpty ? [] : [filter])
    return (words + arrangement).joined(separator: "  ")
  }

  /// The sections and the order in words, where they are not those of a fresh start.
  public var arrangement: [String] {
    var words: [String] = []
    switch sectioning {
    case .day: break
    case .none: words.append("no sections")
    default: words.append("by \(sectioning.rawValue)")
    }
    switch order {
    case .newest: break
    case .oldest: words.append("oldest first")
    case .modified: words.append("latest changed first")
    case .title: words.append("by title")
    }
    return words
  }
}

/// A tag's use over time.
public struct TagStatistics: Hashable, Sendable {
  /// How often a tag was used in a month.
  public struct Month: Hashable, Sendable {
    /// The first day of the month.
    public var first: Day
    /// The entries with the tag.
    public var entries: Int

    /// Makes a month.
    public init(first: Day, entries: Int) {
      self.first = first
      self.entries = entries
    }
  }

  /// The tag's name as its earliest entry typed it: `home`, `@anna`.
  public var tag: String
  /// How many entries have it.
  public var entries: Int
  /// The months it was used in, in order.
  public var months: [Month]

  /// Makes a tag's use.
  public init(tag: String, entries: Int, months: [Month]) {
    self.tag = tag
    self.entries = entries
    self.months = months
  }

  /// How many entries of each of some months have the tag.
  public func entries(inMonths firsts: [Day]) -> [Int] {
    let known = Dictionary(months.map { ($0.first, $0.entries) }, uniquingKeysWith: +)
    return firsts.map { known[$0] ?? 0 }
  }
}

/// Counts the uses of tags by month.
public struct TagTally: Sendable {
  /// How many tags are followed through the months.
  public static let limit = 10

  private var months: [String: [Int: Int]] = [:]

  /// Makes an empty tally.
  public init() {}

  /// Counts an entry with a tag.
  ///
  /// - Parameters:
  ///   - key: the folded tag.
  ///   - month: the entry's month, as ``Day/monthNumber`` gives it.
  public mutating func add(_ key: String, month: Int, entries: Int = 1) {
    months[key, default: [:]][month, default: 0] += entries
  }

  /// How many different tags there are.
  public var count: Int { months.count }

  /// The tags that are used most, by their keys, those used equally often in the order of the keys.
  ///
  /// - Parameter name: how a tag is written, by its key.
  public func top(name: (String) throws -> String) rethrows -> [TagStatistics] {
    let counted = months.map { (key: $0.key, entries: $0.value.values.reduce(0, +)) }
    let ordered = counted.sorted {
      $0.entries == $1.entries
        ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : $0.entries > $1.entries
    }
    return try ordered.prefix(Self.limit).map { tag in
      let uses = (months[tag.key] ?? [:]).sorted { $0.key < $1.key }
      return TagStatistics(
        tag: try name(tag.key), entries: tag.entries,
        months: uses.map { .init(first: Day(monthNumber: $0.key), entries: $0.value) })
    }
  }
}

extension Day {
  /// The month, counted from January of the year 0, so that neighbours are one apart.
  public var monthNumber: Int {
    let (year, month, _) = civil
    return year * 12 + month - 1
  }

  /// The first day of a month, by its number.
  init(monthNumber: Int) {
    self.init(civilYear: monthNumber / 12, month: monthNumber % 12 + 1, day: 1)
  }
}

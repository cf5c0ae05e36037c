extension EntryRow {
  /// A value that rows are ordered by.
  public enum OrderValue: Hashable, Sendable {
    /// Seconds since the epoch.
    case integer(Int64)
    /// A folded title, ordered by its bytes.
    case text(String)
  }

  /// The identity of the section the row stands in.
  ///
  /// In a list by tag it is the tag that the row's identity carries.
  public func sectionKey(for sectioning: Sectioning) -> String {
    sectioning == .tag ? id.tag : Day.sectionKey(for: day, sectioning)
  }

  /// The value a list order compares; ``ListOrder/isDescending`` tells which way.
  public func orderValue(for order: ListOrder) -> OrderValue {
    switch order {
    case .newest, .oldest: .integer(created.seconds)
    case .modified: .integer(modified.seconds)
    case .title: .text(titleKey)
    }
  }

  /// The title without case and accents.
  public var titleKey: String { Folding.fold(title) }
}

extension ListOrder {
  /// Whether the largest value stands first.
  public var isDescending: Bool { self == .newest || self == .modified }
}

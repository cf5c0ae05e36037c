/// Where a row stands in a request's order, without the row's contents.
///
/// Keys are all that a controller keeps for rows nobody looks at.
public struct RowKey<ID: Hashable & Comparable & Sendable>: Hashable, Sendable {
  /// The identity of the row's section; empty for a request without sections.
  public var section: String
  /// The row's values for the request's sort keys, in their order.
  public var values: [SortValue]
  /// The row's identity.
  public var id: ID

  /// Makes a key from its parts.
  public init(section: String, values: [SortValue], id: ID) {
    self.section = section
    self.values = values
    self.id = id
  }
}

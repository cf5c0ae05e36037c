/// A query that has a name.
public struct SavedView: Equatable, Sendable {
  /// The name, as `:view NAME` takes it.
  public var name: String
  /// The query, as typed.
  public var query: String

  /// Makes a view.
  public init(name: String, query: String) {
    self.name = name
    self.query = query
  }
}

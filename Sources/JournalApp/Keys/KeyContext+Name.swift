extension KeyContext {
  /// The name that a configuration file uses, as in `[keys.list]`.
  public var name: String { "\(self)" }

  /// Finds the context with a name.
  public init?(named name: String) {
    guard let context = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = context
  }
}

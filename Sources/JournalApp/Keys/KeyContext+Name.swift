extension KeyContext {
  /// The name that a configuration file uses, as in `[keys.list]`.
  public var name: String { rawValue }
}

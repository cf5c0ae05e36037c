/// One member of an object.
public struct JSONMember: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its value.
  public var value: JSONValue

  /// Makes a member.
  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

import Journal

extension [JSONMember] {
  /// The members without those that another one of the same name, byte for byte, stands behind.
  ///
  /// - Complexity: linear in the bytes of the names.
  func lastOfEachName() -> [JSONMember] {
    if count < 2 { return self }
    var names: Set<[UInt8]> = []
    return reversed().filter { names.insert([UInt8]($0.name.utf8)).inserted }.reversed()
  }
}

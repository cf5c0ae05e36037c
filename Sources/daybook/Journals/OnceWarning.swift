/// Names about which a user was warned, so that each warning comes once.
struct OnceWarning {
  /// The state directory; `nil` if the user has none, so that nothing can be remembered.
  let directory: String?
  /// The name of the file that remembers them.
  let file: String

  /// The maximum size of the file in bytes; a longer one begins again.
  private static let limit = 1 << 16

  /// Whether a name comes for the first time; it is remembered.
  func isFirst(_ name: String) -> Bool {
    let known = names
    guard !known.contains(name) else { return false }
    remember(known + [name])
    return true
  }

  private var path: String? { directory.map { "\($0)/\(file)" } }

  private var names: [String] {
    guard let path, let bytes = DraftFile.read(path, limit: Self.limit),
      let text = String(validating: bytes, as: UTF8.self)
    else { return [] }
    return text.split(separator: "\n").map(String.init)
  }

  /// Errors are ignored: then the warning comes again.
  private func remember(_ names: [String]) {
    guard let directory, let path, names.allSatisfy({ !$0.utf8.contains(0x0A) }),
      (try? DraftFile.makeDirectory(directory)) != nil
    else { return }
    try? DraftFile.write(Array(names.map { $0 + "\n" }.joined().utf8), to: path)
  }
}

import JournalStore

/// The warning about a journal on a network file system, given once for each journal.
struct NetworkWarning {
  /// The state directory; `nil` if the user has none, so that nothing can be remembered.
  let directory: String?
  /// Names the network file system of a path; tests replace it.
  var fileSystem: (String) -> String? = NetworkFileSystem.name(ofFileAt:)

  /// The warning of this user.
  static var ofUser: NetworkWarning { NetworkWarning(directory: try? Places.state()) }

  /// The maximum size of the list in bytes; a longer one begins again.
  private static let limit = 1 << 16

  /// The warning for a journal; `nil` on a local file system, and after the first time.
  func note(for path: String) -> String? {
    guard path != ":memory:", let name = fileSystem(path) else { return nil }
    let real = Places.canonical(path)
    let known = warned
    guard !known.contains(real) else { return nil }
    remember(known + [real])
    return
      "\(path): on a network file system (\(name)), whose locks may not hold: write from one computer"
      + " at a time; daybook sync is made for several"
  }

  private var list: String? { directory.map { "\($0)/network-journals" } }

  private var warned: [String] {
    guard let list, let bytes = DraftFile.read(list, limit: Self.limit),
      let text = String(validating: bytes, as: UTF8.self)
    else { return [] }
    return text.split(separator: "\n").map(String.init)
  }

  /// Errors are ignored: then the warning comes again.
  private func remember(_ paths: [String]) {
    guard let directory, let list, paths.allSatisfy({ !$0.utf8.contains(0x0A) }),
      (try? DraftFile.makeDirectory(directory)) != nil
    else { return }
    try? DraftFile.write(Array(paths.map { $0 + "\n" }.joined().utf8), to: list)
  }
}

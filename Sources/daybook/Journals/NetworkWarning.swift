import JournalStore

/// The warning about a journal on a network file system, given once for each journal.
struct NetworkWarning {
  /// The state directory; `nil` if the user has none, so that nothing can be remembered.
  let directory: String?
  /// Names the network file system of a path; tests replace it.
  var fileSystem: (String) -> String? = NetworkFileSystem.name(ofFileAt:)

  static var ofUser: NetworkWarning { NetworkWarning(directory: try? Places.state()) }

  /// The warning for a journal; `nil` on a local file system, and after the first time.
  func note(for path: String) -> String? {
    guard path != ":memory:", let name = fileSystem(path) else { return nil }
    let given = OnceWarning(directory: directory, file: "network-journals")
    guard given.isFirst(Places.canonical(path)) else { return nil }
    return
      "\(path): on a network file system (\(name)), whose locks may not hold: write from one computer"
      + " at a time; daybook sync is made for several"
  }
}

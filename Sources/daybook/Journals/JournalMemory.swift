import Glibc
import Screen

/// What the screen remembers of journals between runs, in the folder of the state: which were open
/// lately, and how each was looked at.
///
/// Every file is written whole beside its place and renamed, 0600. One that is damaged or of somebody
/// else counts as none and is replaced. Nothing here is worth a failure: a journal opens and closes
/// whether or not this can be read or written.
struct JournalMemory {
  private let folder: String
  /// So many journals are remembered.
  static let most = 20
  /// A larger file is none of ours.
  private static let limit = 1 << 20

  /// Makes a memory over the folder of the state, which need not be there yet.
  init(folder: String) {
    self.folder = folder
  }

  // MARK: Which journals

  /// The journals that were open lately, by their real paths, the latest first.
  var journals: [String] {
    guard let bytes = DraftFile.read(list, limit: Self.limit), bytes.last == 0x0A,
      let text = String(validating: bytes, as: UTF8.self)
    else { return [] }
    let paths = text.split(separator: "\n").map(String.init)
    return paths.allSatisfy { $0.hasPrefix("/") } ? Array(paths.prefix(Self.most)) : []
  }

  /// Notes that a journal is open; what is pushed off the end is forgotten with its view.
  func note(_ path: String) {
    let before = journals
    guard Self.isRememberable(path), before.first != path else { return }
    let all = [path] + before.filter { $0 != path }
    let kept = all.prefix(Self.most)
    write(kept.map { $0 + "\n" }.joined(), to: list)
    for lost in all.dropFirst(Self.most) { unlink(file(of: lost)) }
  }

  // MARK: How each was looked at

  /// How a journal was last looked at; an empty state where nobody knows.
  func view(of path: String) -> ViewState {
    guard let bytes = DraftFile.read(file(of: path), limit: Self.limit),
      let text = String(validating: bytes, as: UTF8.self)
    else { return ViewState() }
    // Names of files may coincide; what stands in the file decides.
    let head = "\(path)\n"
    guard text.utf8.starts(with: head.utf8) else { return ViewState() }
    return ViewState(text: String(text.dropFirst(head.count))) ?? ViewState()
  }

  /// Keeps how a journal is looked at.
  func keep(_ view: ViewState, of path: String) {
    guard Self.isRememberable(path) else { return }
    write("\(path)\n\(view.text)", to: file(of: path))
  }

  private var list: String { "\(folder)/journals" }

  /// A name that any path gives a file.
  private func file(of path: String) -> String {
    "\(folder)/views/\(String(Draft.fingerprint(Array(path.utf8)), radix: 16))"
  }

  private func write(_ text: String, to path: String) {
    let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    // Not remembering is no reason to keep anybody from leaving.
    guard (try? DraftFile.makeFolder(parent)) != nil else { return }
    try? DraftFile.write(Array(text.utf8), to: path)
  }

  /// A path that is one line of a list; any other is not worth a format of its own.
  private static func isRememberable(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.utf8.contains(0x0A)
  }
}

import Files
import Glibc
import JournalStore
import Screen

/// The screen's record of journals between runs, in the state directory: recently opened journals,
/// and the last view of each.
///
/// Every file is replaced atomically, mode 0600, and not synced: nobody waits for the disk to leave the
/// program. A damaged file or one of another user counts as missing and is replaced. Errors are
/// ignored: a journal opens and closes whether or not this can be read or written.
struct RecentJournals {
  private let directory: String
  /// The maximum number of journals.
  static let most = 20
  /// The maximum size of a file in bytes.
  private static let limit = 1 << 20

  /// Makes a record in the state directory, which need not exist yet.
  init(directory: String) {
    self.directory = directory
  }

  // MARK: Recent journals

  /// The recently opened journals, by their real paths, the latest first.
  var journals: [String] {
    guard let bytes = DraftFile.read(list, limit: Self.limit), bytes.last == 0x0A,
      let text = String(validating: bytes, as: UTF8.self)
    else { return [] }
    let paths = text.split(separator: "\n").map(String.init)
    return paths.allSatisfy { $0.hasPrefix("/") } ? Array(paths.prefix(Self.most)) : []
  }

  /// Records that a journal is open; journals over the limit are removed with their views.
  func note(_ path: String) {
    let before = journals
    guard Self.isRememberable(path), before.first != path else { return }
    let all = [path] + before.filter { $0 != path }
    let kept = all.prefix(Self.most)
    write(kept.map { $0 + "\n" }.joined(), to: list)
    for lost in all.dropFirst(Self.most) { unlink(file(of: lost)) }
  }

  // MARK: Views

  /// The last view of a journal; an empty state if unknown.
  func view(of path: String) -> ViewState {
    guard let bytes = DraftFile.read(file(of: path), limit: Self.limit),
      let text = String(validating: bytes, as: UTF8.self)
    else { return ViewState() }
    // File names may collide; the path inside the file decides.
    let head = "\(path)\n"
    guard text.utf8.starts(with: head.utf8) else { return ViewState() }
    return ViewState(text: String(text.dropFirst(head.count))) ?? ViewState()
  }

  /// Saves the view of a journal.
  func keep(_ view: ViewState, of path: String) {
    guard Self.isRememberable(path) else { return }
    write("\(path)\n\(view.text)", to: file(of: path))
  }

  /// Overwrites and removes the view of a journal that is sealed: it has a filter and an entry.
  func removeView(of path: String) {
    Sealing.wipe(file(of: path))
    unlink(file(of: path))
  }

  private var list: String { "\(directory)/journals" }

  /// A file name for any path.
  private func file(of path: String) -> String {
    "\(directory)/views/\(String(Draft.fingerprint(Array(path.utf8)), radix: 16))"
  }

  private func write(_ text: String, to path: String) {
    let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    // A failure here must not block the user from leaving.
    guard (try? DraftFile.makeDirectory(parent)) != nil else { return }
    try? AtomicFile(path, isSynced: false).write(Array(text.utf8))
  }

  /// Whether a path fits on one line of a list; other paths are not recorded.
  private static func isRememberable(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.utf8.contains(0x0A)
  }
}

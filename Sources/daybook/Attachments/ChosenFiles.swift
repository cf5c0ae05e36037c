import Glibc
import Journal
import JournalStore
import Screen

/// The files that a submitted text names by their paths: `![Harbour](attach:/home/me/harbour.jpg)`.
struct ChosenFiles {
  /// The files that can be attached, open, by their paths.
  private(set) var contents: [String: FileContent] = [:]
  /// Why others cannot.
  private var problems: [String] = []

  /// Opens the files, and reads each once.
  ///
  /// Paths that the journal's text has already are no news, unless they were chosen again: they may have come from
  /// another device.
  ///
  /// - Parameters:
  ///   - known: the text of the entry before.
  ///   - isChosen: whether a person chose the file at a path for this text; others are left alone.
  /// - Throws: ``Failure`` with 128 + n when it is cancelled.
  init(
    in text: String, besides known: String, _ store: any EntryStore, _ work: LongWork,
    isChosen: (String) -> Bool
  ) throws {
    let known = Set(PathLink.paths(in: known))
    for path in PathLink.paths(in: text) where contents[path] == nil {
      guard isChosen(path) else {
        if !known.contains(path) {
          problems.append("\(path): nobody chose it here; ^X a in the text attaches it")
        }
        continue
      }
      do {
        guard store.keepsFiles else { throw StoreError.keepsNoFiles(at: store.path) }
        contents[path] = try FileContent(path) { _ in try work.check() }
      } catch let error as FileContentError {
        problems.append("\(error)")
      } catch let error as StoreError {
        problems.append(Failure(explaining: error).screenMessage)
      }
    }
  }

  /// The news of a saved text, with the files that it names in vain.
  func noted(on saved: Saved) -> Saved {
    guard let first = problems.first else { return saved }
    var saved = saved
    let others = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
    saved.text += "; not attached: \(first)\(others)"
    return saved
  }

  /// A typed path from the root: quoted or with `~/` as in a shell, or an address of a file.
  static func absolute(_ typed: String) -> String {
    let end = typed.lastIndex { !$0.isWhitespace }.map { typed[...$0] } ?? ""
    return fromRoot(
      Places.expanded(DroppedPath.path(in: typed) ?? String(end.drop { $0 == " " })))
  }

  /// A path from the root.
  static func fromRoot(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return "\(String(cString: directory))/\(path)"
  }
}

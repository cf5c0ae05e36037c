import Glibc
import Screen

/// What a command of the command line did, as the screen tells it: one line in the status line, more of
/// them on a page with a heading.
struct CommandNews {
  private let words: [String]
  private let heading: String

  /// Makes the news of a command.
  ///
  /// - Parameter line: the line as typed after `:`, where one was.
  init(_ words: [String], line: String?) {
    self.words = words
    heading = ":" + (line ?? words.joined(separator: " "))
  }

  private var name: String { words.first ?? "" }

  /// The news of what it printed and how it ended.
  func event(code: Int32, output: String) -> Event {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.withoutName(String($0)) }
    if lines.last == "" { lines.removeLast() }
    switch (code, lines.count) {
    case (0, 0): return .journal(.saved(Saved(ofNothing)))
    case (0, 1): return .journal(.saved(Saved(told(lines[0]))))
    case (0, _): return .page(.opened(Page(title: heading, heading: heading, lines: lines)))
    case (_, 2...):
      let title = lines.last.flatMap { $0.hasPrefix("added ") ? $0 : nil }
      let page = Page(title: title ?? "\(name): not all was done", heading: heading, lines: lines)
      return .page(.opened(page))
    case (128 + SIGINT, 0): return .journal(.failed("\(name) was given up"))
    case (128 + SIGKILL, _):
      return .journal(.failed("\(name) was killed; look whether it had changed anything"))
    default: return .journal(.failed(lines.last ?? "\(name) ended with \(code)"))
    }
  }

  /// A message without the program's name, which everything on the screen is from.
  private static func withoutName(_ line: String) -> String {
    let name = "daybook: "
    guard line.hasPrefix(name) else { return line }
    return Failure(.notDone, String(line.dropFirst(name.count))).screenMessage
  }

  private var ofNothing: String {
    ["list", "export"].contains(name) ? "no entries match" : "\(name): done"
  }

  /// A line for scripts, such as a count or `NUMBER<TAB>UUID`, in words for people.
  private func told(_ line: String) -> String {
    let parts = line.split(separator: "\t")
    if parts.count == 2, let number = Int64(parts[0]) {
      switch name {
      case "add": return "added entry \(number)"
      case "history": return "entry \(number) has the text of that version again; u undoes"
      default: return "saved entry \(number)"
      }
    }
    if let count = Int(line), let news = done(to: Counting.entries(count)) { return news }
    return name == "backup" && !words.contains("--restore")
      ? "copied the journal to \(Places.abbreviated(line))" : line
  }

  /// What was done to so many entries.
  private func done(to entries: String) -> String? {
    switch name {
    case "delete": "deleted \(entries); u undoes"
    case "restore": "restored \(entries)"
    case "star": "starred \(entries)"
    case "unstar": "took the star from \(entries)"
    case "tag": "tagged \(entries)"
    case "untag": "untagged \(entries)"
    case "redate": "moved \(entries)"
    case "tags": "renamed the tag in \(entries)"
    default: nil
    }
  }
}

extension Failure {
  /// The message as the screen says it: a command that it advises is typed after `:` there.
  var screenMessage: String { message.replacing("; daybook ", with: "; :") }
}

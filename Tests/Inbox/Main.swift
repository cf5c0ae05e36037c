import Foundation
import SectionedResults

/// An inbox of feeds, in one file: a small program over SectionedResults and SectionedResultsGRDB.
@main
struct Main {
  private static let usage = """
    usage: inbox FILE take FEED.xml ...   add the articles of RSS or Atom files
           inbox FILE list                print starred articles, and unread ones by feed
           inbox FILE read|star NUMBER ...
           inbox FILE watch               print the list, then each change, by any program
    """

  @MainActor
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("inbox: \(error)\n".utf8))
      exit(1)
    }
  }

  @MainActor
  private static func run(_ arguments: [String]) async throws {
    guard arguments.count >= 2 else {
      FileHandle.standardError.write(Data("\(usage)\n".utf8))
      exit(64)
    }
    let inbox = try Inbox(path: arguments[0])
    let operands = Array(arguments.dropFirst(2))
    switch arguments[1] {
    case "take":
      for file in operands {
        say("\(try inbox.add(FeedParser.items(ofFile: file))) new from \(file)")
      }
    case "read": try inbox.update(numbers(operands)) { $0.isRead = true }
    case "star": try inbox.update(numbers(operands)) { $0.isStarred.toggle() }
    case "list":
      try inbox.list.fetch()
      try printAll(inbox.list)
    case "watch": try await watch(inbox)
    default: throw FeedParser.Failure(description: "unknown command \(arguments[1])\n\(usage)")
    }
  }

  private static func numbers(_ operands: [String]) throws -> [Int64] {
    try operands.map { text in
      guard let number = Int64(text) else {
        throw FeedParser.Failure(description: "\(text) is not a number")
      }
      return number
    }
  }

  @MainActor
  private static func watch(_ inbox: Inbox) async throws {
    let watcher = Watcher()
    inbox.list.delegate = watcher
    try inbox.list.fetch()
    watcher.controllerNeedsReload(inbox.list)
    try await inbox.follow()
  }

  /// Prints each change of a list that it shows.
  private final class Watcher: ResultsContentDelegate, ResultsErrorDelegate {
    typealias Row = Item

    private var shown = SectionedList()

    func controller(
      _ controller: any ResultsList<Item>, didChangeContentWith change: ResultsChange<Item>
    ) throws {
      _ = try shown.apply(change.batch)
      for row in change.rows { say(line(row)) }
      say("= \(shown.sections.map { "\($0.key) \($0.count)" })")
    }

    func controller(_ controller: any ResultsList<Item>, didFailWith error: any Error) {
      say("! \(error)")
    }

    func controllerNeedsReload(_ controller: any ResultsList<Item>) {
      do {
        shown = SectionedList()
        _ = try shown.apply(controller.currentBatch())
        try printAll(controller)
      } catch {
        say("! \(error)")
      }
    }
  }

  private static func printAll(_ list: any ResultsList<Item>) throws {
    for (section, key) in list.sectionKeys.enumerated() {
      say("\(key) (\(list.numberOfRows(inSection: section)))")
      for row in 0..<list.numberOfRows(inSection: section) {
        say("  \(try line(list.object(at: RowPath(section, row))))")
      }
    }
  }

  /// Writes a line at once, so that a reader of a pipe sees each change.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func line(_ item: Item) -> String {
    "\(item.id) \(item.isStarred ? "*" : " ") \(item.title)"
  }

  private static func line(_ change: ResultsRowChange<Item>) -> String {
    switch change.kind {
    case .insert(let to): "+ \(to) \(line(change.row))"
    case .delete(let from): "- \(from) \(line(change.row))"
    case .move(let from, let to): "\(from) > \(to) \(line(change.row))"
    case .update(_, let to): "~ \(to) \(line(change.row))"
    }
  }
}

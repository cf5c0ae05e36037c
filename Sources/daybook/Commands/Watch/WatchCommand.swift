import ArgumentParser
import Glibc
import Journal
import JournalStore
import SectionedResults
import Terminal
import TextLayout

/// `daybook watch`: the live list.
struct WatchCommand: ParsableCommand, WordOrdering {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the list as JSON Lines, then each change as it happens.",
    discussion: """
      The first line is a reset with all sections and rows. Each later line is one committed change
      of any program: indexes of deleted sections, rows and "from" refer to the list before it, all
      others to the list after it; "counts" is rows per section afterwards. If a change cannot be
      computed, another reset follows. Dates in the query are those of the start.

      Each line has a "stamp". With the last one, --since continues after it: the first line is then
      a resume, and the changes made meanwhile follow. If the history does not reach back, or the
      list is another one, it is a reset.

      It runs until it is interrupted or its output is closed, and sleeps in between.

      Examples:
        daybook watch
        daybook watch '#work' --section tag --full
        daybook watch --since 1204-5f3a9c0d2b7e4811
        daybook watch --limit 1 --section none | while read -r line; do notify-send "$line"; done
      """.reflowed)

  static let wordOrder = WordOrder.text

  @Flag(help: "Print rows with their text.") var full = false
  @Option(help: "Continue after the line with this stamp.") var since: WatchPosition?
  @OptionGroup var options: GlobalOptions
  @OptionGroup var list: ListOptions

  func run() throws {
    try Output.checkOpen()
    let request = try list.request(Configuration.ofUser.settings, in: nil, pageSize: 512)
    // A shell starts background programs with SIGINT ignored, but SIGINT must end this one.
    signal(SIGINT, SIG_DFL)
    let output = LiveOutput(signals: try SignalPipe())
    let follower = try JournalFollower(options, request, isFull: full, since: since, output: output)
    do {
      try follower.run()
    } catch let ended as LiveOutput.Ended {
      if ended.code != 0 { throw Failure(exitCode: ended.code, "") }
    }
  }
}

/// Keeps a live list in step with a journal: waits for a possible commit, and reads it.
final class JournalFollower {
  private let options: GlobalOptions
  private let request: ResultsRequest<EntryRow>
  private let isFull: Bool
  private let output: LiveOutput
  private var store: any EntryStore
  private var list: LiveList
  /// The time of the next retry, in milliseconds; `nil` to wait for an event.
  private var retry: Int?
  private var complaint: String?
  /// The remaining retries for a journal that is missing or incomplete.
  private var patience = JournalFollower.longestPatience

  private static let longestPatience = 40
  private static let pause = 50
  private static let busyPause = 250
  /// The polling interval where the system does not report file changes, in milliseconds.
  private static let blindPause = 1_000

  /// Opens the journal; nothing is written before ``run()``.
  ///
  /// - Throws: the errors of opening the journal and of fetching the list.
  init(
    _ options: GlobalOptions, _ request: ResultsRequest<EntryRow>, isFull: Bool,
    since position: WatchPosition?, output: LiveOutput
  ) throws {
    self.options = options
    self.request = request
    self.isFull = isFull
    self.output = output
    store = try JournalLookup.store(options, for: .following)
    store.beginWatching()
    list = try LiveList(request, store, isFull: isFull, output: output, since: position)
  }

  /// Writes the list and then its changes.
  ///
  /// - Throws: `LiveOutput.Ended` in the end; the errors that make the journal unusable.
  func run() throws -> Never {
    try list.start()
    while true {
      try output.sleep(until: store.changeDescriptor, timeout: timeout)
      try look()
      try list.update()
    }
  }

  private var timeout: Int32 {
    var pauses = [retry, list.isBehind ? Self.busyPause : nil]
    if store.changeDescriptor == nil, store.path != ":memory:" {
      pauses.append(Self.blindPause)
    }
    return Int32(pauses.compactMap(\.self).min() ?? -1)
  }

  private func look() throws {
    do {
      let found = try store.refresh()
      retry = found.retryAfter
      switch found.place {
      case .same: patience = Self.longestPatience
      case .removed: try wait(for: StoreError.gone(at: store.path))
      case .replaced: try reopen()
      }
      complaint = nil
    } catch let error as StoreError where patience > 0 && error.category != .missing {
      // The list is unchanged while the journal cannot be read, for example during another
      // program's write.
      retry = Self.busyPause
      if error.category != .busy { complain(error.description) }
    }
  }

  /// Opens the file that replaced the journal, once it is complete.
  private func reopen() throws {
    do {
      store = try JournalLookup.store(options, for: .following)
      store.beginWatching()
      list = try LiveList(
        request, store, isFull: isFull, output: output, base: list.generation)
    } catch let error as StoreError {
      return try wait(for: error)
    }
    retry = nil
    try list.start()
  }

  private func wait(for error: StoreError) throws {
    guard patience > 0 else { throw error }
    patience -= 1
    retry = Self.pause
  }

  private func complain(_ message: String) {
    if complaint != message { Console.complain(message) }
    complaint = message
  }
}

extension StoreError {
  /// The error for a journal that was removed while it was watched.
  fileprivate static func gone(at place: String) -> StoreError {
    StoreError(.missing, at: place, "the journal's file is gone; watch ends")
  }
}

/// Reads the texts of rows as they were in the rows' state, whatever was committed since.
struct EntryTexts {
  let store: any EntryStore

  /// The whole entries of some rows, in their order; `nil` for an entry whose text was purged.
  ///
  /// - Throws: the errors of the store.
  func entries(of rows: [EntryRow]) throws -> [Entry?] {
    try store.inspect { reader in
      try rows.map { row in try Self.text(of: row, reader).map { row.entry(with: $0) } }
    }
  }

  private static func text(of row: EntryRow, _ reader: any EntryReading) throws -> String? {
    if let entry = try reader.entry(number: row.id.number), entry.checksum == row.checksum {
      return entry.text
    }
    return try reader.versions(of: row.id.number)
      .last { Entry.checksum(of: $0.text) == row.checksum }?.text
  }
}

extension EntryRow {
  fileprivate func entry(with text: String) -> Entry {
    Entry(
      uuid: uuid, number: id.number, created: created, modified: modified, day: day, text: text,
      starred: starred, deleted: deleted)
  }
}

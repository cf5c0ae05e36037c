import Glibc
import Journal
import JournalStore
import Screen

/// Files that a command attaches: opened before anything is written, and taken with progress.
enum AttachedFiles {
  /// Opens files, and reads each once.
  ///
  /// Files that cannot be attached, such as directories, are refused before any is read.
  ///
  /// - Throws: `FileContentError`; ``Failure`` with 128 + n when it is cancelled.
  static func opened(_ paths: [String], _ context: CommandContext) throws -> [FileContent] {
    let paths = context.isOnScreen ? paths.map(Places.expanded) : paths
    let sizes = try paths.map { try FileContent.size(of: $0) }
    return try working("reading", sizes.reduce(0, +), context) { step in
      try paths.map { try FileContent($0, step: step) }
    }
  }

  /// Writes files into the journal.
  ///
  /// - Parameter body: gets what each written piece must be reported to.
  static func writing<Value>(
    _ files: [FileContent], _ context: CommandContext,
    _ body: (@escaping (Int) throws -> Void) throws -> Value
  ) throws -> Value {
    try working("attaching", files.reduce(0) { $0 + $1.stored.size }, context, body)
  }

  /// The moment at which the first photograph was taken that says so, with its day.
  ///
  /// One that is to come is the fault of a camera's clock.
  static func taken(
    _ files: [FileContent], _ clock: WallClock, _ rule: DayRule
  ) -> (created: Moment, day: Day)? {
    let latest = clock.now() + 86_400
    return files.lazy.compactMap { $0.taken?.moment(on: clock) }.first { $0.seconds <= latest }
      .map { ($0, rule.day(of: $0)) }
  }

  /// The same for a text that consists of the links to its files.
  static func taken(
    aloneIn text: String, naming files: [String: FileContent], _ clock: WallClock, _ rule: DayRule
  ) -> (created: Moment, day: Day)? {
    let rest = files.keys.reduce(text) { rest, path in
      [true, false].reduce(rest) {
        $0.replacing(PathLink(path, isPicture: $1).markdown, with: "")
      }
    }
    guard !files.isEmpty, rest.allSatisfy(\.isWhitespace) else { return nil }
    return taken(PathLink.paths(in: text).compactMap { files[$0] }, clock, rule)
  }

  private static func working<Value>(
    _ words: String, _ total: Int, _ context: CommandContext,
    _ body: (@escaping (Int) throws -> Void) throws -> Value
  ) throws -> Value {
    let work = context.work(words)
    var done = 0
    return try work.run { _ in
      try body { count in
        done += count
        try work.check()
        work.reportBytes(done, of: total)
        if done == total { work.phase("saving") }
      }
    }
  }
}

extension FilesPage {
  /// The page of an entry with these files.
  ///
  /// - Parameter absent: the words for a file that the journal lacks.
  init(of entry: Entry, _ files: [Attachment], absent: String) {
    self.init(
      number: entry.number,
      files: files.map { found in
        File(
          name: found.link.name, details: found.file?.details ?? absent,
          target: found.link.target, hash: found.file?.hash, fileName: found.fileName)
      })
  }
}

extension EntryStore {
  /// The words for a file that a text names and the journal lacks.
  var wordsForAbsentFile: String { isSynchronised ? "not fetched" : "not in this journal" }

  /// The same for a file that the repository does not have, either.
  var wordsForLostFile: String {
    "not in this journal" + (isSynchronised ? ", nor in its repository as of the last sync" : "")
  }

  private var isSynchronised: Bool { (try? syncState())?.base != nil }
}

extension Attachment {
  /// The name for a file on a disk.
  var fileName: String {
    // The words of many links are whole names.
    let isWhole =
      !link.suffix.isEmpty && link.words.lowercased().hasSuffix(".\(link.suffix.lowercased())")
    return (isWhole ? link.words : link.name).asFileName
  }
}

extension String {
  /// The name for a file on a disk: without what could be a path or control a terminal, and of a length
  /// that file systems take, with its ending.
  var asFileName: String {
    let name = String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0 == "/" || $0.value < 0x20 ? "-" : $0 }))
    let full = name.isEmpty || name.hasPrefix(".") ? "file" + name : name
    guard full.utf8.count > 240 else { return full }
    let ending = full.lastIndex(of: ".").map { full[$0...] } ?? ""
    let kept = ending.utf8.count <= 16 ? ending : ""
    var short = full.dropLast(kept.count)
    while short.utf8.count + kept.utf8.count > 240 { short.removeLast() }
    return String(short) + kept
  }
}

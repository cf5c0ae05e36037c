import Journal
import JournalStore
import TestSupport
import Testing

/// Words that somebody wrote in the journal or in a file stay, whatever order edits and imports have.
struct RenewalLedgerTests {
  /// What a file says of the state that it comes from.
  enum FileKind: CaseIterable {
    /// A note: nothing.
    case note
    /// Another program's record, with the time of its last change.
    case dated
    /// A note of a vault, which has the `modified` of the entry that Daybook wrote.
    case vault
    /// Daybook's JSON, edited by hand.
    case exact
  }

  /// A file with a record of the entry.
  private struct File {
    var kind: FileKind
    var index: Int64
    var lines: [String]
    var modified: Moment
    var written: Moment?

    var record: ImportedRecord {
      let created = Moment(seconds: 1000, offset: 3600)
      let entry = Entry(
        uuid: RenewalLedgerTests.uuid, created: created, modified: modified, day: created.localDay,
        text: lines.joined(separator: "\n"))
      return switch kind {
      case .note: ImportedRecord(entry, source: index)
      case .dated:
        ImportedRecord(
          entry, modified: modified, hasInstant: true, source: ImportBase.program)
      case .vault:
        ImportedRecord(entry, written: written, isExact: true, hasInstant: true, source: index)
      case .exact:
        ImportedRecord(
          entry, modified: written, written: written, isExact: true, hasInstant: true,
          source: index)
      }
    }
  }

  private static let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"

  /// The words that were written, and those that somebody removed.
  private struct Ledger {
    private(set) var written: Set<String> = []
    private(set) var removed: Set<String> = []
    private var count = 0
    /// Whether lines of both sides have words in common.
    let sharesWords: Bool

    init(sharesWords: Bool) { self.sharesWords = sharesWords }

    mutating func word(_ side: String) -> String {
      count += 1
      written.insert("\(side)\(count)")
      return "\(side)\(count)"
    }

    mutating func line(_ side: String) -> String {
      let words = (0..<3).map { _ in word(side) }
      return ((sharesWords ? ["added", "in"] : []) + words).joined(separator: " ")
    }

    mutating func note(_ old: [String], _ new: [String]) {
      let words = { (lines: [String]) in
        Set(lines.flatMap { $0.split(separator: " ").map(String.init) })
      }
      removed.formUnion(words(old).subtracting(words(new)))
    }

    /// The words that must be there.
    var alive: Set<String> { written.subtracting(removed) }
  }

  /// Appends a line, inserts one, changes a word, ticks a task, or deletes a line.
  private static func edited(
    _ lines: [String], _ side: String, _ ledger: inout Ledger, _ random: inout SeededGenerator,
    replacesWords: Bool = true
  ) -> [String] {
    var new = lines
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2: new.append(ledger.line(side))
    case 3: new.insert(ledger.line(side), at: Int.random(in: 0...new.count, using: &random))
    case 4 where replacesWords:
      let index = Int.random(in: 0..<new.count, using: &random)
      var words = new[index].split(separator: " ").map(String.init)
      let place = Int.random(in: 0..<words.count, using: &random)
      words[place] = ledger.word(side)
      new[index] = words.joined(separator: " ")
    case 5, 6:
      guard let index = new.indices.randomElement(using: &random) else { break }
      new[index] =
        new[index].hasPrefix("- [ ] ")
        ? new[index].replacing("- [ ] ", with: "- [x] ") : new[index] + " \(ledger.line(side))"
    default:
      guard new.count > 2 else { break }
      new.remove(at: Int.random(in: 0..<new.count, using: &random))
    }
    ledger.note(lines, new)
    return new
  }

  private struct Case: CustomTestStringConvertible {
    var kind: FileKind
    var isTicking: Bool
    var files = 1
    var testDescription: String { "\(kind) \(isTicking ? "ticking" : "still") \(files)" }
  }

  /// Another program has one state of a record at a time.
  private static let cases = FileKind.allCases.flatMap { kind in
    [Case(kind: kind, isTicking: true), Case(kind: kind, isTicking: false)]
      + (kind == .dated ? [] : [Case(kind: kind, isTicking: true, files: 2)])
  }

  @Test(
    "a word that nobody removed is in the entry or its conflict, and in a version",
    arguments: cases)
  private func words(tried: Case) throws {
    var doubts: [String] = []
    for seed in SeededGenerator.seeds(100) {
      let story = try run(tried, seed, sharesWords: tried.files == 1 && seed % 2 == 0)
      if let story { doubts.append(story) }
    }
    #expect(
      doubts.isEmpty,
      "RESULTS_SEED=\(SeededGenerator.runSeed)\n\(doubts.joined(separator: "\n\n"))")
  }

  /// - Returns: the history, if a word is in no text of the entry any more but in its versions.
  private func run(_ tried: Case, _ seed: UInt64, sharesWords: Bool) throws -> String? {
    var random = SeededGenerator(seed: seed)
    var ledger = Ledger(sharesWords: sharesWords)
    let clock = tried.isTicking ? TickingClock().clock : .fixed(seconds: 2_000_000, offset: 3600)
    let store = try SQLiteEntryStore(clock: clock)
    var lines = (0..<4).map { _ in ledger.line("base") } + ["- [ ] milk", "- [ ] bread"]
    let first = Moment(seconds: 1000, offset: 3600)
    var files = (0..<tried.files).map {
      File(kind: tried.kind, index: Int64($0 + 1), lines: lines, modified: first, written: first)
    }
    var story: [String] = ["start \(lines)"]
    _ = try store.importing { try $0.add(files[0].record.entry) }
    for _ in 0..<12 {
      let index = Int.random(in: 0..<files.count, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2:
        let present = try store.entry(1)
        guard present.deleted == nil else { continue }
        // Who edits an entry with conflicts settles them, and takes the words of all texts.
        let old = try store.conflicts(of: 1).reduce(present.text) { TextMerge.both($0, $1) }
          .components(separatedBy: "\n")
        lines = Self.edited(old, "here", &ledger, &random)
        story.append("here \(lines)")
        _ = try store.edit(1, text: lines.joined(separator: "\n"))
      case 3...5:
        // A word that two copies replace is taken for one that was replaced twice in one file.
        files[index].lines = Self.edited(
          files[index].lines, "file", &ledger, &random, replacesWords: files.count == 1)
        files[index].modified = clock.moment()
        story.append("file \(index) \(files[index].lines)")
      case 6 where tried.kind == .vault || tried.kind == .exact:
        // What the file has and the journal does not yet is overwritten, so it is imported before.
        try take(files[index], store)
        let present = try store.entry(1)
        guard try store.conflicts(of: 1).isEmpty else { continue }
        files[index].lines = present.text.components(separatedBy: "\n")
        files[index].written = present.modified
        story.append("exported \(index) \(files[index].lines)")
      case 7:
        let isTrashed = try store.entry(1).deleted != nil
        story.append(isTrashed ? "restored" : "trashed")
        if isTrashed { try store.restore([1]) } else { try store.delete([1]) }
      default:
        let texts = { try [store.entry(1).text] + store.conflicts(of: 1) }
        let before = try texts()
        try take(files[index], store)
        story.append("imported \(index): \(try store.entry(1).text.components(separatedBy: "\n"))")
        // Undo skips a step without an effect, and would take back an edit.
        if try texts() != before, Bool.random(using: &random) {
          story.append("undid \(try store.undo().phrase)")
        }
      }
    }
    for file in files { try take(file, store) }
    let texts = try [store.entry(1).text] + store.conflicts(of: 1)
    func words(_ texts: [String]) -> Set<String> {
      Set(texts.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) })
    }
    let told = "\(seed) \(story.joined(separator: "\n"))\n\(texts)"
    let lost = ledger.alive.subtracting(words(texts + (try store.versions(1).map(\.text))))
    #expect(lost.isEmpty, "RESULTS_SEED=\(SeededGenerator.runSeed) lost \(lost)\n\(told)")
    let missing = ledger.alive.subtracting(words(texts))
    return missing.isEmpty ? nil : "\(missing) \(told)"
  }

  private func take(_ file: File, _ store: SQLiteEntryStore) throws {
    _ = try store.importing { try $0.renew(file.record, as: Self.uuid) }
  }
}

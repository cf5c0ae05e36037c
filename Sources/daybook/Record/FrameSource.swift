import Journal
import JournalStore
import Screen
import SectionedResults

/// The source of a frame beside the state: rows, excerpts and offsets, of a journal or of a record.
struct FrameSource {
  /// The rule for times with a displayed offset.
  var offsets: OffsetRule
  /// Reads a row of the list; `nil` if the journal could not read it.
  var row: (RowPath) -> EntryRow?
  /// The sum or the mean in the header of a section; `nil` without values.
  var total: (Int) -> String?
  /// Finds the days among these whose entries have several offsets.
  var daysWithSeveralOffsets: (Set<Day>) -> Set<Day>
  /// Reads entries by their numbers.
  var entries: ([Int64]) throws -> [Entry]
  /// The first read error of a row since the last call.
  var takeFailure: () -> (any Error)?

  /// Reads the journal on the screen.
  init(_ journal: ScreenJournal) {
    offsets = OffsetRule(journal.store.clock)
    row = journal.listing.row(at:)
    total = { [listing = journal.listing] in listing.results.total(inSection: $0) }
    daysWithSeveralOffsets = journal.listing.daysWithSeveralOffsets(among:)
    entries = journal.store.entries
    takeFailure = journal.listing.takeFailure
  }

  /// Answers as a record does, which has excerpts in place of entries.
  init(_ answers: RecordedAnswers) {
    offsets = OffsetRule { [away = answers.away] in !away.contains($0) }
    row = { answers.rows[$0] }
    total = { answers.totals[$0] }
    daysWithSeveralOffsets = { $0.intersection(answers.daysWithSeveralOffsets) }
    entries = { _ in [] }
    takeFailure = { nil }
  }
}

extension ScreenRenderer {
  /// Makes a renderer that reads all that a frame shows beside the state from a source.
  convenience init(_ source: FrameSource, keys: KeyTable = .standard) {
    self.init(
      keys: keys, offsets: source.offsets, total: source.total,
      daysWithSeveralOffsets: source.daysWithSeveralOffsets, row: source.row)
  }
}

/// The last answer of a journal to each question of a frame.
final class RecordedAnswers {
  var rows: [RowPath: EntryRow] = [:]
  var totals: [Int: String] = [:]
  var daysWithSeveralOffsets: Set<Day> = []
  /// The moments at which the clock of the recorded program had another offset.
  let away = MomentSet()
}

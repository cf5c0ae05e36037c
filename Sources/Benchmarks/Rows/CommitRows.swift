import Journal
import JournalStore
import Seal
import SectionedResults
import TestSupport

/// Row 4: the delay between a commit of one entry and its display in the list, in a large and a
/// small journal.
struct CommitRows {
  let bench: Bench
  private static let small = 1_000
  private static let goal = Goal(most: 0.5, mostRatio: 1.3)

  func measure() throws -> [Figure] {
    var figures = try sorts(.lastDay, "on the last day")
    figures += try sorts(.anywhere, "on any day")
    for (name, request) in try CommitRows.requests() {
      let large = try mixed(bench.large, request)
      let small = try mixed(CommitRows.small, request)
      figures.append(figure("any change on any day, \(name)", large, small))
    }
    return figures
  }

  private static func requests() throws -> [(String, EntryRequest)] {
    [
      ("no sections", .entries(sectioning: .none)),
      ("sections by month", .entries(sectioning: .month)),
      ("by title", .entries(order: .title, sectioning: .none)),
      ("last modified first", .entries(order: .modified, sectioning: .none)),
      ("only #home", .entries(query: try home())),
      ("the first 100", .entries(limit: 100)),
    ]
  }

  private static func home() throws -> Query {
    try Query.parse("#home", now: WallClock.system.moment(), clock: .system)
  }

  /// The three kinds of changes, separately.
  private func sorts(_ place: SingleChanges.Place, _ words: String) throws -> [Figure] {
    let large = try sorts(bench.large, place)
    let small = try sorts(CommitRows.small, place)
    return ["insert", "edit", "delete"].enumerated().map { index, name in
      figure("\(name) \(words)", large[index], small[index])
    }
  }

  private func sorts(_ count: Int, _ place: SingleChanges.Place) throws -> [Samples] {
    let rig = try ListRig(try bench.data.copy(count, as: "commit"))
    var changes = SingleChanges(place, count: count, seed: 4)
    var samples = [Samples(), Samples(), Samples()]
    for round in 0...bench.rounds * 8 {
      let delays = [
        try rig.delay(of: changes.insert()), try rig.delay(of: changes.edit()),
        try rig.delay(of: changes.delete()),
      ]
      if round == 0 { continue }
      for (index, delay) in delays.enumerated() { samples[index].add(delay) }
    }
    return samples
  }

  private func mixed(_ count: Int, _ request: EntryRequest) throws -> Samples {
    try mixed(count, in: try bench.data.copy(count, as: "commit"), request)
  }

  /// All kinds of changes in turn, by default under the list that the screen begins with.
  func mixed(
    _ count: Int, in journal: String, _ request: EntryRequest? = nil
  ) throws -> Samples {
    let rig = try ListRig(journal, request)
    var changes = SingleChanges(.anywhere, count: count, seed: 5)
    var samples = Samples()
    for round in 0...bench.rounds * 4 {
      let (insert, edit, delete) = (changes.insert(), changes.edit(), changes.delete())
      for change in [insert, edit, delete] {
        let delay = try rig.delay(of: change)
        if round > 0 { samples.add(delay) }
      }
    }
    return samples
  }

  private func figure(_ name: String, _ large: Samples, _ small: Samples) -> Figure {
    Figure(
      row: 4, name: "\(name), \(Bench.words(bench.large)) entries", value: large.median,
      peer: ("\(Bench.words(CommitRows.small)) entries", small.median), goal: CommitRows.goal)
  }
}

/// Changes of one entry each, at distinct places.
struct SingleChanges {
  /// The place of the changes.
  enum Place {
    /// On any day of the ten years: usually one whose rows are not loaded.
    case anywhere
    /// On the last day.
    case lastDay
  }

  private let place: Place
  private let count: Int
  private var random: SeededGenerator
  private var texts: SampleText
  private var used: Set<Int64> = []

  init(_ place: Place, count: Int, seed: UInt64) {
    self.place = place
    self.count = count
    random = SeededGenerator(seed: seed)
    texts = SampleText(seed: seed)
  }

  /// An insert.
  mutating func insert() -> (SQLiteEntryStore) throws -> Void {
    let days = SampleJournal.days
    let day = place == .anywhere ? days[random.below(days.count)] : days[days.count - 1]
    let second = Int64(day.daysSinceEpoch * 86_400 + 40_000 + random.below(20_000))
    let entry = NewEntry(
      text: texts.next(), created: Moment(seconds: second, offset: 3_600), day: day)
    return { _ = try $0.add([entry]) }
  }

  /// An edit of a text.
  mutating func edit() -> (SQLiteEntryStore) throws -> Void {
    let (number, text) = (number(), texts.next() + " (edited)")
    return { _ = try $0.edit(number, text: text) }
  }

  /// A move to the trash.
  mutating func delete() -> (SQLiteEntryStore) throws -> Void {
    let number = number()
    return { _ = try $0.delete([number]) }
  }

  /// The number of an entry that was not chosen before; numbers follow the entries' order.
  private mutating func number() -> Int64 {
    while true {
      let range = place == .anywhere ? count : min(count, 250)
      let number = Int64(count - random.below(range))
      if used.insert(number).inserted { return number }
    }
  }
}

/// A journal with its results and a list, as on the screen, and the times at which commits returned and
/// the list was updated.
///
/// A store calls its observers in turn after the COMMIT: the first one reads the clock, the second
/// is the host of the results, which updates the list, the third reads the clock again, for changes that
/// the list does not show.
final class ListRig {
  let store: SQLiteEntryStore
  private let results: EntryResults
  private(set) var list = SectionedList()
  private(set) var batches = 0
  private var failure: (any Error)?
  private var observations: [ResultsObservation] = []
  /// The pages that a sealed journal opened and sealed between the last commit and the list.
  private(set) var work = SealWork.now
  private var workAtCommit = SealWork.now
  private var committed: UInt64 = 0
  private var applied: UInt64 = 0
  private var looked: UInt64 = 0

  /// Opens a journal and shows a request; by default the list that the screen begins with.
  init(_ path: String, _ request: EntryRequest? = nil) throws {
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    self.store = store
    let head = request == nil ? DayHead(day: store.clock.moment().localDay) : nil
    results = try EntryResults(store, request ?? .entries(), head: head)
    observations.append(
      store.observeCommits { [weak self] in
        self?.workAtCommit = .now
        self?.committed = Monotonic.now()
      })
    results.receive = { [unowned self] in take($0) }
    try results.fetch()
    observations.append(store.observeCommits { [weak self] in self?.looked = Monotonic.now() })
    list = SectionedList(height: 21)
    reload()
  }

  /// The number of rows in the list.
  var rowCount: Int { list.rowCount }

  private func take(_ news: EntryResultsNews) {
    switch news {
    case .changed(let updates):
      do { try list.apply(updates.batch) } catch { failure = error }
      applied = Monotonic.now()
      batches += 1
    case .reloaded: reload()
    case .failed(let error): failure = error
    }
  }

  private func reload() {
    list.reload(sections: results.sections, generation: results.generation)
  }

  /// Runs a change.
  ///
  /// - Returns: the delay from its commit to its display in the list, in milliseconds.
  /// - Throws: the error of the change or the delivery; a measurement of a failure is worthless.
  func delay(of change: (SQLiteEntryStore) throws -> Void) throws -> Double {
    committed = 0
    applied = 0
    looked = 0
    try change(store)
    work = SealWork.now.since(workAtCommit)
    if let failure { throw failure }
    guard committed > 0, looked >= committed else {
      throw BenchError("a measured change committed nothing")
    }
    return Monotonic.milliseconds(from: committed, to: applied > 0 ? applied : looked)
  }
}

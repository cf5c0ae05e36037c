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
    let figures = try CommitRows.measure([bench, bench.with(large: CommitRows.small)])
    return zip(figures[0], figures[1]).map { large, small in
      var figure = large
      figure.peer = Figure.Peer(
        name: "\(Bench.words(CommitRows.small)) entries", value: small.value)
      figure.goal = CommitRows.goal
      return figure
    }
  }

  /// The figures of large journals, measured in turn: those of the first, those of the second.
  static func measure(_ benches: [Bench]) throws -> [[Figure]] {
    var figures = Array(repeating: [Figure](), count: benches.count)
    func add(_ name: String, _ samples: [Samples]) {
      for (place, bench) in benches.enumerated() {
        figures[place].append(
          Figure(
            row: 4, name: "\(name), \(Bench.words(bench.large)) entries",
            value: samples[place].median))
      }
    }
    for place in SingleChanges.Place.allCases {
      var lists = try benches.map { try ChangedList($0, place) }
      for kind in SingleChanges.Kind.allCases {
        let samples = try Samples.inTurn(lists.count, rounds: benches[0].rounds * 8) {
          try lists[$0].delay(of: kind)
        }
        add("\(kind.rawValue) on \(place.rawValue) day", samples)
      }
    }
    for (name, request) in try requests() {
      var lists = try benches.map { try ChangedList($0, .anywhere, request) }
      add("any change on any day, \(name)", try mixed(&lists, rounds: benches[0].rounds * 4))
    }
    return figures
  }

  /// The times of all kinds of changes under the list that the screen begins with.
  func mixed(_ count: Int, in journal: String) throws -> Samples {
    var lists = [try ChangedList(journal, count, .anywhere)]
    return try CommitRows.mixed(&lists, rounds: bench.rounds * 4)[0]
  }

  private static func mixed(_ lists: inout [ChangedList], rounds: Int) throws -> [Samples] {
    var samples = Array(repeating: Samples(), count: lists.count)
    for kind in SingleChanges.Kind.allCases {
      let found = try Samples.inTurn(lists.count, rounds: rounds) {
        try lists[$0].delay(of: kind)
      }
      for (place, values) in found.enumerated() { samples[place].add(values) }
    }
    return samples
  }

  private static func requests() throws -> [(String, EntryRequest)] {
    [
      ("no sections", .entries(grouping: .none)),
      ("sections by month", .entries(grouping: .month)),
      ("by title", .entries(order: .title, grouping: .none)),
      ("last modified first", .entries(order: .modified, grouping: .none)),
      ("only #home", .entries(query: try home())),
      ("the first 100", .entries(limit: 100)),
    ]
  }

  private static func home() throws -> Query {
    try Query.parse("#home", now: WallClock.system.moment(), clock: .system)
  }
}

/// A list over a copy of a large journal, and the changes that are made to it.
struct ChangedList {
  let rig: ListRig
  private var changes: SingleChanges

  init(_ bench: Bench, _ place: SingleChanges.Place, _ request: EntryRequest? = nil) throws {
    let journal = try bench.data.copy(bench.large, as: "commit")
    try self.init(journal, bench.large, place, request)
  }

  init(
    _ journal: String, _ count: Int, _ place: SingleChanges.Place, _ request: EntryRequest? = nil
  ) throws {
    rig = try ListRig(journal, request)
    changes = SingleChanges(place, count: count, seed: 5)
  }

  /// Makes the next change of a kind.
  ///
  /// - Returns: the delay from its commit to its display in the list, in milliseconds.
  mutating func delay(of kind: SingleChanges.Kind) throws -> Double {
    try rig.delay(of: changes.next(kind))
  }
}

/// Changes of one entry each, at distinct places.
struct SingleChanges {
  /// The place of the changes.
  enum Place: String, CaseIterable {
    case lastDay = "the last"
    /// On any day of the ten years: usually one whose rows are not loaded.
    case anywhere = "any"
  }

  enum Kind: String, CaseIterable {
    case insert, edit, delete
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

  /// The next change of a kind.
  mutating func next(_ kind: Kind) -> (SQLiteEntryStore) throws -> Void {
    switch kind {
    case .insert: insert()
    case .edit: edit()
    case .delete: delete()
    }
  }

  private mutating func insert() -> (SQLiteEntryStore) throws -> Void {
    let days = SampleJournal.days
    let day = place == .anywhere ? days[random.below(days.count)] : days[days.count - 1]
    let second = Int64(day.daysSinceEpoch * 86_400 + 40_000 + random.below(20_000))
    let entry = NewEntry(
      text: texts.next(), created: Moment(seconds: second, offset: 3_600), day: day)
    return { _ = try $0.add([entry]) }
  }

  private mutating func edit() -> (SQLiteEntryStore) throws -> Void {
    let (number, text) = (number(), texts.next() + " (edited)")
    return { _ = try $0.edit(number, text: text) }
  }

  /// To the trash.
  private mutating func delete() -> (SQLiteEntryStore) throws -> Void {
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
final class ListRig: EntryResultsReceiver {
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
    results.receiver = self
    try results.fetch()
    observations.append(store.observeCommits { [weak self] in self?.looked = Monotonic.now() })
    list = SectionedList(height: 21)
    reload()
  }

  /// The number of rows in the list.
  var rowCount: Int { list.rowCount }

  func take(_ news: EntryResultsNews) {
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

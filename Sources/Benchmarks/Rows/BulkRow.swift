import GRDB
import Journal
import JournalStore
import TestSupport

/// Row 6: a transaction of many rows, through the store to the list, compared with its raw SQL.
struct BulkRow {
  let bench: Bench

  private var changed: Int { bench.isQuick ? 1_000 : 10_000 }

  func measure() throws -> [Figure] {
    let journal = try bench.data.copy(bench.large, as: "bulk")
    let raw = try RawTransaction(try bench.data.copy(bench.large, as: "raw"))
    var random = SeededGenerator(seed: 8)
    var samples = BulkSamples()
    for _ in 0..<bench.rounds {
      let numbers = pick(&random)
      let day = SampleJournal.days[random.below(SampleJournal.days.count)]
      let moment = Moment(seconds: Int64(day.daysSinceEpoch * 86_400 + 60_000), offset: 0)
      // A new list each time: after such a transaction, a list has loaded the rows of all days.
      try samples.star(try ListRig(journal), raw, numbers)
      try samples.move(try ListRig(journal), raw, numbers, to: moment, day)
    }
    return figures(samples)
  }

  private func pick(_ random: inout SeededGenerator) -> [Int64] {
    var numbers: Set<Int64> = []
    while numbers.count < changed { numbers.insert(Int64(1 + random.below(bench.large))) }
    return numbers.sorted()
  }

  private func figures(_ samples: BulkSamples) -> [Figure] {
    let count = "\(Bench.words(changed)) of \(Bench.words(bench.large)) entries"
    let goal = Goal(mostRatio: 1.3)
    return [
      Figure(
        row: 6, name: "star \(count), all of it", value: samples.star.median,
        peer: ("raw SQL transaction", samples.rawStar.median), goal: goal),
      Figure(
        row: 6, name: "star \(count), from commit to list", value: samples.starDelay.median,
        peer: ("raw SQL transaction", samples.rawStar.median)),
      Figure(
        row: 6, name: "move \(count) to one day, all of it", value: samples.move.median,
        peer: ("raw SQL transaction", samples.rawMove.median), goal: goal),
      Figure(
        row: 6, name: "move \(count) to one day, from commit to list",
        value: samples.moveDelay.median, peer: ("raw SQL transaction", samples.rawMove.median)),
    ]
  }
}

/// The measurements of row 6, ours and the raw ones alternately.
private struct BulkSamples {
  var star = Samples()
  var starDelay = Samples()
  var rawStar = Samples()
  var move = Samples()
  var moveDelay = Samples()
  var rawMove = Samples()
  private var starred = true

  mutating func star(_ rig: ListRig, _ raw: RawTransaction, _ numbers: [Int64]) throws {
    let start = Monotonic.now()
    starDelay.add(try rig.delay { _ = try $0.setStarred(starred, numbers) })
    star.add(Monotonic.milliseconds(since: start))
    rawStar.add(
      try raw.time(
        setting: "starred = ?, modified = ?", to: [starred ? 1 : 0, 1_795_000_000], of: numbers))
    starred.toggle()
  }

  mutating func move(
    _ rig: ListRig, _ raw: RawTransaction, _ numbers: [Int64], to moment: Moment, _ day: Day
  ) throws {
    let start = Monotonic.now()
    moveDelay.add(
      try rig.delay { _ = try $0.redate(numbers, created: moment, day: day) })
    move.add(Monotonic.milliseconds(since: start))
    rawMove.add(
      try raw.time(
        setting: "created = ?, modified = ?, day = '\(day)'", to: [moment.seconds, 1_795_000_000],
        of: numbers))
  }
}

/// The statements of one of our transactions, run directly with our settings: no entry is read or
/// compared, and there is no observer.
struct RawTransaction {
  private let queue: DatabaseQueue

  init(_ journal: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;
          PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;
          """)
    }
    queue = try DatabaseQueue(path: journal, configuration: configuration)
  }

  /// Runs one statement for each entry, in one change set.
  ///
  /// - Parameters:
  ///   - assignments: the columns to set, with a question mark for each of `values`.
  /// - Returns: the duration of the transaction, in milliseconds.
  func time(
    setting assignments: String, to values: [Int64], of numbers: [Int64]
  ) throws -> Double {
    try Monotonic.milliseconds {
      try queue.write { db in
        try db.execute(
          sql: """
            INSERT INTO change_set (at, at_offset, actor, kind) VALUES (0, 0, 'raw', 'star');
            UPDATE clock SET change_set = last_insert_rowid();
            """)
        let first = try Int64.fetchOne(db, sql: "SELECT max(seq) FROM change") ?? 0
        let update = try db.makeStatement(
          sql: "UPDATE entry SET \(assignments) WHERE number = ?")
        for number in numbers {
          try update.execute(arguments: StatementArguments(values + [number]))
        }
        try db.execute(
          sql: """
            UPDATE change_set SET first_seq = ?, last_seq = (SELECT max(seq) FROM change)
            WHERE id = (SELECT change_set FROM clock)
            """,
          arguments: [first + 1])
        try db.execute(sql: "UPDATE clock SET change_set = NULL")
      }
    }
  }
}

import GRDB

/// The statements of one of our transactions, run by hand over a connection with our settings: no
/// entry is read or compared, and nobody follows.
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
  ///   - assignments: what is set, with a question mark for each of `values`.
  /// - Returns: how long the transaction took, in milliseconds.
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

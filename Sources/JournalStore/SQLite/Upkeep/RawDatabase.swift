import GRDB

/// Connections to files that may be damaged: nothing about their contents is taken for granted.
enum RawDatabase {
  /// Opens a file without looking at its schema.
  ///
  /// - Throws: `DatabaseError` when not even that is possible.
  static func open(_ path: String, isReadOnly: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = Opening.waiting(for: path)
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;
          PRAGMA temp_store=MEMORY; PRAGMA recursive_triggers=OFF; PRAGMA synchronous=FULL;
          """)
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}

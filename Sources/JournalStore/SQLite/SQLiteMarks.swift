import GRDB
import Journal

extension SQLiteReader {
  func destination(of key: String, from number: Int64) throws -> Int64? {
    try LinkGraph(db: db).destination(of: key, in: number)
  }

  func holders(of key: String) throws -> [Int64] { try LinkGraph(db: db).holders(of: key) }

  func isBroken(_ key: String) throws -> Bool { try LinkGraph(db: db).isBroken(key) }

  func sources(of key: String) throws -> [Int64] { try LinkGraph(db: db).sources(of: key) }

  func sources(leadingTo number: Int64) throws -> [Int64] {
    try LinkGraph(db: db).sources(leadingTo: number)
  }

  func fieldNames() throws -> [FieldName] {
    var names: [FieldName] = []
    try db.forEach(
      """
      SELECT name, kind, count(*), (SELECT typed FROM entry_field AS t WHERE live = 1 AND t.name = f.name LIMIT 1)
      FROM entry_field AS f WHERE live = 1 GROUP BY name, kind ORDER BY name, kind
      """
    ) { row in
      guard let kind = FieldValue.Kind(rawValue: row.integer(1)) else { return }
      if names.last?.key != row.text(0) {
        names.append(FieldName(key: row.text(0), name: row.text(3), kinds: [:]))
      }
      names[names.count - 1].kinds[kind] = Int(row.integer(2))
    }
    return names
  }

  func fieldKeys() throws -> [String] {
    var keys: Set<String> = []
    for live in [0, 1] {
      try db.forEach(
        """
        WITH RECURSIVE k(name) AS (
          SELECT min(name) FROM entry_field WHERE live = ?1
          UNION ALL
          SELECT (SELECT min(name) FROM entry_field WHERE live = ?1 AND name > k.name) FROM k
          WHERE name IS NOT NULL
        )
        SELECT name FROM k WHERE name IS NOT NULL
        """, [live]
      ) { row in keys.insert(row.text(0)) }
    }
    return keys.sorted()
  }

  func fields(of number: Int64, named key: String) throws -> [FieldRow] {
    try fields(of: number, named: key, "live = 1")
  }

  /// The values of a field in the text of an entry, also of one in the trash.
  func fieldValues(of number: Int64, named key: String) throws -> [FieldValue] {
    try fields(of: number, named: key, "live IN (0, 1)").map(\.value)
  }

  private func fields(of number: Int64, named key: String, _ live: String) throws -> [FieldRow] {
    var rows: [FieldRow] = []
    try forEachField(
      "entry_field INDEXED BY entry_field_number WHERE \(live) AND name = ? AND number = ? ORDER BY place",
      [key, number]
    ) { rows.append($0) }
    return rows
  }

  func forEachField(named key: String, _ body: (FieldRow) throws -> Void) throws {
    try forEachField("entry_field WHERE live = 1 AND name = ?", [key], body)
  }

  private func forEachField(
    _ source: String, _ arguments: StatementArguments, _ body: (FieldRow) throws -> Void
  ) throws {
    var day = (text: "", day: Day.earliest)
    try db.forEach(
      """
      SELECT number, day, kind, typeof(value) = 'integer', CASE WHEN typeof(value) = 'integer' THEN value END, shown
      FROM \(source)
      """, arguments
    ) { row in
      guard let kind = FieldValue.Kind(rawValue: row.integer(2)) else { return }
      if row.text(1) != day.text { day = (row.text(1), try row.day(1)) }
      let value =
        row.bool(3) ? FieldValue(kind, amount: row.integer(4), unit: row.text(5)) : nil
      try body(FieldRow(number: row.integer(0), day: day.day, value: value ?? .words(row.text(5))))
    }
  }
}

extension SQLiteWriter {
  func destination(of key: String, from number: Int64) throws -> Int64? {
    try reader.destination(of: key, from: number)
  }
  func holders(of key: String) throws -> [Int64] { try reader.holders(of: key) }
  func isBroken(_ key: String) throws -> Bool { try reader.isBroken(key) }
  func sources(of key: String) throws -> [Int64] { try reader.sources(of: key) }
  func sources(leadingTo number: Int64) throws -> [Int64] {
    try reader.sources(leadingTo: number)
  }
  func fieldNames() throws -> [FieldName] { try reader.fieldNames() }
  func fieldKeys() throws -> [String] { try reader.fieldKeys() }
  func fields(of number: Int64, named key: String) throws -> [FieldRow] {
    try reader.fields(of: number, named: key)
  }
  func forEachField(named key: String, _ body: (FieldRow) throws -> Void) throws {
    try reader.forEachField(named: key, body)
  }
}

import GRDB

/// Looks for values that the tables' own checks, or this program, would never have let in.
///
/// A connection for reading does not know the checks of the tables, so that `integrity_check` passes
/// over them there.
struct ValueExamination {
  let db: Database

  /// More lines than this tell nothing new.
  private static let limit = 20

  /// The instants that entries have: those of the years 1 to 9999, wherever on earth.
  static let seconds: ClosedRange<Int64> = (-62_135_596_800 - 86_400)...(253_402_300_799 + 86_400)

  func findings() throws -> [Finding] {
    try entries() + lines() + steps()
  }

  private func entries() throws -> [Finding] {
    try found(
      """
      SELECT number, CASE
        WHEN number <= 0 THEN 'number'
        WHEN typeof(uuid) <> 'text' THEN 'uuid'
        WHEN \(Self.isNoInstant("created")) THEN 'time'
        WHEN \(Self.isNoInstant("modified")) THEN 'time of change'
        WHEN deleted IS NOT NULL AND \(Self.isNoInstant("deleted")) THEN 'time of deletion'
        WHEN typeof(day) <> 'text' OR day IS NOT date(day, '+0 days') OR day < '0001-01-01' THEN 'day'
        WHEN starred NOT IN (0, 1) THEN 'star'
        WHEN typeof(text) <> 'text' OR instr(text, char(0)) > 0 THEN 'text'
        END AS field FROM entry NOT INDEXED
      """
    ) { Finding("entry \($0): its \($1) is not one that an entry can have", .salvage) }
  }

  private static func isNoInstant(_ column: String) -> String {
    "typeof(\(column)) <> 'integer'"
      + " OR \(column) NOT BETWEEN \(seconds.lowerBound) AND \(seconds.upperBound)"
  }

  /// What a line of the log did can be told by nothing else.
  private func lines() throws -> [Finding] {
    try found(
      """
      SELECT seq, CASE WHEN kind NOT IN ('insert', 'update', 'delete', 'purged') THEN 'kind' END
        AS field FROM change
      """
    ) { Finding("line \($0) of the change log: there is no such \($1) of change", .salvage) }
  }

  /// A step whose state is unknown is closed, and is nobody's undo then.
  private func steps() throws -> [Finding] {
    try found(
      """
      SELECT id, CASE WHEN \(ValueExamination.hasWrongState) THEN 'state' END AS field FROM change_set
      """
    ) { Finding("step \($0) of the change log: its \($1) makes no sense", .mending) }
  }

  /// The condition that a step is neither done nor undone nor closed.
  static let hasWrongState = "typeof(state) <> 'integer' OR state NOT BETWEEN 0 AND 3"

  private func found(_ sql: String, _ finding: (Int64, String) -> Finding) throws -> [Finding] {
    var findings: [Finding] = []
    try db.forEach("SELECT * FROM (\(sql)) WHERE field IS NOT NULL LIMIT \(Self.limit)") {
      findings.append(finding($0.integer(0), $0.text(1)))
    }
    return findings
  }
}

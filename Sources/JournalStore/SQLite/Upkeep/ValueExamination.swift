import GRDB
import Journal

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
        \(EntrySchema.fields.map { "WHEN \(Self.isWrong($0)) THEN '\($0.noun)'" }.joined(separator: " "))
        END AS field FROM entry NOT INDEXED
      """
    ) { Finding("entry \($0): its \($1) is not one that an entry can have", .salvage) }
  }

  /// The condition that a column holds nothing that its field can be.
  private static func isWrong(_ field: EntrySchema.Field) -> String {
    let name = field.name
    return switch field.kind {
    case .integer:
      "typeof(\(name)) <> 'integer'" + (name == "number" ? " OR number <= 0" : "")
    case .text:
      "typeof(\(name)) <> 'text'" + (name == "uuid" ? "" : " OR instr(\(name), char(0)) > 0")
    case .flag: "\(name) NOT IN (0, 1)"
    case .day:
      "typeof(\(name)) <> 'text' OR \(name) IS NOT date(\(name), '+0 days') OR \(name) < '0001-01-01'"
    case .moment: isNoInstant(name)
    case .optionalMoment: "\(name) IS NOT NULL AND (\(isNoInstant(name)))"
    }
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

import GRDB
import Journal

/// A query for a link or a field, as conditions on their tables.
struct MarkCondition {
  /// Selects the numbers of the matching entries.
  let numbers: String
  /// The condition on `entry AS e`, which looks up one entry.
  let ofEntry: String
  /// The values of the parameters of either.
  let values: [any DatabaseValueConvertible]

  var arguments: StatementArguments { StatementArguments(values) }

  /// - Parameter wantsDeleted: whether entries in the trash may match.
  init?(_ query: Query, wantsDeleted: Bool) {
    let live = wantsDeleted ? "live IN (0, 1)" : "live = 1"
    let table: String
    let test: String
    switch query {
    case .links(let key): (table, test, values) = ("entry_link", "target = ?", [key])
    case .field(let field):
      table = "entry_field"
      (test, values) = Self.condition(field)
    default: return nil
    }
    numbers = "SELECT number FROM \(table) WHERE \(live) AND \(test)"
    // The index of links finds a key and an entry at once; the fields of one entry are few.
    let index = table == "entry_link" ? "" : " INDEXED BY entry_field_number"
    ofEntry =
      "EXISTS (SELECT 1 FROM \(table)\(index) WHERE live IN (0, 1) AND number = e.number AND \(test))"
  }

  private static func condition(
    _ test: FieldTest
  ) -> (sql: String, values: [any DatabaseValueConvertible]) {
    let name = "name = ?"
    switch test.condition {
    case .any: return (name, [test.name])
    case .amounts(let kind, let range, let unit):
      let (sql, values): (String, [any DatabaseValueConvertible]) = (
        "\(name) AND kind = ? AND value BETWEEN ? AND ?",
        [test.name, kind.rawValue, range.lowerBound, range.upperBound]
      )
      return unit.map { (sql + " AND shown = ? COLLATE NOCASE", values + [$0]) } ?? (sql, values)
    case .text(let text):
      return (
        "\(name) AND kind = ? AND value = ?", [test.name, FieldValue.Kind.words.rawValue, text]
      )
    case .prefix(let start):
      let words = FieldValue.Kind.words.rawValue
      guard let end = start.successorOfPrefix else {
        return ("\(name) AND kind = ? AND value >= ?", [test.name, words, start])
      }
      return (
        "\(name) AND kind = ? AND value >= ? AND value < ?", [test.name, words, start, end]
      )
    }
  }
}

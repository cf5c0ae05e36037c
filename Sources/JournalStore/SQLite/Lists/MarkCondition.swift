import GRDB
import Journal

/// A query for a link, a field or a file, as conditions on their tables.
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
    case .links(let key): (table, test, values) = (MarkTable.links.name, "target = ?", [key])
    case .field(let field):
      table = MarkTable.fields.name
      (test, values) = Self.condition(field)
    case .file(let file):
      table = MarkTable.files.name
      (test, values) = Self.condition(file)
    default: return nil
    }
    numbers = "SELECT number FROM \(table) WHERE \(live) AND \(test)"
    // The index of links finds a key and an entry at once; the fields of one entry are few.
    let index = table == MarkTable.links.name ? "" : " INDEXED BY \(table)_number"
    ofEntry =
      "EXISTS (SELECT 1 FROM \(table)\(index) WHERE live IN (0, 1) AND number = e.number AND \(test))"
  }

  /// Numbers of units that convert, each with its own range; the range of all of them is what the index finds.
  private static func ofUnits(
    _ ranges: [(names: [String], range: ClosedRange<Int64>)], _ test: FieldTest,
    _ kind: FieldValue.Kind
  ) -> (sql: String, values: [any DatabaseValueConvertible]) {
    guard let least = ranges.map(\.range.lowerBound).min(),
      let most = ranges.map(\.range.upperBound).max()
    else { return ("0", []) }
    var values: [any DatabaseValueConvertible] = [test.name, kind.rawValue, least, most]
    let units = ranges.map { names, range in
      values += names.map { $0 as any DatabaseValueConvertible }
      values += [range.lowerBound, range.upperBound] as [any DatabaseValueConvertible]
      let marks = names.map { _ in "?" }.joined(separator: ", ")
      return "lower(shown) IN (\(marks)) AND value BETWEEN ? AND ?"
    }
    return (
      "name = ? AND kind = ? AND value BETWEEN ? AND ? AND (\(units.joined(separator: " OR ")))",
      values
    )
  }

  private static func condition(
    _ test: FileTest
  ) -> (sql: String, values: [any DatabaseValueConvertible]) {
    switch test {
    case .any: return ("1", [])
    case .picture: return ("picture = 1", [])
    case .name(let pattern):
      // Both sides are folded, so that it does not matter that LIKE ignores the case of ASCII.
      let like = pattern.unicodeScalars.reduce(into: "") { like, scalar in
        if "\\%_".unicodeScalars.contains(scalar) { like += "\\" }
        like.unicodeScalars.append(scalar == "*" ? "%" : scalar)
      }
      return ("(name LIKE ? ESCAPE '\\' OR short LIKE ? ESCAPE '\\')", [like, like])
    case .size(let range):
      return ("\(FileTables.sizeOfTarget) BETWEEN ? AND ?", [range.lowerBound, range.upperBound])
    }
  }

  private static func condition(
    _ test: FieldTest
  ) -> (sql: String, values: [any DatabaseValueConvertible]) {
    let name = "name = ?"
    switch test.condition {
    case .either(let conditions):
      let parts = conditions.map { condition(FieldTest(name: test.name, $0)) }
      return ("(\(parts.map(\.sql).joined(separator: " OR ")))", parts.flatMap(\.values))
    case .any: return (name, [test.name])
    case .amounts(let kind, let range, let unit):
      let (sql, values): (String, [any DatabaseValueConvertible]) = (
        "\(name) AND kind = ? AND value BETWEEN ? AND ?",
        [test.name, kind.rawValue, range.lowerBound, range.upperBound]
      )
      return unit.map { ofUnits(FieldUnit($0).ranges(range), test, kind) } ?? (sql, values)
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

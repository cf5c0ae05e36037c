// SPDX-License-Identifier: MIT

/// Count, sum, least and greatest value of a field, over the rows of a section or of a list.
///
/// It equals what reading all rows would give, also after any number of changes: sums are exact and
/// rounded once.
public struct ResultsAggregate: Equatable, Sendable {
  /// The number of values other than `null`.
  public var count: Int
  /// The sum of the numbers: an integer if all of them are and it fits into 64 bits, else a real; 0
  /// without numbers; `null` for infinities of both signs.
  public var sum: SortValue
  /// The average of the numbers; `nil` without numbers.
  public var average: Double?
  /// The least value; `null` without values.
  public var minimum: SortValue
  /// The greatest value; `null` without values.
  public var maximum: SortValue

  /// Makes an aggregate from its parts.
  public init(
    count: Int, sum: SortValue, average: Double?, minimum: SortValue, maximum: SortValue
  ) {
    self.count = count
    self.sum = sum
    self.average = average
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// How often a value occurs in a field of a section's rows, as a store counts them.
public struct ResultsValueCount: Sendable {
  /// The identity of the section.
  public var section: String
  /// The index of the field in the request's ``ResultsRequest/aggregatedFields``.
  public var field: Int
  /// The value.
  public var value: SortValue
  /// The number of rows with the value, at least 1.
  public var count: Int

  /// Makes a count from its parts.
  public init(section: String, field: Int, value: SortValue, count: Int) {
    self.section = section
    self.field = field
    self.value = value
    self.count = count
  }
}

extension ResultsController {
  /// The aggregate of a field over all rows shown.
  ///
  /// A look-up costs O(sections).
  ///
  /// - Returns: `nil` before a fetch, or if the request does not aggregate the field.
  public func aggregate(of field: Row.SortField) -> ResultsAggregate? {
    guard let aggregates = state?.aggregates, let index = aggregates.fields.firstIndex(of: field)
    else { return nil }
    return aggregates.total(of: index)
  }

  /// The aggregate of a field over the rows shown in a section; O(log sections).
  ///
  /// - Returns: `nil` before a fetch, for no such section, or if the request does not aggregate the
  ///   field.
  public func aggregate(of field: Row.SortField, inSection section: Int) -> ResultsAggregate? {
    guard let aggregates = state?.aggregates, let index = aggregates.fields.firstIndex(of: field)
    else { return nil }
    return aggregates.value(of: index, inSection: section)
  }
}

extension ResultsController where Row.SortField == ResultsField<Row> {
  /// The aggregate of a property over all rows shown.
  ///
  /// - Returns: `nil` before a fetch, or if the request does not aggregate the property.
  public func aggregate<Value: SortValueConvertible & SendableMetatype>(
    of property: any KeyPath<Row, Value> & Sendable
  ) -> ResultsAggregate? {
    aggregate(of: ResultsField(property))
  }

  /// The aggregate of a property over the rows shown in a section.
  ///
  /// - Returns: `nil` before a fetch, for no such section, or if the request does not aggregate the
  ///   property.
  public func aggregate<Value: SortValueConvertible & SendableMetatype>(
    of property: any KeyPath<Row, Value> & Sendable, inSection section: Int
  ) -> ResultsAggregate? {
    aggregate(of: ResultsField(property), inSection: section)
  }
}

/// The values of a field in a section's rows, each with the number of its rows.
struct FieldValues {
  private struct Occurrence: Weighted {
    let value: SortValue
    var weight: Int
  }

  private var occurrences = ChunkedArray<Occurrence>()
  private var sum = ExactSum()
  private var count = 0
  private var numbers = 0

  /// Adds a value of some rows; O(log values).
  mutating func add(_ value: SortValue, times: Int = 1) {
    guard value != .null else { return }
    let index = index(of: value)
    if index < occurrences.count, occurrences[index].value.preciseOrder(value) == 0 {
      occurrences[index].weight += times
    } else {
      occurrences.insert(Occurrence(value: value, weight: times), at: index)
    }
    note(value, times)
  }

  /// Takes out the value of a row, or else an equal one of the other kind of number: a key may have
  /// an integer where the row has a real.
  ///
  /// - Returns: whether the value was there.
  mutating func remove(_ value: SortValue) -> Bool {
    guard value != .null else { return true }
    let place = index(of: value)
    guard
      let index = [place, place - 1].first(where: {
        occurrences.indices.contains($0) && occurrences[$0].value == value
      })
    else { return false }
    let found = occurrences[index].value
    occurrences[index].weight -= 1
    if occurrences[index].weight == 0 { occurrences.remove(at: index) }
    note(found, -1)
    return true
  }

  /// Adds the sums and counts of another section, whose values are not kept.
  mutating func addTotals(of other: FieldValues) {
    sum.add(other.sum)
    count += other.count
    numbers += other.numbers
  }

  private mutating func note(_ value: SortValue, _ times: Int) {
    count += times
    if value.isNumber { numbers += times }
    sum.add(value, times: times)
  }

  private func index(of value: SortValue) -> Int {
    partitionPoint(occurrences.count) { occurrences[$0].value.preciseOrder(value) < 0 }
  }

  var minimum: SortValue? { occurrences.isEmpty ? nil : occurrences[0].value }
  var maximum: SortValue? {
    occurrences.isEmpty ? nil : occurrences[occurrences.count - 1].value
  }

  var aggregate: ResultsAggregate {
    let sum = sum.value
    return ResultsAggregate(
      count: count, sum: sum, average: numbers > 0 ? sum.number.map { $0 / Double(numbers) } : nil,
      minimum: minimum ?? .null, maximum: maximum ?? .null)
  }
}

extension SortValue {
  fileprivate var isNumber: Bool { number != nil }

  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value.isNaN ? nil : value
    case .null, .text, .blob: nil
    }
  }
}

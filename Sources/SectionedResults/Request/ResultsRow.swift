// SPDX-License-Identifier: MIT

/// A row that a results controller can show: the entity of Apple's class, as a value.
///
/// Two rows with the same `id` are two states of one object. Equality defines an observable change:
/// a write that leaves the row equal is not reported (rule 40), unless it has another place in the list:
/// Swift takes "é" in one and in two scalars for equal, and places are compared by bytes.
///
/// A type with an `id` needs no more than the conformance:
///
/// ```swift
/// struct Item: ResultsRow {
///   let id: Int64
///   var feed: String
///   var published: Int64
/// }
///
/// ResultsRequest<Item>(sortKeys: [SortKey(\.feed), SortKey(\.published, .descending)], sections: \.feed)
/// ```
///
/// Fields are then key paths, and there is no filter. A type that names its own ``Filter``,
/// ``SortField`` or ``SectionField`` says how to read them.
public protocol ResultsRow: Identifiable, Equatable, Sendable where ID: ResultsID {
  /// The type of a request's filter: a predicate in the terms of the store.
  associatedtype Filter: Equatable & Sendable = Never
  /// The fields by which a request can sort.
  associatedtype SortField: Equatable & Sendable = ResultsField<Self>
  /// The fields by which a request can group rows into sections.
  associatedtype SectionField: Equatable & Sendable = ResultsField<Self>

  /// The entity's name, part of a cache's identity (rule 17); by default the name of the type.
  static var entityName: String { get }
  /// The version of the entity's shape, part of a cache's identity (rule 17); by default 1.
  static var entityVersion: Int { get }

  /// The row's value for a sort field.
  func sortValue(for field: SortField) -> SortValue

  /// The identity of the row's section, for example `2026-11-21`; compared by its UTF-8 bytes.
  ///
  /// It is not the displayed title: a title may change at midnight without a write (rule 13).
  func sectionKey(for field: SectionField) -> String

  /// A condition that every row of a filter meets; by default none.
  ///
  /// Return one only if it follows from the row itself, also where the filter reads other tables.
  static func interest(of filter: Filter) -> ResultsInterest<Self>?
}

extension ResultsRow {
  /// The name of the type.
  public static var entityName: String { "\(Self.self)" }
  /// 1.
  public static var entityVersion: Int { 1 }
  /// No condition.
  public static func interest(of filter: Filter) -> ResultsInterest<Self>? { nil }
}

extension ResultsRow where SortField == ResultsField<Self> {
  /// The value of the field's property.
  public func sortValue(for field: SortField) -> SortValue { field.value(of: self) }
}

extension ResultsRow where SectionField == ResultsField<Self> {
  /// The value of the field's property as text: an integer in digits, nothing for `null`.
  public func sectionKey(for field: SectionField) -> String { field.value(of: self).sectionKey }
}

/// The identity of a row, with an order that decides between rows with equal sort values.
///
/// Identities are compared by their exact form, never by Swift's canonical equivalence: for
/// `String` by its UTF-8 bytes, as a database compares them. A type of your own that is `Hashable`
/// and `Comparable` needs no more than the conformance.
public protocol ResultsID: Hashable, Sendable {
  /// The form that is compared.
  associatedtype Exact: Hashable & Comparable & Sendable = Self
  /// The identity in the form that is compared.
  var exact: Exact { get }
}

extension ResultsID where Exact == Self {
  /// The identity itself.
  public var exact: Self { self }
}

extension Int: ResultsID {}
extension Int32: ResultsID {}
extension Int64: ResultsID {}
extension UInt: ResultsID {}
extension UInt32: ResultsID {}
extension UInt64: ResultsID {}
extension SortValue: ResultsID {}

extension Optional: ResultsID where Wrapped: ResultsID {
  /// The identity in the form that is compared; `nil`, of a row that was not inserted yet, is the first one.
  public var exact: OptionalIdentity<Wrapped.Exact> { OptionalIdentity(value: map { $0.exact }) }
}

/// The exact form of an identity that a store assigns when it inserts the row.
public struct OptionalIdentity<Exact: Hashable & Comparable & Sendable>: Hashable, Comparable,
  Sendable
{
  /// The exact form; `nil` before the row is inserted.
  public let value: Exact?

  /// Orders `nil` first.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    guard let right = rhs.value else { return false }
    return lhs.value.map { $0 < right } ?? true
  }
}

extension String: ResultsID {
  /// The text, compared by its UTF-8 bytes.
  public var exact: SortValue { .text(self) }
}

/// A property by which rows are sorted or grouped.
///
/// Fields are equal if their names are.
public struct ResultsField<Row>: Sendable {
  /// The name of the property: a store's column, and a part of a cache's identity.
  public let name: String
  /// Whether the name is that of a stored property, or was given; a computed property has none by itself.
  public var hasName: Bool { !name.hasPrefix(Self.unnamed) }
  static var unnamed: String { "<computed" }
  private let read: @Sendable (Row) -> SortValue

  /// Makes a field of a property.
  ///
  /// - Parameters:
  ///   - property: the key path of the property.
  ///   - name: by default the path of stored properties, such as `feed` or `author.name`; a
  ///     computed property needs one. A store over a table takes it for the name of a column.
  public init<Value: SortValueConvertible & SendableMetatype>(
    _ property: any KeyPath<Row, Value> & Sendable, named name: String? = nil
  ) {
    self.init(named: name ?? "\(property)".drop { $0 != "." }.dropFirst().description) {
      $0[keyPath: property].sortValue
    }
  }

  /// Makes a field of a computed value.
  public init(named name: String, _ value: @escaping @Sendable (Row) -> SortValue) {
    self.name = name
    read = value
  }

  /// The value of a row.
  public func value(of row: Row) -> SortValue { read(row) }
}

extension ResultsField: Equatable, CustomStringConvertible {
  /// Whether both have the same name.
  public static func == (lhs: ResultsField, rhs: ResultsField) -> Bool { lhs.name == rhs.name }

  /// The name.
  public var description: String { name }
}

extension SortValue {
  /// The value as the identity of a section.
  package var sectionKey: String {
    switch self {
    case .null: ""
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    case .blob(let bytes):
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}

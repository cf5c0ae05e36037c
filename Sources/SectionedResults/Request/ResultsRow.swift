/// A row that a results controller can show: the entity of Apple's class, as a plain value.
///
/// Two rows with the same `id` are the same object in two states. Equality is the observed value: a
/// write after which the row compares equal is not reported (rule 40).
public protocol ResultsRow: Identifiable, Equatable, Sendable where ID: Comparable & Sendable {
  /// What a request may filter by: a predicate in the store's own terms.
  associatedtype Filter: Equatable & Sendable
  /// What a request may sort by.
  associatedtype SortField: Equatable & Sendable
  /// What a request may group sections by.
  associatedtype SectionField: Equatable & Sendable

  /// The entity's name, part of a cache's identity (rule 17).
  static var entityName: String { get }
  /// The version of the entity's shape, part of a cache's identity (rule 17).
  static var entityVersion: Int { get }

  /// The value this row is ordered by for one sort field.
  func sortValue(for field: SortField) -> SortValue

  /// The identity of the section this row belongs to, for example `2026-11-21`.
  ///
  /// It is not the title that people read: a title may change at midnight without a write (rule 13).
  func sectionKey(for field: SectionField) -> String
}

// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults
import SectionedResultsSQL

/// The identity of a row whose primary key has several columns.
///
/// ```swift
/// struct OrderLine: ResultsRow, Codable, FetchableRecord {
///   var orderID: Int64
///   var line: Int
///   var product: String
///   var id: CompositeID { CompositeID(orderID, line) }
/// }
/// ```
///
/// The values are those of the columns of the primary key, in its order: integers, texts without NUL, or
/// blobs, but no reals, and no `NULL`. Rows with equal sort values follow each other in the order of ``description``.
public struct CompositeID: Hashable, Sendable, Codable {
  /// The values of the columns.
  public let values: [SortValue]

  /// Makes an identity from the values of the columns of the primary key, in its order.
  public init(_ values: any SortValueConvertible...) {
    self.values = values.map(\.sortValue)
  }
}

extension CompositeID: ResultsID, Comparable, CustomStringConvertible {
  /// The values as literals of SQL, such as `7,'a'`.
  public var description: String {
    values.map { value in
      switch value {
      case .null: "NULL"
      case .text(let text): "'\(text.replacing("'", with: "''"))'"
      case .blob: "X'\(value.sectionKey.uppercased())'"
      case .integer, .real: value.description
      }
    }.joined(separator: ",")
  }

  /// The bytes of the description, by which rows with equal sort values are ordered.
  public var exact: SortValue { .text(description) }

  /// Whether the left description comes first, by its bytes.
  public static func < (lhs: CompositeID, rhs: CompositeID) -> Bool { lhs.exact < rhs.exact }
}

extension CompositeID: DatabaseValueConvertible {
  /// The description, with which a store compares rows.
  public var databaseValue: DatabaseValue { description.databaseValue }

  /// The identity with a description; `nil` for any other value, and for reals.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> CompositeID? {
    guard case .string(let text) = value.storage else { return nil }
    var values: [SortValue] = []
    var rest = text[...]
    while let part = literal(&rest) {
      values.append(part)
      if rest.isEmpty { return CompositeID(values: values) }
      guard rest.popFirst() == "," else { return nil }
    }
    return nil
  }

  private init(values: [SortValue]) { self.values = values }

  /// Takes a literal from the start of a text.
  private static func literal(_ rest: inout Substring) -> SortValue? {
    let isBlob = rest.first == "X"
    guard isBlob || rest.first == "'" else {
      let end = rest.firstIndex(of: ",") ?? rest.endIndex
      defer { rest = rest[end...] }
      return rest[..<end] == "NULL" ? .null : Int64(rest[..<end]).map(SortValue.integer)
    }
    rest.removeFirst(isBlob ? 2 : 1)
    var text = ""
    while let end = rest.firstIndex(of: "'") {
      text += rest[..<end]
      rest = rest[end...].dropFirst()
      guard rest.first == "'" else { return isBlob ? bytes(text).map(SortValue.blob) : .text(text) }
      text.append("'")
      rest.removeFirst()
    }
    return nil
  }

  private static func bytes(_ digits: String) -> [UInt8]? {
    let digits = Array(digits)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return bytes.count * 2 == digits.count ? bytes : nil
  }
}

extension DatabaseValueConvertible {
  /// The values of the columns of a primary key with this identity.
  var keyValues: [DatabaseValue] {
    (self as? CompositeID).map { $0.values.map(\.stored) } ?? [databaseValue]
  }
}

// SPDX-License-Identifier: MIT

import Foundation
import SectionedResults

/// A store whose rows are an array in a JSON file, for small data that people may edit, too.
///
/// ```swift
/// struct Item: ResultsRow, Codable {
///   var id: Int
///   var name: String
/// }
///
/// let store = try JSONResultsStore<Item>(file: URL(filePath: "items.json"))
/// try store.insert(Item(id: 1, name: "Bread"))
/// ```
///
/// A commit replaces the whole file before it returns, and before a list shows it: if the file cannot be
/// written, neither changes. A file that does not exist is empty; one that cannot be read is an error, and is
/// never written over. Rows are sorted by identity.
///
/// One process writes at a time. What another program wrote is taken over by ``checkForChanges()``, and before
/// each commit, as a commit of its own. Two programs that write in the same moment can lose one of the
/// writes; use SQLite where that may happen.
public final class JSONResultsStore<Row: ResultsRow & Codable>: ResultsStore {
  /// The file.
  public let file: URL
  private let memory: MemoryResultsStore<Row>
  private let encoder: JSONEncoder
  private let decoder: JSONDecoder
  /// The file as it was read or written last; `nil` if there was none.
  private var version: FileVersion?

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - file: the file, which the first commit makes.
  ///   - encoder: by default one of lines with sorted keys.
  ///   - decoder: the decoder that fits the encoder.
  ///   - matches: whether a row passes a filter.
  /// - Throws: the error of Foundation for a file that cannot be read or decoded, or
  ///   `ResultsError.rowExists` for an identity that two rows have.
  public convenience init(
    file: URL, encoder: JSONEncoder? = nil, decoder: JSONDecoder = JSONDecoder(),
    matches: @escaping (Row, Row.Filter) -> Bool
  ) throws {
    try self.init(file, encoder, decoder, MemoryResultsStore(matches: matches))
  }

  private init(
    _ file: URL, _ encoder: JSONEncoder?, _ decoder: JSONDecoder, _ memory: MemoryResultsStore<Row>
  ) throws {
    // An atomic write would take the place of a link.
    self.file = file.resolvingSymlinksInPath()
    self.encoder = encoder ?? Self.lines
    self.decoder = decoder
    self.memory = memory
    try takeOver()
  }

  /// Opens a file of rows without filters.
  ///
  /// - Parameters:
  ///   - file: the file, which the first commit makes.
  ///   - encoder: by default one of lines with sorted keys.
  ///   - decoder: the decoder that fits the encoder.
  /// - Throws: the error of Foundation for a file that cannot be read or decoded, or
  ///   `ResultsError.rowExists` for an identity that two rows have.
  public convenience init(
    file: URL, encoder: JSONEncoder? = nil, decoder: JSONDecoder = JSONDecoder()
  ) throws where Row.Filter == Never {
    try self.init(file, encoder, decoder, MemoryResultsStore())
  }

  private static var lines: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The listeners to commits.
  public var commitObservers: CommitObservers<Row> { memory.commitObservers }

  /// All rows, by identity; O(n log n).
  public var allRows: [Row] { memory.allRows }

  /// Runs `body`, which must not write, on the current state.
  ///
  /// - Throws: the error of `body`.
  public func read<Value>(
    _ body: (any ResultsSnapshot<Row>) throws -> Value
  ) throws -> Value { try memory.read(body) }

  /// Runs one transaction: all writes of `body` are in the file and committed, or none if it throws.
  ///
  /// - Throws: the error of `body`, or of Foundation; nothing is then changed.
  @discardableResult
  public func write<Value>(
    _ body: (inout MemoryResultsStore<Row>.Transaction) throws -> Value
  ) throws -> Value {
    try takeOver()
    return try memory.write(body) { transaction in
      try encoder.encode(transaction.allRows).write(to: file, options: .atomic)
      version = try FileVersion(of: file)
    }
  }

  /// Calls the observers if another program has written the file since the last look.
  ///
  /// A file that is gone is no change: the next commit makes it again, with all rows.
  ///
  /// - Returns: whether rows changed.
  /// - Throws: the error of Foundation, or `ResultsError.rowExists`; the last good rows stay.
  @discardableResult
  public func checkForChanges() throws -> Bool {
    let before = try memory.read { try $0.stamp() }
    try takeOver()
    return try memory.read { try $0.stamp() } != before
  }

  private func takeOver() throws {
    let found = try FileVersion(of: file)
    guard let found, found != version else { return }
    let rows = try decoder.decode([Row].self, from: Data(contentsOf: file))
    var seen: Set<Row.ID.Exact> = []
    for row in rows where !seen.insert(row.id.exact).inserted {
      throw ResultsError.rowExists("\(row.id)")
    }
    version = found
    memory.replaceRows(with: rows)
  }
}

extension JSONResultsStore: EditableResultsStore {
  /// Makes edits in one transaction.
  ///
  /// - Throws: `ResultsError.rowExists` or `rowIsGone`, or the error of Foundation; nothing is then written.
  public func commit(_ edits: [ResultsEdit<Row, Row>]) throws {
    try write { transaction in
      for edit in edits { try transaction.make(edit) }
    }
  }
}

/// The identity of a version of a file.
private struct FileVersion: Equatable {
  let modified: Date
  let size: UInt64
  let number: UInt64

  /// `nil` if there is no file.
  init?(of file: URL) throws {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      modified = attributes[.modificationDate] as? Date ?? .distantPast
      size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
      number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch CocoaError.fileNoSuchFile {
      return nil
    }
  }
}

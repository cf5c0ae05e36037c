import Journal

/// A format that Daybook reads: its name, how its files are recognised, and its source.
///
/// A format is a directory with one type that conforms, and a line in ``ImportFormat/readable``.
/// Detection, `--from`, completion, `import --formats`, the manual and the tests over every format
/// follow from that table.
///
/// A format recognises a file only by signs that no other program's file has. One that reads files
/// without such signs accepts them, which counts when no format recognises the file.
///
/// ```swift
/// enum KeepFormat: ReadableFormat {
///   static let name = "keep"
///   static let guide = ImportGuide(files: "JSON of Takeout", ways: ["Google Keep: takeout.google.com"])
///   static func recognises(json: JSONSketch) -> Bool { json.names.contains("textContent") }
///   static func recognises(files: [String]) -> Bool { files.contains { $0.contains("Takeout/Keep/") } }
///   static func source(_ input: ImportInput, options: ImportOptions) throws -> any EntrySource {
///     StreamFileSource(input, options, endings: [".json"]) { KeepSource($0, options: options) }
///   }
/// }
/// ```
package protocol ReadableFormat: SendableMetatype {
  /// The name for `--from`, in lower case with `-`.
  static var name: String { get }
  /// The files of the format, and how to get them out of each program.
  static var guide: ImportGuide { get }

  /// Whether the first ``ImportFormat/headLength`` bytes of a file, without a byte order mark, have
  /// the signs of the format.
  static func recognises(_ head: [UInt8], path: String?) -> Bool
  /// Whether the names in a JSON file are those of the format.
  static func recognises(json: JSONSketch) -> Bool
  /// Whether the paths of a directory or archive are those of the format.
  static func recognises(files: [String]) -> Bool
  /// Whether the tables of an SQLite database, with their columns, are those of the format.
  static func recognises(tables: [String: Set<String>]) -> Bool

  /// Whether a file that no format recognises may be read.
  static func accepts(_ head: [UInt8], path: String?) -> Bool
  /// Whether a JSON file that no format recognises may be read.
  static func accepts(json: JSONSketch) -> Bool
  /// Whether a directory or archive that no format recognises may be read.
  static func accepts(files: [String]) -> Bool

  /// The entries of a file, directory or archive; nothing is read before the first item.
  ///
  /// - Throws: ``FormatError`` for an input that the format does not support.
  static func source(_ input: ImportInput, options: ImportOptions) throws -> any EntrySource
  /// The entries of a database whose tables the format recognises.
  ///
  /// - Throws: ``FormatError`` if the format reads no databases.
  static func source(
    _ database: any ForeignDatabase, options: ImportOptions
  ) throws -> any EntrySource
}

extension ReadableFormat {
  package static func recognises(_ head: [UInt8], path: String?) -> Bool { false }
  package static func recognises(json: JSONSketch) -> Bool { false }
  package static func recognises(files: [String]) -> Bool { false }
  package static func recognises(tables: [String: Set<String>]) -> Bool { false }
  package static func accepts(_ head: [UInt8], path: String?) -> Bool { false }
  package static func accepts(json: JSONSketch) -> Bool { false }
  package static func accepts(files: [String]) -> Bool { false }

  package static func source(
    _ database: any ForeignDatabase, options: ImportOptions
  ) throws -> any EntrySource {
    throw FormatError("is a database, but \(name) needs a file")
  }

  package static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    throw FormatError("is no database, but \(name) needs one")
  }
}

/// The files of an import format, and how people get them.
package struct ImportGuide: Hashable, Sendable {
  /// The files that are read.
  package let files: String
  /// A line for each program: its name, and how it writes the file.
  package let ways: [String]

  package init(files: String, ways: [String]) {
    self.files = files
    self.ways = ways
  }
}

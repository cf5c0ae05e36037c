/// The files of an import format, and how people get them.
package struct ImportGuide: Hashable, Sendable {
  /// The files that are read.
  package let files: String
  /// A line for each program: its name, and how it writes the file.
  package let ways: [String]
}

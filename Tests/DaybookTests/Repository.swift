import Foundation
import Testing

/// The files of the repository, which tests hold against the program.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file, by its path in the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// A section of the README, without its heading.
  static func readme(_ section: String) throws -> String {
    let parts = try text("README.md").components(separatedBy: "\n## \(section)\n")
    let after = try #require(parts.dropFirst().first, "the README has no section \(section)")
    return after.components(separatedBy: "\n## ")[0]
  }

  /// The rows of the first table of a section of the README, below its heading.
  static func readmeTable(_ section: String) throws -> [String] {
    let lines = try readme(section).split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.drop { !$0.hasPrefix("| ") }.prefix { $0.hasPrefix("| ") }
    try #require(table.count > 2, "the section \(section) of the README has no table")
    return table.dropFirst(2).map(String.init)
  }

  /// The cells of a row of such a table; a bar inside one has a backslash before it.
  static func cells(_ row: String) -> [String] {
    row.dropFirst(2).dropLast(2).components(separatedBy: " | ").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  /// The README's example of a configuration.
  static func configuration() throws -> String {
    let parts = try readme("Configuration").components(separatedBy: "```toml\n")
    return try #require(parts.dropFirst().first).components(separatedBy: "```")[0]
  }

  /// The paths of the Swift files under a folder, which they begin behind.
  static func swiftFiles(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }
  }
}

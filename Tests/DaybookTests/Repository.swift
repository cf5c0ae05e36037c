import Foundation
import Testing

/// The files of the repository that tests compare with the program.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// A Markdown file of the repository.
  struct Document {
    /// The path from the root of the repository.
    let path: String
    let text: String

    init(_ path: String) throws {
      self.path = path
      text = try Repository.text(path)
    }

    /// A section, without its heading.
    func section(_ title: String) throws -> String {
      let parts = text.components(separatedBy: "\n## \(title)\n")
      let after = try #require(parts.dropFirst().first, "\(path) has no section \(title)")
      return after.components(separatedBy: "\n## ")[0]
    }

    /// The rows of the first table of a section, or of the file, below its heading.
    func table(_ title: String? = nil) throws -> [String] {
      let lines = try (title.map(section) ?? text).split(
        separator: "\n", omittingEmptySubsequences: false)
      let table = lines.drop { !$0.hasPrefix("| ") }.prefix { $0.hasPrefix("| ") }
      try #require(table.count > 2, "\(path) has no table in \(title ?? "it")")
      return table.dropFirst(2).map(String.init)
    }
  }

  static func readme() throws -> Document { try Document("README.md") }

  /// A chapter of the manual.
  static func manual(_ chapter: String) throws -> Document {
    try Document("Resources/manual/\(chapter).md")
  }

  /// Every Markdown file that is not test data.
  static func documents() throws -> [Document] {
    let resources = try FileManager.default.subpathsOfDirectory(
      atPath: root.appending(path: "Resources").path)
    return try (["README.md"] + resources.filter { $0.hasSuffix(".md") }.map { "Resources/\($0)" })
      .map(Document.init)
  }

  /// The text of a file, by its path in the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The cells of a row of a table; a bar inside a cell has a backslash before it.
  static func cells(_ row: String) -> [String] {
    row.dropFirst(2).dropLast(2).components(separatedBy: " | ").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  /// The manual's example of a configuration.
  static func configuration() throws -> String {
    let parts = try manual("configuration").text.components(separatedBy: "```toml\n")
    return try #require(parts.dropFirst().first).components(separatedBy: "```")[0]
  }

  /// The paths of the Swift files under a directory, relative to it.
  static func swiftFiles(in directory: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: directory).path)
      .filter { $0.hasSuffix(".swift") }
  }
}

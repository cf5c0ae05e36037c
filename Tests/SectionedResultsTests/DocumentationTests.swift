import Foundation
import Testing

/// The articles, held against the code.
@Suite("Documentation")
struct DocumentationTests {
  private let tests: URL
  private let sources: URL

  init() {
    tests = URL(filePath: #filePath).deletingLastPathComponent()
    sources = tests.appending(path: "../../Sources/SectionedResults").standardizedFileURL
  }

  @Test("the example of the articles does what it says")
  func exampleRuns() throws {
    let screen = try runNotesExample()
    #expect(
      screen.before == ["2026-11-21", "  Rain", "2026-11-20", "  Bread, milk", "  Call Ada"])
    #expect(
      screen.after == ["2026-11-22", "  Sun", "2026-11-21", "  Rain", "  Call Ada again"])
    let article = try article("Example")
    for lines in [screen.before, screen.after] {
      #expect(article.contains("```\n" + lines.joined(separator: "\n") + "\n```"))
    }
  }

  @Test("the example of the articles is the code that runs")
  func exampleIsTheCode() throws {
    let code = try text(of: tests.appending(path: "DocumentationExample.swift"))
    let example = try #require(
      between("// example:begin\n", and: "// example:end", in: code))
    let shown = try #require(
      between(
        "<!-- example:begin -->\n```swift\n", and: "```\n<!-- example:end -->",
        in: article("Example")))
    #expect(shown == example)
  }

  @Test(
    "the delegate of the article for users of Apple's class is the one that the stress tests use")
  func classicDelegate() throws {
    let code = try text(of: tests.appending(path: "../ResultsTestSupport/ClassicDelegate.swift"))
    let example = try #require(between("// classic:begin\n", and: "// classic:end", in: code))
    #expect(try article("FromNSFetchedResultsController").contains("```swift\n\(example)```"))
  }

  @Test("every symbol that the articles link to is in the code", arguments: articleNames)
  func linksLead(_ name: String) throws {
    let words = Set(
      try files(in: sources, named: "swift").map(text(of:)).joined(separator: "\n")
        .split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    let links = try article(name).replacingOccurrences(of: "```", with: "")
      .components(separatedBy: "``").enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
    for link in links where link != "SectionedResults" {
      for part in link.split(whereSeparator: { "/():,".contains($0) }) {
        #expect(part == "_" || words.contains(String(part)), "\(link) in \(name)")
      }
    }
  }

  @Test("every article that another one links to is there", arguments: articleNames)
  func articlesLead(_ name: String) throws {
    for part in try article(name).components(separatedBy: "<doc:").dropFirst() {
      let target = String(part.prefix { $0 != ">" })
      #expect(articleNames.contains(target), "\(target) in \(name)")
    }
  }

  @Test("every rule of the semantics has a test that names it")
  func rulesHaveTests() throws {
    let code = try files(in: tests, named: "swift").map(text(of:)).joined(separator: "\n")
    let names = code.components(separatedBy: "\"").map { $0.lowercased() }
    for rule in 1...74 {
      #expect(names.contains { $0.hasPrefix("rule \(rule):") }, "rule \(rule)")
    }
  }

  @Test("the rules that comments and articles name are published, all 74 in order")
  func rulesArePublished() throws {
    let numbers = try article("Rules").split(separator: "\n").compactMap { line in
      line.prefix { $0 != "." }.allSatisfy(\.isNumber) ? Int(line.prefix { $0 != "." }) : nil
    }
    #expect(numbers == Array(1...74))
    let code = try files(in: sources, named: "swift").map(text(of:)).joined(separator: "\n")
    #expect(!code.contains("of the semantics") && !code.contains("section 3"))
  }

  @Test("the examples of the guides are the code that runs", arguments: examples)
  func guideExamples(_ example: Example) throws {
    let name = example.name
    let code = try text(of: tests.appending(path: example.file))
    let tested = try #require(between("// \(name):begin\n", and: "// \(name):end", in: code))
    let shown = try #require(
      between(
        "<!-- \(name):begin -->\n```swift\n", and: "```\n<!-- \(name):end -->",
        in: article(example.article, of: example.library)))
    #expect(shown == tested)
  }

  private func article(_ name: String, of library: String = "SectionedResults") throws -> String {
    try text(of: sources.appending(path: "../\(library)/\(library).docc/\(name).md"))
  }

  private func text(of file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }

  private func files(in directory: URL, named suffix: String) throws -> [URL] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    return paths.filter { $0.hasSuffix(".\(suffix)") }.map { directory.appending(path: $0) }
  }

  private func between(_ start: String, and end: String, in text: String) -> String? {
    guard let from = text.range(of: start),
      let to = text.range(of: end, range: from.upperBound..<text.endIndex)
    else { return nil }
    return String(text[from.upperBound..<to.lowerBound])
  }
}

/// Code of an article, between markers with its name.
struct Example: Sendable {
  let name: String
  let article: String
  /// The file among the tests that compiles it.
  let file: String
  var library = "SectionedResults"
}

private let examples = [
  Example(name: "main-actor", article: "Concurrency", file: "ConcurrencyExample.swift"),
  Example(name: "actor", article: "Concurrency", file: "ConcurrencyExample.swift"),
  Example(name: "model", article: "Concurrency", file: "Model/ModelExample.swift"),
  Example(name: "reordering", article: "Reordering", file: "Reordering/ReorderingExample.swift"),
  Example(name: "snapshots", article: "Snapshots", file: "Snapshot/SnapshotExample.swift"),
  Example(name: "provider", article: "DataProviders", file: "ProviderExample.swift"),
  Example(
    name: "shared", article: "FromNSFetchedResultsController", file: "SharedDelegateExample.swift"),
  Example(name: "tracker", article: "Recipes", file: "RecipesExample.swift"),
  Example(name: "events", article: "Recipes", file: "RecipesExample.swift"),
  Example(name: "observer", article: "Recipes", file: "RecipesExample.swift"),
  Example(name: "line", article: "Recipes", file: "RecipesExample.swift"),
  Example(
    name: "json", article: "SectionedResultsFoundation", file: "JSONExample.swift",
    library: "SectionedResultsFoundation"),
]

/// The articles of the catalogue.
private let articleNames = [
  "SectionedResults", "Example", "FromNSFetchedResultsController", "WritingAStore",
  "BatchesAndLists", "Reordering", "Snapshots", "DataProviders", "Costs", "Concurrency", "Rules",
  "Recipes", "Changes",
]

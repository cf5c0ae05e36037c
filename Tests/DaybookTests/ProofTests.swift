import Foundation
import Testing

/// What is said of the long tests agrees with `make proof` and with the tests.
struct ProofTests {
  private let lines: [String]

  init() throws {
    let script = try Repository.text("Resources/proof.sh")
    let parts = script.components(separatedBy: "LINES")
    try #require(parts.count == 3)
    // The first line ends the word that names the text.
    lines = parts[1].split(separator: "\n").dropFirst().map(String.init)
  }

  private var names: [String] {
    lines.compactMap { $0.split(separator: "=").first.map(String.init) }
  }

  @Test("every variable of make proof is read by a test, and described in CONTRIBUTING")
  func variables() throws {
    let tests = try sources()
    let table = try Repository.text("Resources/CONTRIBUTING.md")
    #expect(names.count > 10)
    for variable in names {
      #expect(tests.contains("\"\(variable)\""), "\(variable)")
      #expect(table.contains("| `\(variable)="), "\(variable)")
    }
  }

  @Test("every suite of make proof exists")
  func suites() throws {
    let tests = try sources()
    for line in lines {
      let names = try #require(line.split(separator: " ").last)
      for name in names.split(separator: "|") {
        let type = name.split(separator: ".").last ?? name
        #expect(tests.contains("struct \(type) ") || tests.contains("class \(type) "), "\(name)")
      }
    }
  }

  @Test("every promise with a command names one that there is")
  func promises() throws {
    let text = try Repository.text("Resources/manual/promises.md")
    let named = text.matches(of: /ARGS=([A-Z_]+)/).map { String($0.1) }
    #expect(Set(named).isSubset(of: names))
    #expect(named.count > 5)
    let suites = text.matches(of: /`([A-Z]\w+Tests)`/).map { String($0.1) }
    let tests = try sources()
    #expect(suites.count > 5)
    for suite in suites { #expect(tests.contains("struct \(suite) "), "\(suite)") }
  }

  /// The sources of the tests.
  private func sources() throws -> String {
    try Repository.swiftFiles(in: "Tests").map { try Repository.text("Tests/\($0)") }.joined()
  }
}

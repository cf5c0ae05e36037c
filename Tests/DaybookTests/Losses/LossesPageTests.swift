import Foundation
import Testing

/// The chapter "How others lost notes" agrees with the suite that replays its reports.
struct LossesPageTests {
  private typealias Replayed = (report: String, function: String)

  /// The reports of the suite, each with the function that replays it.
  private func replays() throws -> [Replayed] {
    let directory = "Tests/DaybookTests/Losses"
    let sources = try Repository.swiftFiles(in: directory)
      .map { try Repository.text("\(directory)/\($0)") }.joined()
    return sources.matches(of: /@Test\(\s*"([\w-]+#\d+): (?s:.*?)\n  func (\w+)\(/)
      .map { (String($0.1), String($0.2)) }
  }

  @Test("each report has a link with its number and names its replay, and each replay is described")
  func reports() throws {
    let sections = try Repository.manual("losses").text.components(separatedBy: "\n### ")
      .dropFirst()
    let link = /\[([\w-]+)#(\d+)\]\(https:\/\/github\.com\/[\w-]+\/[\w-]+\/(?:issues|pull)\/(\d+)\)/
    let described = try sections.map { section -> Replayed in
      let match = try #require(section.firstMatch(of: link), "no link: \(section)")
      #expect(match.2 == match.3, "\(match.0)")
      let names = section.matches(of: /`LossesTests\.(\w+)`/).map { String($0.1) }
      #expect(names.count == 1, "\(section)")
      return ("\(match.1)#\(match.2)", names.first ?? "")
    }
    func sorted(_ list: [Replayed]) -> [String] {
      list.map { "\($0.report) \($0.function)" }.sorted()
    }
    #expect(sorted(described) == sorted(try replays()))
    #expect(described.count >= 10)
  }
}

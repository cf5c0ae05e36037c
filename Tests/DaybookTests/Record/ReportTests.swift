import Foundation
import Testing

@testable import Screen
@testable import daybook

/// Reports of users as tests: their records, and what the frame that they complained about should be.
///
/// CONTRIBUTING says how a report becomes a test here.
@Suite("Reports of users")
struct ReportTests {
  @Test("an excerpt with wide characters ends at the edge of a narrow screen")
  func narrowFilter() throws {
    let frame = try Report("narrow-filter").frame(3)
    #expect(frame.lines[1] == "›  08:15  Bought bread … and 桜 for the…")
    #expect(frame.columns == 40)
  }

  @Test("every kept record can be read to its end")
  func readable() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Report.directory.path)
    #expect(names.contains("narrow-filter.jsonl"))
    for name in names {
      let report = try Report(name.replacing(".jsonl", with: ""))
      #expect(report.record.problem == nil, "\(report.record.problem?.message ?? "")")
    }
  }
}

/// A record that a user sent.
struct Report {
  static let directory = Repository.root.appending(path: "Tests/DaybookTests/Record/Reports")

  let record: Record

  /// Reads `Reports/NAME.jsonl`.
  init(_ name: String) throws {
    record = try Record(path: Self.directory.appending(path: "\(name).jsonl").path)
  }

  /// A frame as text.
  struct Shown {
    var lines: [String]
    var columns: Int
  }

  /// The frame with a number, from 1, as this program draws it.
  func frame(_ number: Int) throws -> Shown {
    let player = RecordPlayer(record)
    while player.frames < number { try #require(try player.step(), "no frame \(number)") }
    let canvas = try #require(player.frame).canvas
    return Shown(
      lines: canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init),
      columns: canvas.width)
  }
}

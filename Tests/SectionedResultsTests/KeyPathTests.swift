import Foundation
import Testing

/// The sources of the library.
struct KeyPathTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Sources/SectionedResults")

  /// A key path in generic code is made anew at each use, and keeps the function and all that call it
  /// from being specialised: it doubled the time of every commit once.
  @Test("No source makes a key path, but the observable model, where Observation wants one")
  func everySource() throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
      .filter { $0.hasSuffix(".swift") && $0 != "DataSource/ResultsModel.swift" }
    #expect(files.count > 30)
    for file in files {
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
        #expect(!code.contains(/\\\.[a-z]/), "\(file):\(index + 1)")
      }
    }
  }
}

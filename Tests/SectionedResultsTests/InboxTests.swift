import Foundation
import Testing

/// The program in `Tests/Inbox`, which takes the libraries as any other package would.
@Suite("A second program")
struct InboxTests {
  private let directory: URL
  private let program: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "inbox-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "inbox")
  }

  @Test("takes feeds, and its list follows what another process reads and stars")
  func inbox() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try write(
      "a.xml",
      """
      <?xml version="1.0"?><rss version="2.0"><channel><title>Zeitung 新聞</title>
      <item><guid>1</guid><title>First &amp; oldest</title>
      <pubDate>Mon, 02 Nov 2026 08:00:00 +0100</pubDate></item>
      <item><guid>2</guid><title><![CDATA[Second <b>]]></title>
      <pubDate>Tue, 03 Nov 2026 08:00:00 +0100</pubDate></item></channel></rss>
      """)
    try write(
      "b.xml",
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><id>x</id>
      <title>Third</title><updated>2026-11-04T08:00:00Z</updated></entry></feed>
      """)
    #expect(try inbox("take", path("a.xml"), path("b.xml")).contains("2 new from"))
    #expect(try inbox("take", path("a.xml")).contains("0 new from"))
    #expect(
      try inbox("list") == """
        * (0)
        Atom (1)
          3   Third
        Zeitung 新聞 (2)
          2   Second <b>
          1   First & oldest

        """)
    let watch = try Watch(program, [path("inbox.sqlite"), "watch"])
    defer { watch.process.terminate() }
    _ = try watch.lines(until: "  1   First & oldest")
    _ = try inbox("star", "1")
    #expect(
      try watch.lines(until: "= ") == [
        "+ [0, 0] 1 * First & oldest", "~ [2, 1] 1 * First & oldest",
        #"= ["* 1", "Atom 1", "Zeitung 新聞 2"]"#,
      ])
    _ = try inbox("read", "3", "1")
    #expect(
      try watch.lines(until: "= ") == [
        "- [1, 0] 3   Third", "- [2, 1] 1 * First & oldest", "~ [0, 0] 1 * First & oldest",
        #"= ["* 1", "Zeitung 新聞 1"]"#,
      ])
    #expect(throws: Failure.self) { try inbox("read", "2", "77") }
    #expect(try inbox("list").contains("  2   Second <b>"), "nothing was changed")
    try write("c.xml", "<rss><channel>")
    #expect(throws: Failure.self) { try inbox("take", path("c.xml")) }
  }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: directory.appending(path: name))
  }

  private func inbox(_ arguments: String...) throws -> String {
    try Self.run(program, [path("inbox.sqlite")] + arguments)
  }

  private struct Failure: Error {
    let output: String
  }

  private static func run(_ program: URL, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(output: text) }
    return text
  }

  /// A running `watch`.
  private final class Watch {
    let process = Process()
    private let output = Pipe()
    private var unread = Data()

    init(_ program: URL, _ arguments: [String]) throws {
      process.executableURL = program
      process.arguments = arguments
      process.standardOutput = output
      try process.run()
    }

    /// The next lines, the last of which has this beginning.
    func lines(until beginning: String) throws -> [String] {
      var lines: [String] = []
      while true {
        while let end = unread.firstIndex(of: 10) {
          lines.append(String(decoding: unread[..<end], as: UTF8.self))
          unread = Data(unread[(end + 1)...])
          if lines[lines.count - 1].hasPrefix(beginning) { return lines }
        }
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw Failure(output: lines.joined(separator: "\n")) }
        unread += data
      }
    }
  }
}

import Foundation
import Testing

/// The public declarations of the libraries, which programs of others rely on.
@Suite("Public declarations")
struct InterfaceTests {
  @Test("no public declaration changes unnoticed: run make api, and tell of it in Changes.md")
  func declarations() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    // The tests are linked beside the modules that they were compiled with.
    let build = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let output = FileManager.default.temporaryDirectory.appending(path: "api-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [root.appending(path: "Resources/api.sh").path, build.path, output.path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    for library in ["", "Foundation", "GRDB", "Testing"].map({ "SectionedResults\($0).txt" }) {
      let lines = try [root.appending(path: "Resources/api"), output].map { directory in
        Set(
          try String(contentsOf: directory.appending(path: library), encoding: .utf8)
            .split(separator: "\n"))
      }
      #expect(lines[0].count > 5, "\(library)")
      #expect(lines[0].subtracting(lines[1]).sorted() == [], "gone from \(library)")
      #expect(lines[1].subtracting(lines[0]).sorted() == [], "new in \(library)")
    }
  }
}

import Foundation
import Testing

/// The documentation as DocC of the toolchain makes it.
@Suite("DocC")
struct DocCTests {
  @Test("the documentation of each library has no broken link and no parameter without a word")
  func warnings() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    // The tests are linked beside the modules that they were compiled with.
    let build = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let output = FileManager.default.temporaryDirectory
      .appending(path: "docc-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    let messages = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [root.appending(path: "Resources/docs.sh").path, build.path, output.path]
    process.standardOutput = messages
    process.standardError = messages
    try process.run()
    let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    for library in ["", "Foundation", "GRDB", "Testing"].map({ "SectionedResults\($0)" }) {
      let page = output.appending(
        path: "\(library).doccarchive/data/documentation/\(library.lowercased()).json")
      #expect(FileManager.default.fileExists(atPath: page.path), "\(library)")
    }
  }
}

import Foundation
import Testing

@testable import daybook

/// Imports that are repeated while a picture of their text is not there.
@Suite struct AbsentFileTests {
  private let program: Program

  init() throws { program = try Program() }

  private func write(_ text: String) throws {
    try Data(
      "---\ndate: 2024-01-05 09:00\n---\n# Sea\n\n\(text)\n\n![](a.png)\n\nThe end of it.\n".utf8
    )
    .write(to: program.home.appending(path: "v/Sea.md"))
  }

  @Test("an entry keeps its picture, says so, and takes the changes once the picture is back")
  func absent() throws {
    let folder = program.home.appending(path: "v")
    let (there, away) = (folder.appending(path: "a.png"), program.home.appending(path: "a.png"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(SampleFiles.picture).write(to: there)
    try write("Many words of a walk")
    _ = try program.run(["import", folder.path])
    let text = try program.run(["show", "1"]).output
    #expect(text.contains("](file:"))
    try FileManager.default.moveItem(at: there, to: away)
    for path in [folder.path, folder.path + "/Sea.md"] {
      for words in ["Many words of a walk", "Many other words of a walk"] {
        try write(words)
        let result = try program.run(["import", path])
        #expect(result.errors.contains("its entry keeps them"), "\(path): \(result.errors)")
        #expect(try program.run(["show", "1"]).output == text)
      }
    }
    try FileManager.default.moveItem(at: away, to: there)
    _ = try program.run(["import", folder.path])
    let updated = try program.run(["show", "1"]).output
    #expect(updated.contains("](file:") && updated.contains("Many other words"), "\(updated)")
    #expect(try program.run(["files"]).output.contains("PNG"))
  }
}

import Foundation
import TestSupport
import Testing

@testable import daybook

/// Pictures in a real terminal; where there is no libvips, their names.
@Suite(.waiting)
struct PictureTerminalTests {
  private let program: Program

  init() throws {
    program = try Program()
    let bytes = SamplePicture.png(width: 64, height: 48) { x, y in
      [UInt8(x * 4), UInt8(y * 5), 90, 255]
    }
    try Data(bytes).write(to: program.home.appending(path: "harbour.png"))
    _ = try program.shell("cd $HOME; daybook add --attach harbour.png At six, 'after rain'")
  }

  private func start(columns: Int, lines: Int, _ words: String = "") throws -> TerminalSession {
    try TerminalSession(
      program, command: "\(Program.binary.path) \(words)", columns: columns, lines: lines)
  }

  @Test("a picture appears in its place, and nothing is left of it")
  func drawn() throws {
    for (columns, lines) in [(80, 24), (40, 10)] {
      let session = try start(columns: columns, lines: lines)
      try session.wait("the entry") { $0.contains("after rain") }
      try session.type("Enter")
      let shown = try session.wait("the picture") {
        $0.contains("harbour  (PNG, 64×48") && ($0.contains("▀▀▀▀") == PictureProcess.isPossible)
      }
      if PictureProcess.isPossible {
        #expect(shown.split(separator: "\n").count { $0.contains("▀") } >= 3)
        #expect(try session.coloredScreen().contains("38;5;"))
      }
      try session.type("q")
      try session.wait("the list") { !$0.contains("▀") && $0.contains("after rain") }
      try session.resize(columns: 130, lines: 40)
      try session.wait("the pane beside the list") {
        $0.contains("harbour  (PNG, 64×48") && ($0.contains("▀▀▀▀") == PictureProcess.isPossible)
      }
      try session.type("gi")
      try session.wait("the statistics") { !$0.contains("▀") }
      try session.type("q", "a")
      try session.wait("the prompt") { $0.contains("new:") }
      session.end()
    }
  }

  @Test("without colours the name stays")
  func named() throws {
    let session = try start(columns: 80, lines: 24, "--color never")
    try session.wait("the entry") { $0.contains("after rain") }
    try session.type("Enter")
    try session.wait("the name") { $0.contains("harbour  (PNG, 64×48") }
    try session.type("j")
    #expect(try !session.wait("the pane") { $0.contains("harbour") }.contains("▀"))
  }
}

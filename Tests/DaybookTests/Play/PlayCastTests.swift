import Foundation
import Testing

/// `--cast`: what is recorded is what was shown.
struct PlayCastTests {
  private let program: Program
  private let script: String
  private let cast: String

  init() throws {
    program = try Program()
    script = program.home.appending(path: "a.keys").path
    cast = program.home.appending(path: "a.cast").path
    try """
    aBought \\"bread\\" 日本語 é🌈 #home<Enter><Wait 2s>
    aSecond<Enter>?<Wait 1s>qd
    """.replacing("\\", with: "").write(toFile: script, atomically: true, encoding: .utf8)
  }

  @Test("a recording, replayed on a terminal, shows the same screens as --frames")
  func replay() throws {
    let played = try program.run(["play", script, "--frames", "--cast", cast])
    #expect(played.code == 0)
    let frames = Self.screens(played.output)
    #expect(frames.count > 20)
    #expect(try CastFile(cast).screens() == frames)
  }

  @Test("the tour, replayed on a terminal, shows the same screens as --frames")
  func replayTour() throws {
    let played = try program.run(["demo", "--frames", "--cast", cast])
    #expect(played.code == 0, "\(played.errors)")
    #expect(try CastFile(cast).screens() == Self.screens(played.output))
  }

  @Test("times are the script's own, so a recording takes none and is the same each time")
  func time() throws {
    let arguments = ["demo", script, "--now", "2026-11-21T17:40:00+00:00", "--cast"]
    #expect(try program.run(arguments + [cast]).code == 0)
    #expect(try program.run(arguments + [cast + "2"]).code == 0)
    #expect(FileManager.default.contentsEqual(atPath: cast, andPath: cast + "2"))
    let times = try CastFile(cast).events.map(\.time)
    #expect(times == times.sorted())
    // Two written waits, and the pauses of 40 keys.
    #expect(try #require(times.last) > 5)
    #expect(try #require(times.last) < 15)
    // The colour of a change goes while the script waits.
    #expect(times.contains { $0 > 3 && $0 < 4.5 })
  }

  @Test("the header says what a player must know, and only changed rows are written")
  func header() throws {
    #expect(try program.run(["play", script, "--cast", cast]).code == 0)
    let file = try CastFile(cast)
    #expect(file.header["version"] as? Int == 2)
    #expect(file.header["width"] as? Int == 80)
    #expect(file.header["height"] as? Int == 24)
    #expect(file.header["env"] as? [String: String] == ["TERM": "xterm-256color"])
    #expect((file.header["title"] as? String)?.contains("play") == true)
    let typed = try #require(file.events.first { $0.text.contains("\u{1B}[0mBou ") })
    #expect(typed.text.count < 200)
  }

  @Test("a file that is there is replaced only when that is said, and no half is left behind")
  func existing() throws {
    try "mine".write(toFile: cast, atomically: true, encoding: .utf8)
    let refused = try program.run(["play", script, "--cast", cast])
    #expect(refused.code == 73)
    #expect(refused.errors == "daybook: \(cast): exists; --force replaces it\n")
    #expect(try String(contentsOfFile: cast, encoding: .utf8) == "mine")
    #expect(try program.run(["list"]).output == "", "refused before anything is played")
    #expect(try program.run(["play", script, "--cast", cast, "--force"]).code == 0)
    #expect(try CastFile(cast).events.count > 20)
    let mode = try FileManager.default.attributesOfItem(atPath: cast)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: program.home.path)
    #expect(!names.contains { $0.contains(".new") })
    let directory = try program.run(["play", script, "--cast", program.home.path, "--force"])
    #expect(directory.code == 73)
    let nowhere = try program.run(["play", script, "--cast", program.home.path + "/no/a.cast"])
    #expect(nowhere.code == 73)
  }

  private static func screens(_ frames: String) -> [String] {
    var screens: [String] = []
    for frame in frames.split(separator: "\u{0C}").map({ String($0.dropLast()) })
    where frame != screens.last {
      screens.append(frame)
    }
    return screens
  }
}

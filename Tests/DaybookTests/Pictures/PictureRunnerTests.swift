import Foundation
import GRDB
import Journal
import JournalStore
import Screen
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import daybook

/// Pictures are read piece by piece, decoded elsewhere, and harm nobody.
struct PictureRunnerTests {
  private static let red: [UInt8] = [255, 0, 0, 255]

  /// A runner over a journal with a picture, with what it answered.
  private final class Rig {
    let journal = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).sqlite"
    let store: any EntryStore
    let loop: EventLoop
    let file: StoredFile
    var runner: PictureRunner?
    var answers: [PicturePixels?] = []
    private let quiet = Pipe()

    /// - Parameter script: what the process runs, in place of a decoder.
    init(_ bytes: [UInt8], script: String? = nil) throws {
      store = try JournalLocation(path: journal, isExplicit: true).open(mode: .create)
      let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).png"
      try Data(bytes).write(to: URL(filePath: path))
      defer { unlink(path) }
      let content = try FileContent(path, named: "red.png")
      file = content.stored
      let moment = store.clock.moment()
      _ = try store.add(
        NewEntry(text: "", created: moment, day: moment.localDay), attaching: [content])
      loop = EventLoop(input: quiet.fileHandleForReading.fileDescriptor)
      let program =
        script.map { ("/bin/sh", ["sh", "-c", $0]) }
        ?? (Program.binary.path, ["daybook", PictureChild.word])
      runner = PictureRunner(
        store, loop: loop, setTimer: { _ in },
        start: {
          try PictureProcess($0, width: $1.columns, height: $1.height, program: program)
        }, take: { [weak self] in self?.answers.append($1) })
    }

    deinit { unlink(journal) }

    var key: Pictures.Key {
      let picture = ShownPicture(
        hash: file.hash, width: file.pixels?.width ?? 1, height: file.pixels?.height ?? 1)
      return Pictures.Key(hash: file.hash, box: PictureBox(picture, columns: 20, rows: 5))
    }

    func draw() { runner?.draw([key]) { false } }

    /// Waits for the answers of all processes.
    func wait() {
      while runner?.isIdle == false {
        for case .readable(let descriptor) in loop.wait(timeout: .seconds(60)) {
          #expect(runner?.read(descriptor) == true)
        }
      }
    }
  }

  @Test("a picture in a journal arrives with its pixels, if there is libvips")
  func arrives() throws {
    let rig = try Rig(SamplePicture.png(width: 300, height: 300, color: Self.red))
    #expect(rig.file.pixels?.description == "300×300")
    rig.draw()
    #expect(rig.answers.isEmpty)
    rig.wait()
    guard PictureProcess.isPossible else { return #expect(rig.answers == [nil]) }
    let pixels = try #require(rig.answers.first ?? nil)
    #expect((pixels.width, pixels.height) == (10, 10))
    #expect(Set(pixels.bytes) == [0, 255])
  }

  @Test("a process that dies, answers nonsense or writes for ever gives no picture, once")
  func hostile() throws {
    let scripts = [
      "kill -9 $$", "exit 1", "exec true", "printf x", "yes",
      "printf '\\377\\377\\377\\377AAAAxxxx'",
      // The right size with too few and with too many pixels.
      "printf '\\002\\000\\000\\000\\001\\000\\000\\000AAAABBB'",
      "printf '\\002\\000\\000\\000\\001\\000\\000\\000AAAABBBBC'",
    ]
    for script in scripts {
      let rig = try Rig(SamplePicture.png(width: 30, height: 30, color: Self.red), script: script)
      rig.draw()
      rig.wait()
      #expect(rig.answers == [nil], "\(script)")
      rig.draw()
      #expect(rig.runner?.isIdle == true, "\(script)")
    }
    let rig = try Rig(
      SamplePicture.png(width: 30, height: 30, color: Self.red),
      script: "printf '\\002\\000\\000\\000\\001\\000\\000\\000AAAABBBB'; sleep 100")
    rig.draw()
    rig.runner?.endLate(at: .now + PictureRunner.limit + .seconds(1))
    #expect(rig.runner?.isIdle == true && rig.answers.count == 1)
  }

  @Test("a process that hangs is killed when its time is over, not before")
  func hanging() throws {
    let rig = try Rig(
      SamplePicture.png(width: 30, height: 30, color: Self.red), script: "exec sleep 1000")
    rig.draw()
    rig.runner?.endLate()
    #expect(rig.runner?.isIdle == false && rig.answers.isEmpty)
    rig.runner?.endLate(at: .now + PictureRunner.limit)
    #expect(rig.runner?.isIdle == true && rig.answers == [nil])
  }

  @Test("a damaged file is not decoded")
  func damaged() throws {
    let rig = try Rig(
      SamplePicture.png(width: 300, height: 300, color: Self.red), script: "exec sleep 1000")
    try DatabaseQueue(path: rig.journal).write { db in
      try db.execute(sql: "UPDATE file_piece SET bytes = zeroblob(length(bytes))")
    }
    rig.draw()
    #expect(rig.answers == [nil] && rig.runner?.isIdle == true)
  }

  @Test("a key interrupts the reading of a large file, which goes on where it was")
  func interrupted() throws {
    // Above a megabyte, and so of several pieces.
    let rig = try Rig(
      SamplePicture.png(width: 600, height: 600, color: Self.red), script: "exec sleep 1000")
    var turns = 0
    while turns < 20 {
      turns += 1
      var isFirst = true
      rig.runner?.draw([rig.key]) {
        defer { isFirst = false }
        return !isFirst
      }
      if turns == 1 { #expect(rig.runner?.isIdle == false) }
    }
    rig.runner?.endLate(at: .now + PictureRunner.limit)
    #expect(rig.answers == [nil])
    // One that is not wanted any more is dropped.
    let other = try Rig(
      SamplePicture.png(width: 600, height: 600, color: Self.red), script: "exec sleep 1000")
    var pieces = 0
    other.runner?.draw([other.key]) {
      pieces += 1
      return pieces > 2
    }
    other.runner?.draw([]) { false }
    #expect(other.runner?.isIdle == true && other.answers.isEmpty)
  }

  @Test("at most two processes run at a time, and none is left when the journal is closed")
  func several() throws {
    let rig = try Rig(
      SamplePicture.png(width: 300, height: 300, color: Self.red), script: "exec sleep 1000")
    let picture = ShownPicture(hash: rig.file.hash, width: 300, height: 300)
    let keys = (5...9).map {
      Pictures.Key(hash: rig.file.hash, box: PictureBox(picture, columns: $0, rows: 9))
    }
    rig.runner?.draw(keys) { false }
    rig.runner?.endLate(at: .now + PictureRunner.limit)
    #expect(rig.answers == [nil, nil])
    rig.runner = nil
    #expect(rig.loop.wait(timeout: .zero) == [.timer])
  }
}

import Foundation
import Testing

@testable import Terminal
@testable import TextLayout

@Suite("The history of a prompt")
struct PromptHistoryTests {
  /// Runs a test in a directory of its own that goes away afterwards.
  private func inDirectory(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/daybook-history-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    let directory = String(cString: made)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test("comes back as it was, with line feeds and backslashes, readable by its owner only")
  func roundTrip() throws {
    try inDirectory { directory in
      let path = directory + "/new/state/history"
      let history = PromptHistory(path: path)
      let texts = ["list 東京", "two\nlines", #"back\slash \n"#, "é"]
      for text in texts { history.add(text) }
      try history.save()
      #expect(PromptHistory(path: path).entries == texts)
      #expect(mode(path) == 0o600)
      #expect(mode(directory + "/new") == 0o700)
    }
  }

  @Test("keeps each answer once, the last ones, and none that begins with a space")
  func add() {
    let history = PromptHistory(path: nil, limit: 3)
    for text in ["a", "b", "a", " secret", "", "c", "d"] { history.add(text) }
    #expect(history.entries == ["a", "c", "d"])
  }

  @Test("keeps what another process has added")
  func twoProcesses() throws {
    try inDirectory { directory in
      let path = directory + "/history"
      let one = PromptHistory(path: path)
      let two = PromptHistory(path: path)
      #expect(one.entries.isEmpty && two.entries.isEmpty)
      one.add("from one")
      two.add("from two")
      try one.save()
      try two.save()
      #expect(PromptHistory(path: path).entries == ["from one", "from two"])
    }
  }

  @Test("is not written through a link, nor over what is no file")
  func hostilePaths() throws {
    try inDirectory { directory in
      let target = directory + "/target"
      close(open(target, O_WRONLY | O_CREAT, 0o644))
      symlink(target, directory + "/link")
      mkdir(directory + "/folder", 0o700)
      mkfifo(directory + "/fifo", 0o600)
      for name in ["link", "folder", "fifo"] {
        let history = PromptHistory(path: directory + "/" + name)
        history.add("x")
        #expect(throws: PromptHistoryError.self) { try history.save() }
        #expect(history.entries == ["x"])
      }
      #expect(mode(target) == 0o644)
    }
  }

  @Test("skips lines that are no text")
  func damaged() throws {
    try inDirectory { directory in
      let path = directory + "/history"
      let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
      let bytes: [UInt8] = Array("good\n".utf8) + [0xFF, 0x0A, 0x61, 0x00, 0x0A, 0x0A, 0x7A]
      #expect(write(descriptor, bytes, bytes.count) == bytes.count)
      close(descriptor)
      #expect(PromptHistory(path: path).entries == ["good", "z"])
    }
  }

  @Test("leaves nothing beside the file when it cannot be written")
  func fullDisk() throws {
    let history = PromptHistory(path: "/dev/null/history")
    history.add("x")
    #expect(throws: PromptHistoryError.self) { try history.save() }
  }
}

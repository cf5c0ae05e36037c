import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

/// Each single system call of a command fails in turn: what the command says is so, and nothing is lost.
@Suite(.waiting)
struct FailingCallTests {
  /// A function of the C library that fails.
  struct FailingCall: CustomTestStringConvertible, Sendable {
    var kind = "sqlite"
    var name: String
    var code: Int32
    var isSticky = false
    var testDescription: String { "\(kind), \(name), errno \(code)\(isSticky ? ", for good" : "")" }
  }

  private static func calls(_ names: [(String, [Int32])]) -> [FailingCall] {
    names.flatMap { name, codes in
      codes.flatMap { code in
        ["sqlite", "json"].map { FailingCall(kind: $0, name: name, code: code) }
      }
    }
  }

  /// Runs a command with the n-th call failing, for a sample of all n, on a fresh copy of a directory
  /// each time.
  ///
  /// - Returns: how often it failed.
  @discardableResult
  private func forEach(
    _ call: FailingCall, of command: (String) -> [String], input: [UInt8] = [],
    prepare: (Program, String) throws -> Void,
    check: (Program, String, Program.Result, String) throws -> Void
  ) throws -> Int {
    let program = try Program()
    let (master, directory) = (
      program.home.appending(path: "master"), program.home.appending(path: "work")
    )
    let files = FileManager.default
    try files.createDirectory(at: master, withIntermediateDirectories: true)
    try prepare(program, master.path)
    var hits = 0
    for number in Sample(oneIn: 7, of: "\(call) \(command(""))").prefix(200) {
      try? files.removeItem(at: directory)
      try files.copyItem(at: master, to: directory)
      try? files.removeItem(at: program.home.appending(path: ".local"))
      let (result, isHit) = try program.run(
        command(directory.path), input: input, failing: call, number, under: directory.path)
      try check(program, directory.path, result, "\(call.name) \(number)")
      if !isHit { return hits }
      hits += 1
    }
    Issue.record("it never came to an end")
    return hits
  }

  /// The texts of a journal's entries, a line each.
  private func texts(_ journal: String) throws -> String {
    try StoredJournal.texts(journal).joined(separator: "\n")
  }

  // MARK: Restoring

  @Test(
    "backup --restore: the journal that was there is the journal, or kept under the name that is told",
    arguments: calls([
      ("access", [EIO]), ("stat", [EIO]), ("open", [EIO]), ("rename", [EDQUOT, EINVAL]),
      ("link", [EIO]), ("unlink", [EIO]), ("fsync", [EIO]),
    ]))
  func restore(call: FailingCall) throws {
    let hits = try forEach(
      call,
      of: {
        ["--journal", "\($0)/j.\(call.kind)", "backup", "--restore"]
          + ["\($0)/c.\(call.kind)", "--yes"]
      },
      prepare: { program, directory in
        let journal = ["--journal", "\(directory)/j.\(call.kind)"]
        _ = try program.run(journal + ["add", "before"])
        _ = try program.run(journal + ["backup", "\(directory)/c.\(call.kind)"])
        _ = try program.run(journal + ["add", "since then"])
      },
      check: { program, directory, result, note in
        let now = try texts("\(directory)/j.\(call.kind)")
        #expect(now.contains("before"), "\(note): \(result.errors)")
        let isRestored = result.code == 0 || result.errors.contains("backup is restored")
        #expect(now.contains("since then") != isRestored, "\(note): \(result.errors)")
        guard isRestored else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        let kept = try #require(
          names.first {
            ($0.hasPrefix("j-") || $0.contains(".restoring-")) && !$0.hasSuffix(".lock")
          },
          "\(note): \(names)")
        #expect(try texts("\(directory)/\(kept)").contains("since then"), "\(note)")
        #expect((result.output + result.errors).contains(kept), "\(note)")
      })
    // Files are exchanged without a link where the file system can, and looked up by stat alone.
    #expect(hits > 0 || ["link", "access"].contains(call.name), "nothing failed")
  }

  // MARK: Texts

  static let textCalls = calls([
    ("read", [EIO, EAGAIN]), ("open", [ESTALE]), ("stat", [ESTALE]), ("fstat", [EIO]),
    ("fcntl", [ENOLCK]),
  ])

  @Test("add and edit: a text from standard input is saved or kept", arguments: textCalls)
  func text(call: FailingCall) throws {
    for words in [["add", "-"], ["edit", "1", "-"]] {
      let hits = try forEach(
        call, of: { ["--journal", "\($0)/j.\(call.kind)"] + words },
        input: Array("typed text".utf8),
        prepare: { program, directory in
          _ = try program.run(["--journal", "\(directory)/j.\(call.kind)", "add", "old"])
        },
        check: { program, directory, result, note in
          let list = try texts("\(directory)/j.\(call.kind)")
          let isThere = list.contains("typed text")
          #expect(isThere || result.code != 0, "\(words[0]), \(note)")
          // Nothing came through a pipe whose first read failed.
          let isUnread =
            result.errors.contains("standard input: ") && !result.errors.contains("kept")
          #expect(
            try isThere || isUnread || program.drafts().contains { $0.contains("typed text") },
            "\(words[0]), \(note): \(result.errors)")
        })
      #expect(hits > 0 || (call.kind == "json" && call.name == "fcntl"), "nothing failed")
    }
  }

  @Test("what was read of a text is kept when reading fails")
  func partOfText() throws {
    let program = try Program()
    let text = String(repeating: "word ", count: 40_000)
    let call = FailingCall(name: "read", code: EIO)
    let (result, isHit) = try program.run(
      ["add", "-"], input: Array(text.utf8), failing: call, 2, under: "/nowhere")
    #expect(isHit)
    #expect(result.code == 74)
    #expect(result.errors.hasPrefix("daybook: standard input: Input/output error; nothing saved"))
    let draft = try #require(try program.drafts().first)
    #expect(!draft.isEmpty && text.hasPrefix(draft))
  }

  @Test(
    "a text that comes with a wrong option or entry is kept",
    arguments: [
      ["add", "--date", "never", "-"], ["add", "--tag", "a!b", "-"], ["add", "--template", "none"],
      ["edit", "77", "-"], ["--journal", "/dev/null", "edit", "1", "-"],
      ["--journal", "/nonexistent/j.sqlite", "add", "-"],
    ])
  func wrongOption(words: [String]) throws {
    let program = try Program()
    _ = try program.run(["add", "old"])
    let result = try program.run(words, input: Array("typed text\n".utf8))
    #expect(result.code != 0)
    #expect(try program.drafts().map { $0.split(separator: "\n").first } == ["typed text"])
    #expect(result.errors.contains("the text is kept in "), "\(result.errors)")
  }

  // MARK: Copies

  @Test(
    "backup, export and doctor --salvage: what is reported as written is there and opens",
    arguments: calls([
      ("unlink", [EIO]), ("rename", [EDQUOT, EINVAL]), ("fsync", [EIO]),
    ]))
  func copies(call: FailingCall) throws {
    let commands = [
      ["backup", "copy.\(call.kind)"], ["doctor", "--salvage", "copy.\(call.kind)"],
      ["export", "-o", "copy.jsonl"],
    ]
    for words in commands {
      let name = words.last ?? ""
      try forEach(
        call,
        of: { directory in
          ["--journal", "\(directory)/j.\(call.kind)"] + words.dropLast() + ["\(directory)/\(name)"]
        },
        prepare: { program, directory in
          _ = try program.run(["--journal", "\(directory)/j.\(call.kind)", "add", "one"])
        },
        check: { program, directory, result, note in
          guard result.code == 0 else {
            #expect(!result.errors.isEmpty, "\(words[0]), \(note)")
            return
          }
          if name.hasSuffix("jsonl") {
            let bytes = try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))
            #expect(String(decoding: bytes, as: UTF8.self).contains("\"text\":\"one\""), "\(note)")
          } else {
            #expect(try texts("\(directory)/\(name)") == "one", "\(words[0]), \(note)")
          }
        })
    }
  }

  // MARK: Waiting and telling

  @Test("an import from a pipe ends when the system cannot wait")
  func poll() throws {
    let program = try Program()
    let call = FailingCall(name: "poll", code: ENOMEM, isSticky: true)
    let mark = program.home.appending(path: "mark").path
    let shim = try FaultShim.path()
    let result = try program.shell(
      """
      mkfifo $HOME/pipe; exec 3<>$HOME/pipe; echo '{}' >&3
      export LD_PRELOAD='\(shim)' FAULT_CALL=\(call.name) FAULT_AT=1
      export FAULT_ERRNO=\(call.code) FAULT_STICKY=1 FAULT_DIR=/nowhere FAULT_MARK='\(mark)'
      daybook import - <$HOME/pipe
      """)
    #expect(result.code == 74)
    #expect(result.errors.contains("waiting failed (Cannot allocate memory); nothing was added"))
  }

  @Test("who cannot be told on one stream is told on the other")
  func streams() throws {
    let program = try Program()
    _ = try program.run(["add", "one"])
    for words in [["undo"], ["redo"], ["star", "1"], ["doctor"], ["list"]] {
      let outFull = try program.shell("daybook \(words.joined(separator: " ")) >/dev/full")
      #expect(outFull.code == 74 && outFull.errors.contains("No space left"), "\(words)")
    }
    let errorsFull = try program.shell("daybook show 77 2>/dev/full")
    #expect(errorsFull.code == 1)
    #expect(errorsFull.output.hasPrefix("daybook: "))
  }
}

extension Program {
  /// Runs the program with the n-th call of a function failing, on files under a directory.
  func run(
    _ arguments: [String], input: [UInt8], failing call: FailingCallTests.FailingCall,
    _ number: Int, under directory: String
  ) throws -> (result: Result, isHit: Bool) {
    let mark = home.appending(path: "mark").path
    unlink(mark)
    var extra = [
      "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": directory, "FAULT_AT": "\(number)",
      "FAULT_CALL": call.name, "FAULT_ERRNO": "\(call.code)", "FAULT_MARK": mark,
    ]
    if call.isSticky { extra["FAULT_STICKY"] = "1" }
    let result = try run(arguments, input: input, extra: extra)
    return (result, FileManager.default.fileExists(atPath: mark))
  }
}

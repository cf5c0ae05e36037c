import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

/// A disk that fails or is full at each single write of a command: done or not done, never half, and
/// what was typed is never lost.
@Suite(.waiting)
struct FullDiskTests {
  /// How a disk fails.
  struct Fault: CustomTestStringConvertible {
    var kind: String
    var number: Int32
    var isSticky: Bool
    var testDescription: String { "\(kind), errno \(number), \(isSticky ? "for good" : "once")" }
  }

  static let faults = ["sqlite", "json"].flatMap { kind in
    [
      Fault(kind: kind, number: ENOSPC, isSticky: true),
      Fault(kind: kind, number: EIO, isSticky: false),
    ]
  }

  /// Runs a command with each of its writes failing in turn, and checks what is left each time.
  private func forEachFault(
    _ fault: Fault, _ command: [String],
    _ check: (Program, String, Program.Result, Int) throws -> Void
  ) throws {
    let program = try Program()
    let directory = program.home.appending(path: "journal")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let journal = ["--journal", directory.appending(path: "j.\(fault.kind)").path]
    try StoredJournal.add(["one", "two"], to: journal[1])
    var hits = 0
    for change in Sample(oneIn: 8, of: "\(fault) \(command)").prefix(200) {
      let (result, isHit) = try program.run(
        journal + command.map { $0.replacing("#", with: "\(change)") }, failing: change,
        with: fault.number, sticky: fault.isSticky,
        under: directory.path)
      try check(program, journal[1], result, change)
      // As doctor --fix does, without a start of the program.
      let location = JournalLocation(path: journal[1], isExplicit: true)
      let left = try JournalDoctor(location).repair().left.findings
      #expect(left.isEmpty, "write \(change): \(left.map(\.text))")
      if !isHit {
        #expect(result.code == 0, "\(result.errors)")
        break
      }
      hits += 1
    }
    #expect(hits > 0, "nothing failed")
  }

  @Test("add: saved once, or not at all with the text kept", arguments: faults)
  func add(fault: Fault) throws {
    try forEachFault(fault, ["add", "text #"]) { program, journal, result, change in
      let texts = try StoredJournal.texts(journal)
      let count = texts.filter { $0 == "text \(change)" }.count
      #expect(texts.contains("one") && texts.contains("two"))
      if result.code == 0 {
        #expect(count == 1, "write \(change)")
      } else {
        #expect(result.code == 74, "write \(change): \(result.errors)")
        #expect(count <= 1)
        #expect(try count == 1 || program.drafts().contains("text \(change)"), "write \(change)")
      }
    }
  }

  @Test("edit: the old text or the new one, and the new one is kept", arguments: faults)
  func edit(fault: Fault) throws {
    var last = "one"
    try forEachFault(fault, ["edit", "1", "text #"]) { program, journal, result, change in
      let text = try StoredJournal.open(journal).entry(1).text
      let isNew = text == "text \(change)"
      #expect(isNew || (result.code != 0 && text == last), "write \(change): \(text)")
      #expect(try isNew || program.drafts().contains("text \(change)"), "write \(change)")
      if isNew { last = "text \(change)" }
    }
  }

  @Test("delete: done or not done", arguments: faults)
  func delete(fault: Fault) throws {
    try forEachFault(fault, ["delete", "2"]) {
      program, journal, result, change in
      let isThere = try StoredJournal.texts(journal).contains("two")
      let isInTrash = try StoredJournal.texts(journal, matching: .flag(.deleted)).contains("two")
      if isInTrash { _ = try StoredJournal.open(journal).restore([2]) }
      #expect(isThere != isInTrash, "write \(change)")
      #expect(isInTrash || result.code != 0, "write \(change)")
      if result.code != 0 { #expect([74].contains(result.code), "\(result.errors)") }
    }
  }

  @Test("backup: a whole copy under its name, or nothing", arguments: faults)
  func backup(fault: Fault) throws {
    let program = try Program()
    let directory = program.home.appending(path: "copies")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let journal = ["--journal", program.home.appending(path: "j.\(fault.kind)").path]
    try StoredJournal.add(["one"], to: journal[1])
    let copy = directory.appending(path: "copy.\(fault.kind)").path
    for change in Sample(oneIn: 8, of: "\(fault) backup").prefix(200) {
      let (result, isHit) = try program.run(
        journal + ["backup", copy], failing: change, with: fault.number, sticky: fault.isSticky,
        under: directory.path)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      if result.code == 0 {
        #expect(try program.run(["--journal", copy, "doctor"]).output == "sound: 1 entry\n")
        try FileManager.default.removeItem(atPath: copy)
      } else {
        #expect([73, 74].contains(result.code), "write \(change): \(result.errors)")
        #expect(names == [], "write \(change)")
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
        try FileManager.default.removeItem(at: directory.appending(path: name))
      }
      if !isHit { return }
    }
    Issue.record("it never came to an end")
  }

  @Test(
    "export: a whole file under its name, or the one that was there, and success is the whole one",
    arguments: faults)
  func export(fault: Fault) throws {
    let program = try Program()
    let directory = program.home.appending(path: "exports")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let journal = ["--journal", program.home.appending(path: "j.\(fault.kind)").path]
    // More than a buffer, so that the first write that fails is not the last one.
    let long = String(repeating: "many words ", count: 5_000)
    try StoredJournal.add(["one " + long, "two " + long, "three"], to: journal[1])
    let whole = try program.run(journal + ["export", "--format", "jsonl"]).output
    let file = directory.appending(path: "e.jsonl")
    for change in Sample(oneIn: 8, of: "\(fault) export").prefix(200) {
      try Data("old".utf8).write(to: file)
      let (result, isHit) = try program.run(
        journal + ["export", "--force", "-o", file.path], failing: change, with: fault.number,
        sticky: fault.isSticky, under: directory.path)
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      if result.code == 0 {
        #expect(text == whole, "write \(change)")
      } else {
        #expect([73, 74].contains(result.code), "write \(change): \(result.errors)")
        #expect(text == "old" || text == whole, "write \(change)")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["e.jsonl"],
        "write \(change)")
      guard isHit else {
        #expect(change > 4, "nothing failed")
        return
      }
    }
    Issue.record("it never came to an end")
  }
}

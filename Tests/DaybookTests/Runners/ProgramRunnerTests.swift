import Foundation
import Journal
import Screen
import Testing
import TextLayout

@testable import daybook

/// Other programs over a memory journal.
struct ProgramRunnerTests {
  private let rig: RunnerRig
  private let runner: ProgramRunner

  init() throws {
    let rig = try RunnerRig(["Bread #home", "Milk"])
    self.rig = rig
    let changes = ChangeRunner(rig.journal, work: rig.work) { rig.send($0) }
    runner = ProgramRunner(
      rig.journal, display: MemoryDisplay(size: Size(columns: 80, lines: 24)), signals: nil,
      configuration: Configuration(), changes: changes
    ) { rig.send($0) }
  }

  /// A shell script that edits the file of its last argument.
  ///
  /// A shell reads it: a program that another test starts just now inherits the file while it is
  /// written, and the system runs no file that is open for writing.
  private func editor(_ command: String) throws {
    try FileManager.default.createDirectory(
      atPath: rig.directory, withIntermediateDirectories: true)
    let path = rig.directory + "/editor"
    try "#!/bin/sh\nfor file; do :; done\n\(command)\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    rig.state.settings.editor = "sh \(path)"
  }

  @Test("texts go to a shell command and to the clipboard")
  func pipeAndCopy() throws {
    try FileManager.default.createDirectory(
      atPath: rig.directory, withIntermediateDirectories: true)
    let path = rig.directory + "/out"
    try runner.run(.pipe(.entries([1, 2]), "cat >\(path)"), in: rig.state)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "Bread #home\n\nMilk\n")
    try runner.run(.pipe(.entry(1), "exit 3"), in: rig.state)
    #expect(rig.state.status?.text == "exit 3 ended with 3")
    try runner.run(.copy(.entries([1, 2])), in: rig.state)
    #expect(rig.state.status?.text == "copied 2 entries")
  }

  @Test(
    "a link is opened by the browser of the settings, with the address as it is")
  func links() throws {
    try FileManager.default.createDirectory(
      atPath: rig.directory, withIntermediateDirectories: true)
    let path = rig.directory + "/opened"
    var state = rig.state
    state.settings.browser = "printf %s >\(path)"
    let address = "https://example.org/?a=$(id)&b='x';c"
    try runner.run(.openLink(address), in: state)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == address)
    #expect(rig.state.status == .done("opened \(address)"))
    state.settings.browser = "exit 4; :"
    try runner.run(.openLink(address), in: state)
    #expect(rig.state.status?.kind == .failed)
  }

  @Test("the editor writes a new entry and edits one; an unchanged or empty text changes nothing")
  func editing() throws {
    try editor("echo from the editor >\"$file\"")
    try runner.run(.newEntry(), in: rig.state)
    #expect(try rig.texts() == ["Bread #home", "Milk", "from the editor"])
    try runner.run(.edit(.entry(2)), in: rig.state)
    #expect(try rig.texts()[1] == "from the editor")
    try editor(": >\"$file\"")
    try runner.run(.edit(.entry(1)), in: rig.state)
    #expect(rig.state.status?.text == "empty text not saved; d deletes an entry")
    #expect(try rig.texts()[0] == "Bread #home")
    try runner.run(.edit(.entry(99)), in: rig.state)
    #expect(rig.state.status?.text == "no entry has the number 99")
  }
}

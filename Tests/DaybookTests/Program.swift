import Foundation
import Testing

/// The built program with a home of its own, run as people run it.
final class Program {
  /// The result of a run.
  struct Result {
    var output: String
    var errors: String
    var code: Int32
  }

  /// The home directory; it is deleted with the program.
  let home: URL

  /// The binary, beside the tests' own.
  static let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "daybook")

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: home)
  }

  /// The environment of every run: nothing of the machine's, UTC, 80 × 24.
  ///
  /// Swift's backtraces, which an installed program has not, let a program go on after a signal for
  /// crashes that another process sent.
  var environment: [String: String] {
    var environment = [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8",
      "TERM": "xterm-256color", "LINES": "24", "COLUMNS": "80", "INPUTRC": "/dev/null",
      "SWIFT_BACKTRACE": "enable=no",
    ]
    // The fault of a mutant, see `make mutants`, is one of the program.
    environment["DAYBOOK_MUTANT"] = ProcessInfo.processInfo.environment["DAYBOOK_MUTANT"]
    return environment
  }

  /// Runs `daybook` with arguments and bytes on standard input.
  func run(
    _ arguments: [String], input: [UInt8] = [], extra: [String: String] = [:]
  ) throws -> Result {
    try run(Self.binary, arguments, input, extra)
  }

  /// Writes a program, a shell script without its first line.
  ///
  /// A child writes it: a program that another test starts just now would inherit the open file, and
  /// nobody can run a file that is open for writing.
  func makeTool(_ path: String, _ script: String) throws {
    let encoded = Data("#!/bin/sh\n\(script)\n".utf8).base64EncodedString()
    let made = try shell("echo \(encoded) | base64 -d > '\(path)'; chmod 755 '\(path)'")
    try #require(made.code == 0)
  }

  /// Runs a shell script in which `daybook` is the program.
  func shell(_ script: String) throws -> Result {
    let setup = "daybook() { \(Self.binary.path) \"$@\"; }; \(script)"
    return try run(URL(filePath: "/bin/bash"), ["-c", setup], [], [:])
  }

  private func run(
    _ executable: URL, _ arguments: [String], _ input: [UInt8], _ extra: [String: String]
  ) throws -> Result {
    let run = home.appending(path: "run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: run) }
    let files = ["in", "out", "err"].map { run.appending(path: $0) }
    try Data(input).write(to: files[0])
    let code = try ChildProcess.run(
      executable.path, arguments, environment: environment.merging(extra) { _, new in new },
      input: files[0].path, output: files[1].path, errors: files[2].path)
    return Result(
      output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self),
      code: code)
  }

  /// The texts of all drafts that are kept.
  func drafts() throws -> [String] {
    try draftDirectories().compactMap { directory in
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      guard let name = names.first(where: { $0.hasSuffix(".md") }) else { return nil }
      let file = directory.appending(path: name)
      // An editor may have left anything, and reading a pipe would wait for a writer.
      guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else {
        return nil
      }
      return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
  }

  /// The directories of all drafts, oldest first.
  func draftDirectories() -> [URL] {
    let directory = home.appending(path: ".local/state/daybook/drafts")
    let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
    return (names ?? []).sorted().map { directory.appending(path: $0) }
  }
}

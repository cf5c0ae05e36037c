import Files
import Foundation
import Glibc
import JournalSync
import Testing

/// An empty directory with a home of its own, removed after the test.
final class Scratch: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/daybook-git-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path + "/home", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The variables of all programs of a test: nothing of the machine's user.
  var environment: [String] {
    ["PATH=/usr/bin:/bin:/usr/sbin", "HOME=\(path)/home", "TMPDIR=\(path)"]
  }

  /// The program as the product runs it, with more variables.
  func program(_ variables: [String] = []) throws -> GitProgram {
    try GitProgram(environment: environment + variables)
  }

  /// A repository of the product.
  func repository(_ name: String = "cache", _ variables: [String] = []) throws -> GitRepository {
    try GitRepository(at: "\(path)/\(name)", program: program(variables))
  }

  /// A remote in a directory of the scratch.
  func remote(_ name: String = "remote.git") throws -> GitRemote {
    try GitRemote(name, relativeTo: path)
  }

  /// Makes an empty bare repository by plain git, with the branch that its HEAD names.
  func makeRemote(_ name: String = "remote.git", branch: String = "main") throws {
    try git(["init", "--quiet", "--bare", "--initial-branch=\(branch)", "\(path)/\(name)"])
    try git(["-C", "\(path)/\(name)", "config", "http.receivepack", "true"])
  }

  /// Runs plain git, which has nothing to do with the code under test.
  @discardableResult
  func git(
    _ arguments: [String], input: [UInt8] = [], code expected: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    let (code, output, errors) = try Self.run(
      "/usr/bin/git", ["git"] + arguments, environment: environment + ["LC_ALL=C"], input: input)
    #expect(
      code == expected, "\(arguments): \(String(decoding: errors, as: UTF8.self))",
      sourceLocation: sourceLocation)
    return output
  }

  /// Runs plain git in a repository and returns its only line.
  func line(_ name: String, _ arguments: [String]) throws -> String {
    let output = try git(["-C", "\(path)/\(name)"] + arguments)
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// The commit that a name means in a repository, by plain git.
  func commit(_ name: String, _ revision: String = "refs/heads/main") throws -> ObjectID {
    try #require(ObjectID(try line(name, ["rev-parse", revision])))
  }

  /// Makes a commit in a repository by a stream for `git fast-import`.
  @discardableResult
  func importStream(
    _ stream: String, into name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    try git(
      ["-C", "\(path)/\(name)", "fast-import", "--quiet", "--force"], input: Array(stream.utf8),
      sourceLocation: sourceLocation)
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: try place(of: name)))
  }

  /// Writes a program, or a file that looks like one.
  ///
  /// A child writes it: a program that another test starts just now would inherit the open file, and
  /// nobody can run a file that is open for writing.
  func writeProgram(_ name: String, _ text: String) throws {
    let (code, _, errors) = try Self.run(
      "/bin/sh", ["sh", "-c", "cat > \"$0\" && chmod 755 \"$0\"", try place(of: name)],
      environment: environment, input: Array(text.utf8))
    try #require(code == 0, "\(String(decoding: errors, as: UTF8.self))")
  }

  /// The path of a file whose directory is there then.
  private func place(of name: String) throws -> String {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: Directory.of(file), withIntermediateDirectories: true)
    return file
  }

  func exists(_ name: String) -> Bool {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0
  }

  /// Runs a program with files for its streams.
  static func run(
    _ program: String, _ arguments: [String], environment: [String], input: [UInt8] = []
  ) throws -> (code: Int32, output: [UInt8], errors: [UInt8]) {
    let base = FileManager.default.temporaryDirectory.path + "/daybook-run-\(UUID().uuidString)"
    let files = ["in", "out", "err"].map { "\(base).\($0)" }
    defer { for file in files { unlink(file) } }
    try Data(input).write(to: URL(filePath: files[0]))
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    for file in files[1...] { try Data().write(to: URL(filePath: file)) }
    let process = try ProgramStart(
      program, arguments, environment: environment,
      redirections: [
        .file(files[0], flags: O_RDONLY, as: 0), .file(files[1], flags: writing, as: 1),
        .file(files[2], flags: writing, as: 2),
      ]
    ).run()
    let code = try #require(try ProgramStart.exitCode(of: process))
    return (
      code, Array(try Data(contentsOf: URL(filePath: files[1]))),
      Array(try Data(contentsOf: URL(filePath: files[2])))
    )
  }
}

extension CommitAuthor {
  /// An author at a time.
  static func test(_ seconds: Int = 1_700_000_000) -> CommitAuthor {
    CommitAuthor(name: "Anna", email: "anna@example.org", seconds: seconds, offset: 60)
  }
}

extension GitRepository {
  /// A commit of texts by path; nil deletes.
  func commit(
    _ files: KeyValuePairs<String, String?>, on parents: [ObjectID] = [],
    at seconds: Int = 1_700_000_000
  ) throws -> ObjectID {
    try commit(
      on: parents,
      changes: files.map { path, text in
        FileChange(path: path, text.map { .write(Array($0.utf8)) } ?? .delete)
      }, author: .test(seconds), message: "test\n")
  }

  /// The texts of all files of a commit, by path.
  func texts(of commit: ObjectID) throws -> [String: String] {
    var files: [(String, ObjectID)] = []
    try changedPaths(from: nil, to: commit) { change in
      let isOfText = change.path.starts(with: "files/".utf8)
      if let new = change.new, new.kind == .file, !isOfText {
        files.append((String(decoding: change.path, as: UTF8.self), new.object))
      }
    }
    var texts: [String: String] = [:]
    var paths = files.makeIterator()
    try blobs(files.map(\.1), limit: 1 << 20) { _, content in
      guard let (path, _) = paths.next(), case .bytes(let bytes) = content else {
        Issue.record("\(content)")
        return
      }
      texts[path] = String(decoding: bytes, as: UTF8.self)
    }
    return texts
  }
}

/// The error that a body throws, if it is one of ours.
func gitError(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) -> GitError? {
  do {
    let value = try body()
    Issue.record("no error, but \(value)", sourceLocation: sourceLocation)
  } catch let error as GitError {
    return error
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
  return nil
}

/// A flag that threads share.
final class Flag: @unchecked Sendable {
  // `lock` guards `value`.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool {
    lock.withLock { value }
  }

  func set() {
    lock.withLock { value = true }
  }
}

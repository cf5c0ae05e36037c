import Foundation
import JournalSync
import Testing

/// A person with plain git, who edits, adds, moves and deletes files in the remote: nothing of the
/// product.
struct PlainGit {
  let scratch: Scratch
  /// The name of the repository in the scratch.
  let name: String

  init(_ scratch: Scratch, _ name: String = "remote.git") {
    (self.scratch, self.name) = (scratch, name)
  }

  /// The commit of the branch; `nil` in an empty repository.
  func head() throws -> String? {
    let bytes = try scratch.git([
      "-C", "\(scratch.path)/\(name)", "for-each-ref", "--format=%(objectname)", "refs/heads/main",
    ])
    let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    return line.isEmpty ? nil : line
  }

  /// The texts of all files of the branch, by path; other things than files are left out.
  func files() throws -> [String: String] {
    guard let head = try head(), let commit = ObjectID(head) else { return [:] }
    return try reading { try $0.texts(of: commit) }
  }

  /// The names of all files of the branch.
  func names() throws -> [String] {
    let bytes = try scratch.git([
      "-C", "\(scratch.path)/\(name)", "ls-tree", "-r", "-z", "--name-only", "refs/heads/main",
    ])
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a file of the branch.
  func bytes(at path: String) throws -> [UInt8] {
    try scratch.git([
      "-C", "\(scratch.path)/\(name)", "cat-file", "blob", "refs/heads/main:\(path)",
    ])
  }

  /// Puts the branch back to a commit.
  func reset(to commit: String) throws {
    try scratch.git(["-C", "\(scratch.path)/\(name)", "update-ref", "refs/heads/main", commit])
  }

  /// Fetches the remote into a repository for reading, and runs a body.
  func reading<Value>(_ body: (GitRepository) throws -> Value) throws -> Value {
    let repository = try GitRepository(
      at: "\(scratch.path)/reader.git", program: scratch.program())
    _ = try repository.fetch(scratch.remote(name))
    return try body(repository)
  }

  /// What happens to a path.
  enum Change {
    case write([UInt8])
    case delete
    /// An entry of the tree with this mode and an object, or bytes that become one.
    case mode(String, [UInt8])
    /// A submodule at a commit.
    case submodule(String)

    static func text(_ text: String) -> Change { .write(Array(text.utf8)) }
  }

  /// Commits changes in their order, on top of the branch.
  ///
  /// - Parameters:
  ///   - isNewRoot: whether the history begins again with the present files, as after a squash.
  ///   - startsEmpty: whether the present files go.
  func commit(
    _ changes: [(String, Change)], isNewRoot: Bool = false, startsEmpty: Bool = false
  ) throws {
    try commit(
      bytes: changes.map { (Array($0.0.utf8), $0.1) }, isNewRoot: isNewRoot,
      startsEmpty: startsEmpty)
  }

  /// Commits changes to paths of any bytes; see ``commit(_:isNewRoot:startsEmpty:)``.
  func commit(
    bytes changes: [([UInt8], Change)], isNewRoot: Bool = false, startsEmpty: Bool = false
  ) throws {
    let head = try head()
    var stream = Array(
      "commit refs/heads/main\ncommitter P <p@example.org> 1700000000 +0000\n".utf8)
    stream += "data 6\nplain\n\n".utf8
    if let head {
      if isNewRoot {
        if !startsEmpty { stream += "M 040000 \(try tree(of: head)) \"\"\n".utf8 }
      } else {
        stream += "from \(head)\n".utf8
        if startsEmpty { stream += "deleteall\n".utf8 }
      }
    }
    for (path, change) in changes {
      let quoted = Self.quoted(path)
      switch change {
      case .delete: stream += "D \(quoted)\n".utf8
      case .submodule(let commit): stream += "M 160000 \(commit) \(quoted)\n".utf8
      case .write(let bytes): Self.append("100644", quoted, bytes, to: &stream)
      case .mode(let mode, let bytes): Self.append(mode, quoted, bytes, to: &stream)
      }
    }
    if isNewRoot, head != nil {
      try scratch.git(["-C", "\(scratch.path)/\(name)", "update-ref", "-d", "refs/heads/main"])
    }
    try scratch.git(
      ["-C", "\(scratch.path)/\(name)", "fast-import", "--quiet", "--force"],
      input: stream + Array("\ndone\n".utf8))
  }

  /// Sets the branch to a commit, as a force push does.
  func rewind(to commit: String) throws {
    try scratch.git(["-C", "\(scratch.path)/\(name)", "update-ref", "refs/heads/main", commit])
  }

  /// Replaces the history by one commit with the files of a former commit, as a squash does that is
  /// pushed from an older clone.
  func replaceHistory(withFilesOf commit: String) throws {
    try rewind(to: scratch.line(name, Self.commitTree + ["\(commit)^{tree}"]))
  }

  /// Commits the files of a former commit on top of the branch.
  func putBack(filesOf commit: String) throws {
    let head = try #require(try head())
    try rewind(to: scratch.line(name, Self.commitTree + ["-p", head, "\(commit)^{tree}"]))
  }

  /// Replaces the head by a commit with another message.
  ///
  /// - Parameter message: gives it for the tree and the parents.
  func rewriteMessage(_ message: (ObjectID, [ObjectID]) -> String) throws {
    let line = try scratch.line(name, ["log", "-1", "--format=%T %P", "refs/heads/main"])
    let objects = line.split(separator: " ").compactMap { ObjectID(String($0)) }
    let tree = try #require(objects.first)
    let parents = Array(objects.dropFirst())
    let arguments = Self.commitTree.dropLast() + [message(tree, parents)]
    try rewind(
      to: scratch.line(name, arguments + parents.flatMap { ["-p", "\($0)"] } + ["\(tree)"]))
  }

  private static let commitTree = [
    "-c", "user.name=P", "-c", "user.email=p@example.org", "commit-tree", "-m", "plain",
  ]

  private func tree(of commit: String) throws -> String {
    try scratch.line(name, ["rev-parse", "\(commit)^{tree}"])
  }

  private static func append(
    _ mode: String, _ path: String, _ bytes: [UInt8], to stream: inout [UInt8]
  ) {
    stream += "M \(mode) inline \(path)\ndata \(bytes.count)\n".utf8
    stream += bytes
    stream.append(UInt8(ascii: "\n"))
  }

  /// A path in quotation marks, all bytes but letters and digits in octal.
  private static func quoted(_ path: [UInt8]) -> String {
    let parts = path.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"), UInt8(ascii: "."):
        String(UnicodeScalar(byte))
      default: "\\" + String(UInt32(byte) + 0o1000, radix: 8).dropFirst()
      }
    }
    return "\"" + parts.joined() + "\""
  }
}

import Glibc

/// A file of a tree: its mode and its object.
package struct TreeFile: Hashable, Sendable {
  /// The kinds of things at a path.
  package enum Kind: Hashable, Sendable {
    case file
    case executable
    case symbolicLink
    case submodule
    case directory
    /// A mode that git does not write.
    case other
  }

  package var kind: Kind
  package var object: ObjectID

  package init(_ kind: Kind, _ object: ObjectID) {
    self.kind = kind
    self.object = object
  }

  /// Reads an octal mode; nil for 0, where nothing is.
  static func kind(ofMode mode: some Collection<UInt8>) -> Kind? {
    var value = 0
    for byte in mode { value = value << 3 | Int(byte & 7) }
    return switch value {
    case 0: nil
    case 0o100644, 0o100664: .file
    case 0o100755: .executable
    case 0o120000: .symbolicLink
    case 0o160000: .submodule
    case 0o040000: .directory
    default: .other
    }
  }
}

/// A path that differs between two trees.
package struct TreeChange: Hashable, Sendable {
  /// The bytes of the path, which are any but NUL.
  package var path: [UInt8]
  /// Whether the path is longer than ``longestPath`` and only its beginning is given.
  package var isPathCut: Bool
  /// The object before; nil if there was none.
  package var old: TreeFile?
  /// The object now; nil if there is none.
  package var new: TreeFile?

  package init(
    path: [UInt8], isPathCut: Bool = false, old: TreeFile? = nil, new: TreeFile? = nil
  ) {
    self.path = path
    self.isPathCut = isPathCut
    self.old = old
    self.new = new
  }

  /// The longest path that is given whole, in bytes; that of Linux.
  package static let longestPath = 4_096
}

/// Commits and trees.
extension GitRepository {
  /// The commit of a reference; nil if there is none.
  ///
  /// - Throws: ``GitError`` `damaged`.
  package func head(of reference: Reference) throws -> ObjectID? {
    try resolve("\(reference.rawValue)^{commit}")
  }

  /// Whether a commit is here.
  ///
  /// - Throws: ``GitError`` if git ended without an answer: a base that is only taken for lost would
  ///   make every entry new on both sides.
  package func contains(_ commit: ObjectID) throws -> Bool {
    let outcome = try read(["cat-file", "-e", "\(commit)^{commit}"]).0
    guard [0, 1, 128].contains(outcome.code), !outcome.wasKilled else { throw localError(outcome) }
    return outcome.code == 0
  }

  /// The tree of a commit; equal trees have equal files.
  ///
  /// - Throws: ``GitError`` `damaged` if the commit is not here.
  package func tree(of commit: ObjectID) throws -> ObjectID {
    guard let tree = try resolve("\(commit)^{tree}") else {
      throw GitError(.damaged, "commit \(commit) is missing")
    }
    return tree
  }

  /// Whether two commits have the same tree.
  ///
  /// - Throws: ``GitError`` `damaged` if one of them is not here.
  package func haveSameFiles(_ one: ObjectID, _ other: ObjectID) throws -> Bool {
    let outcome = try read([
      "diff-tree", "--quiet", "--no-ext-diff", "--ignore-submodules=none", "\(one)", "\(other)",
    ]).0
    guard outcome.code <= 1 else { throw localError(outcome) }
    return outcome.code == 0
  }

  /// The best common ancestor; nil for unrelated histories.
  ///
  /// Of several equally good ones it is the one with the least name, so that all devices choose
  /// the same.
  package func mergeBase(_ left: ObjectID, _ right: ObjectID) throws -> ObjectID? {
    let (outcome, output) = try read(["merge-base", "--all", "\(left)", "\(right)"])
    if outcome.code == 1 { return nil }
    let bases = output.split(separator: UInt8(ascii: "\n")).compactMap { ObjectID($0) }
    guard outcome.code == 0, let least = bases.min() else { throw localError(outcome) }
    return least
  }

  /// Whether one commit is the other or an ancestor of it.
  package func isAncestor(_ ancestor: ObjectID, of commit: ObjectID) throws -> Bool {
    let outcome = try read(["merge-base", "--is-ancestor", "\(ancestor)", "\(commit)"]).0
    guard outcome.code <= 1 else { throw localError(outcome) }
    return outcome.code == 0
  }

  /// The names of the authors of the commits of a history that another one lacks, each once, the latest
  /// first.
  ///
  /// - Parameters:
  ///   - commit: the last commit of the history.
  ///   - base: the last commit of the other history; nil for all commits.
  ///   - limit: the most commits that are looked at.
  package func authors(
    of commit: ObjectID, since base: ObjectID?, limit: Int = 1_000
  ) throws -> [String] {
    let (outcome, output) = try read(
      ["log", "--format=%an", "--max-count=\(limit)", "\(commit)"] + (base.map { ["^\($0)"] } ?? [])
    )
    guard outcome.code == 0 else { throw localError(outcome) }
    var names: [String] = []
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let name = String(decoding: line, as: UTF8.self)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The file or directory at a path of a commit; nil if nothing is there.
  ///
  /// - Parameter path: relative, without a slash at its end.
  package func file(at path: String, in commit: ObjectID) throws -> TreeFile? {
    let (outcome, output) = try read(["ls-tree", "-z", "--full-tree", "\(commit)", "--", path])
    guard outcome.code == 0 else { throw localError(outcome) }
    // MODE TYPE OBJECT\tPATH\0
    guard let tab = output.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let words = output[..<tab].split(separator: UInt8(ascii: " "))
    guard words.count == 3, let object = ObjectID(words[2]),
      let kind = TreeFile.kind(ofMode: words[0])
    else { throw localError(outcome) }
    return TreeFile(kind, object)
  }

  /// Lists the files that differ between two commits, in the order of their paths.
  ///
  /// Renames are a deletion and an addition. Directories without a difference are not read, so the
  /// cost follows the number of differences and of directories with one.
  ///
  /// - Parameters:
  ///   - old: nil for the empty tree.
  ///   - isCancelled: checked about ten times a second.
  ///   - body: takes one difference; an error it throws ends the listing.
  /// - Throws: ``GitError`` `damaged` or `cancelled`, and the errors of `body`.
  package func changedPaths(
    from old: ObjectID?, to new: ObjectID, isCancelled: () -> Bool = { false },
    _ body: (TreeChange) throws -> Void
  ) throws {
    var reader = RawDifferences()
    let outcome = try run(
      [
        "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff",
        "--no-textconv", "--ignore-submodules=none", "\(old ?? .emptyTree)^{tree}",
        "\(new)^{tree}",
      ], isCancelled: isCancelled, output: { try reader.append($0, body) })
    guard outcome.code == 0, reader.isComplete else { throw localError(outcome) }
  }

  /// The parts of a commit that its maker chose.
  package struct CommitParts: Hashable, Sendable {
    package var tree: ObjectID
    package var parents: [ObjectID] = []
    /// The last line of the message that is not empty.
    package var lastLine: String

    package init(tree: ObjectID, parents: [ObjectID], lastLine: String) {
      (self.tree, self.parents, self.lastLine) = (tree, parents, lastLine)
    }
  }

  /// The longest commit that is read, in bytes.
  private static let longestCommit = 1 << 16

  /// The parts of a commit; nil for one that is longer than any of ours.
  ///
  /// - Throws: ``GitError`` `damaged` if the commit is not here.
  package func parts(of commit: ObjectID) throws -> CommitParts? {
    var bytes: [UInt8] = []
    let outcome = try run(
      ["cat-file", "commit", "\(commit)"],
      output: {
        if bytes.count <= Self.longestCommit { bytes.append(contentsOf: $0) }
      })
    guard outcome.code == 0 else { throw localError(outcome) }
    guard bytes.count <= Self.longestCommit else { return nil }
    // Fields up to the first empty line; a field of several lines continues with blanks.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let end = lines.firstIndex { $0.isEmpty } ?? lines.endIndex
    func objects(_ field: String) -> [ObjectID] {
      lines[..<end].compactMap { line in
        line.starts(with: "\(field) ".utf8) ? ObjectID(line.dropFirst(field.utf8.count + 1)) : nil
      }
    }
    guard let tree = objects("tree").first else { return nil }
    let last = lines[end...].last { !$0.isEmpty } ?? []
    return CommitParts(
      tree: tree, parents: objects("parent"), lastLine: String(decoding: last, as: UTF8.self))
  }

  /// The object that a name means; nil if there is none.
  private func resolve(_ name: String) throws -> ObjectID? {
    let (outcome, output) = try read(["rev-parse", "--verify", "--quiet", name])
    if outcome.code == 0, let object = ObjectID(output.dropLast()) { return object }
    guard outcome.code == 1 || outcome.code == 128, outcome.lines.isEmpty else {
      throw localError(outcome)
    }
    return nil
  }
}

/// Reads the output of `diff-tree --raw -z` in pieces: `:MODE MODE OBJECT OBJECT STATUS\0PATH\0`.
struct RawDifferences {
  private var field: [UInt8] = []
  private var isCut = false
  private var heads: (old: TreeFile?, new: TreeFile?)?

  /// Whether the output ended after a whole difference.
  var isComplete: Bool { field.isEmpty && heads == nil }

  /// Takes the next bytes and gives the differences that are complete.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ body: (TreeChange) throws -> Void
  ) throws {
    var rest = bytes
    while !rest.isEmpty {
      let end = rest.index(of: 0)
      let part = rest.piece(0, end ?? rest.count)
      let room = TreeChange.longestPath - field.count
      if part.count > room { isCut = true }
      field.append(contentsOf: part.piece(0, min(room, part.count)))
      guard let end else { return }
      rest = rest.piece(end + 1, rest.count)
      try endField(body)
    }
  }

  private mutating func endField(_ body: (TreeChange) throws -> Void) throws {
    defer {
      field.removeAll(keepingCapacity: true)
      isCut = false
    }
    if let (old, new) = heads {
      heads = nil
      try body(TreeChange(path: field, isPathCut: isCut, old: old, new: new))
      return
    }
    // :100644 100644 OBJECT OBJECT M
    guard field.count >= 97, field[0] == UInt8(ascii: ":"), let old = ObjectID(field[15..<55]),
      let new = ObjectID(field[56..<96])
    else { throw GitError(.failed, "git diff-tree: unknown output") }
    heads = (Self.file(field[1..<7], old), Self.file(field[8..<14], new))
  }

  private static func file(_ mode: ArraySlice<UInt8>, _ object: ObjectID) -> TreeFile? {
    TreeFile.kind(ofMode: mode).map { TreeFile($0, object) }
  }
}

extension UnsafeRawBufferPointer {
  /// The position of the first byte of a value.
  func index(of byte: UInt8) -> Int? {
    guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }

  /// The bytes from one position to before another.
  func piece(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}

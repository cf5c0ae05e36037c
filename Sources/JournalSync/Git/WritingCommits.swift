/// The author of a commit and its date, given by the caller so that equal calls make equal commits.
package struct CommitAuthor: Hashable, Sendable {
  package var name: String
  package var email: String
  /// Seconds since 1970; earlier ones become its beginning, since git knows none.
  package var seconds: Int
  /// The offset from UTC in minutes, east positive.
  package var offset: Int

  package init(name: String, email: String, seconds: Int, offset: Int = 0) {
    self.name = name
    self.email = email
    self.seconds = seconds
    self.offset = offset
  }

  /// `NAME <EMAIL> SECONDS +HHMM`, without the characters that end its parts.
  var line: String {
    func part(_ text: String) -> String {
      let kept = text.unicodeScalars.filter { $0 != "<" && $0 != ">" && !GitText.isControl($0) }
      return String(String.UnicodeScalarView(kept)).split(separator: " ").joined(separator: " ")
    }
    let minutes = min(abs(offset), 14 * 60)
    let digits = "\(10_000 + minutes / 60 * 100 + minutes % 60)".dropFirst()
    let zone = (offset < 0 ? "-" : "+") + digits
    // Git cannot show a date whose local time is before 1970.
    let earliest = offset < 0 ? minutes * 60 : 0
    return "\(part(name)) <\(part(email))> \(max(earliest, seconds)) \(zone)"
  }
}

/// A change of a commit to its first parent.
package struct FileChange {
  /// The change of a path.
  package enum Action {
    /// A plain file with these bytes.
    case write([UInt8])
    /// A plain file whose bytes are made while git takes them.
    case stream(ByteStream)
    /// A plain file with the bytes of an object that is here.
    case link(ObjectID)
    /// The file, or the directory with all in it, is removed; also if there is none.
    case delete
  }

  /// The bytes of the path.
  package var path: [UInt8]
  package var action: Action

  package init(path: [UInt8], _ action: Action) {
    self.path = path
    self.action = action
  }

  package init(path: String, _ action: Action) {
    self.init(path: Array(path.utf8), action)
  }

  /// Whether git, on any system, stores the path as a file below the top.
  var isPathValid: Bool {
    guard !path.isEmpty, path.count <= TreeChange.longestPath, !path.contains(0) else {
      return false
    }
    let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.allSatisfy { name in
      !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
        && String(decoding: name, as: UTF8.self).lowercased() != ".git"
    }
  }
}

extension GitRepository {
  /// Makes a commit and sets ``Reference/local`` to it.
  ///
  /// The changes are streamed to `git fast-import`: none is kept, and the cost follows their number
  /// and that of the directories they are in. Either the whole commit is made, or none.
  ///
  /// - Parameters:
  ///   - parents: the first one is what `changes` change; none for the first commit.
  ///   - startsEmpty: whether the tree of the first parent is dropped, so that the changes are all
  ///     files of the commit.
  ///   - isCancelled: checked about ten times a second.
  ///   - nextChange: gives the next change, nil after the last; it may throw to give up.
  /// - Throws: ``GitError`` `cancelled`, `storage`, `damaged`; the errors of `nextChange`. Nothing
  ///   was committed.
  package func commit(
    on parents: [ObjectID], startsEmpty: Bool = false, author: CommitAuthor, message: String,
    isCancelled: () -> Bool = { false }, nextChange: () throws -> FileChange?
  ) throws -> ObjectID {
    var stream = ImportStream()
    stream.begin(parents, startsEmpty: startsEmpty, author: author, message: message)
    var hasEnded = false
    return try importing(isCancelled: isCancelled) {
      while !hasEnded, stream.bytes.count < ImportStream.chunk {
        if try stream.appendStreamed() { continue }
        if let change = try nextChange() {
          try stream.append(change)
        } else {
          stream.end()
          hasEnded = true
        }
      }
      return stream.take()
    }
  }

  private func importing(
    isCancelled: () -> Bool = { false }, _ input: () throws -> [UInt8]?
  ) throws -> ObjectID {
    var output: [UInt8] = []
    let outcome = try run(
      ["fast-import", "--quiet", "--done", "--force", "--date-format=raw", "--depth=0"],
      isCancelled: isCancelled, input: input, output: { output.append(contentsOf: $0) })
    guard outcome.code == 0, let commit = ObjectID(output.dropLast()) else {
      throw localError(outcome)
    }
    return commit
  }

  /// Makes a commit of a tree that is here and sets ``Reference/local`` to it.
  ///
  /// - Throws: ``GitError`` `storage`, `damaged`; nothing was committed.
  package func commit(
    tree: ObjectID, on parents: [ObjectID], author: CommitAuthor, message: String
  ) throws -> ObjectID {
    var stream = ImportStream()
    stream.begin(parents, startsEmpty: true, author: author, message: message)
    stream.append(tree: tree)
    stream.end()
    return try importing { stream.take() }
  }
}

extension SyncRepository {
  /// Makes a commit of changes that are in memory; see
  /// ``GitRepository/commit(on:startsEmpty:author:message:isCancelled:nextChange:)``.
  package func commit(
    on parents: [ObjectID], changes: some Sequence<FileChange>, startsEmpty: Bool = false,
    author: CommitAuthor, message: String, isCancelled: () -> Bool = { false }
  ) throws -> ObjectID {
    var iterator = changes.makeIterator()
    return try commit(
      on: parents, startsEmpty: startsEmpty, author: author, message: message,
      isCancelled: isCancelled
    ) { iterator.next() }
  }
}

/// The input of `git fast-import` for one commit.
///
/// It ends with `done`, without which git commits nothing, so a cut stream has no effect.
struct ImportStream {
  /// The bytes that git did not get yet.
  private(set) var bytes: [UInt8] = []
  /// The file whose bytes are being written, and how many of them are left.
  private var streamed: (source: ByteStream, left: Int)?

  /// The number of bytes collected before they are written.
  static let chunk = 1 << 17

  mutating func begin(
    _ parents: [ObjectID], startsEmpty: Bool, author: CommitAuthor, message: String
  ) {
    append("feature done\ncommit \(GitRepository.Reference.local.rawValue)\nmark :1\n")
    append("author \(author.line)\ncommitter \(author.line)\n")
    append(data: Array(message.utf8))
    for (index, parent) in parents.enumerated() {
      append("\(index == 0 ? "from" : "merge") \(parent)\n")
    }
    if startsEmpty { append("deleteall\n") }
  }

  /// - Throws: ``GitError`` `failed` for a path that git does not store.
  mutating func append(_ change: FileChange) throws(GitError) {
    guard change.isPathValid else {
      throw GitError(.failed, "not the path of a file: \(GitText.clean(change.path))")
    }
    switch change.action {
    case .write(let content):
      append("M 100644 inline ")
      append(path: change.path)
      append(data: content)
    case .stream(let source):
      append("M 100644 inline ")
      append(path: change.path)
      append("data \(source.size)\n")
      streamed = (source, source.size)
    case .link(let object):
      append("M 100644 \(object) ")
      append(path: change.path)
    case .delete:
      append("D ")
      append(path: change.path)
    }
  }

  /// Appends the next bytes of the file that is being written.
  ///
  /// - Returns: `false` if there is none.
  /// - Throws: the errors of its source; ``GitError`` `failed` if that has another size than it said.
  mutating func appendStreamed() throws -> Bool {
    guard let (source, left) = streamed else { return false }
    let next = try source.read()
    guard next.isEmpty ? left == 0 : next.count <= left else {
      throw GitError(.failed, "a file has another size than it said")
    }
    bytes += next
    streamed = next.isEmpty ? nil : (source, left - next.count)
    if next.isEmpty { append("\n") }
    return true
  }

  /// Sets all files to those of a tree.
  mutating func append(tree: ObjectID) {
    append("M 040000 \(tree) \"\"\n")
  }

  mutating func end() {
    append("\nget-mark :1\ndone\n")
  }

  /// The bytes collected; nil if there are none.
  mutating func take() -> [UInt8]? {
    guard !bytes.isEmpty else { return nil }
    defer {
      bytes = []
      bytes.reserveCapacity(Self.chunk + Self.chunk / 4)
    }
    return bytes
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(data: [UInt8]) {
    append("data \(data.count)\n")
    bytes.append(contentsOf: data)
    append("\n")
  }

  /// A path in quotation marks, as git reads one of any bytes.
  private mutating func append(path: [UInt8]) {
    append("\"")
    for byte in path {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x20..<0x7F: bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "\\"))
        for shift in [6, 3, 0] { bytes.append(UInt8(ascii: "0") + (byte >> shift) & 7) }
      }
    }
    append("\"\n")
  }
}

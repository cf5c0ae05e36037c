/// The contents of an object that was asked for.
package enum BlobContent: Hashable, Sendable {
  /// The bytes of a blob.
  case bytes([UInt8])
  /// A blob of more bytes than the limit, which were passed over.
  case tooLarge(size: Int)
  /// The object is not here.
  case missing
  /// A tree, commit or tag.
  case notABlob
}

extension GitRepository {
  /// Reads blobs by one run of git, in the order asked for.
  ///
  /// The identifiers are taken as git takes them, and one blob is in memory at a time.
  ///
  /// - Parameters:
  ///   - objects: may be a sequence that reads from elsewhere.
  ///   - limit: the most bytes of a blob; larger ones are reported, not kept.
  ///   - isCancelled: checked about ten times a second.
  ///   - body: takes an object; an error it throws ends the reading.
  /// - Throws: ``GitError`` `damaged` or `cancelled`, and the errors of `body`.
  package func blobs(
    _ objects: some Sequence<ObjectID>, limit: Int, isCancelled: () -> Bool = { false },
    _ body: (ObjectID, BlobContent) throws -> Void
  ) throws {
    try blobs(asking: objects, limit: limit, isCancelled: isCancelled) { asked, found, content in
      guard found == asked else {
        throw GitError(.failed, "git cat-file: unexpected object \(asked)")
      }
      try body(asked, content)
    }
  }

  /// A file by its path in a commit.
  package struct FileName: Hashable, Sendable, CustomStringConvertible {
    package var commit: ObjectID
    /// Without line feeds.
    package var path: String

    package init(_ path: String, in commit: ObjectID) {
      (self.commit, self.path) = (commit, path)
    }

    package var description: String { "\(commit):\(path)" }
  }

  /// Reads files by their paths, by one run of git, in the order asked for; see
  /// ``blobs(_:limit:isCancelled:_:)``.
  package func files(
    _ names: some Sequence<FileName>, limit: Int, isCancelled: () -> Bool = { false },
    _ body: (BlobContent) throws -> Void
  ) throws {
    try blobs(asking: names, limit: limit, isCancelled: isCancelled) { try body($2) }
  }

  /// Asks git for objects by any names; `body` also takes the object that git found.
  private func blobs<Name: CustomStringConvertible>(
    asking names: some Sequence<Name>, limit: Int, isCancelled: () -> Bool,
    _ body: (Name, ObjectID?, BlobContent) throws -> Void
  ) throws {
    var wanted = names.makeIterator()
    // Without a name there is nothing to start git for.
    var next = wanted.next()
    guard next != nil else { return }
    // Requests that git has not answered yet: at most as many as its pipes hold.
    var asked: [Name] = []
    var answered = 0
    var reader = BatchReader(limit: limit)
    let outcome = try run(
      ["cat-file", "--batch", "--buffer"], isCancelled: isCancelled,
      input: {
        var bytes: [UInt8] = []
        for _ in 0..<Self.objectsPerWrite {
          guard let name = next else { break }
          next = wanted.next()
          asked.append(name)
          bytes += "\(name)\n".utf8
        }
        return bytes.isEmpty ? nil : bytes
      },
      output: { bytes in
        try reader.append(bytes) { object, content in
          guard answered < asked.count else {
            throw GitError(.failed, "git cat-file: unexpected object")
          }
          let name = asked[answered]
          answered += 1
          if answered >= Self.objectsPerWrite {
            asked.removeFirst(answered)
            answered = 0
          }
          try body(name, object, content)
        }
      })
    guard outcome.code == 0, reader.isComplete, answered == asked.count else {
      throw localError(outcome)
    }
  }

  /// The number of identifiers written at a time.
  private static let objectsPerWrite = 512
}

/// Reads the output of `cat-file --batch` in pieces: `OBJECT TYPE SIZE\nBYTES\n`, or `NAME missing\n`.
struct BatchReader {
  /// A part of the output.
  enum Part {
    case start(ObjectID, isBlob: Bool, size: Int)
    /// Bytes of the object, in order.
    case bytes(UnsafeRawBufferPointer)
    /// The end of the object.
    case end
    case missing(ObjectID?)
  }

  private let limit: Int
  private var line: [UInt8] = []
  private var current: (object: ObjectID, isBlob: Bool, size: Int)?
  private var content: [UInt8] = []
  /// The bytes of the object, and the line feed after it, that have not arrived.
  private var left = 0

  /// - Parameter limit: the most bytes of a blob that ``append(_:_:)`` gives.
  init(limit: Int) {
    self.limit = limit
  }

  /// Whether the output ended after a whole object.
  var isComplete: Bool { line.isEmpty && current == nil }

  /// Takes the next bytes of the output and gives the objects that are complete.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ body: (ObjectID?, BlobContent) throws -> Void
  ) throws {
    var content = content
    self.content = []
    var object: (object: ObjectID, isBlob: Bool, size: Int)? = current
    try read(bytes) { [limit] part in
      switch part {
      case .missing(let object): try body(object, .missing)
      case .start(let id, let isBlob, let size):
        object = (id, isBlob, size)
        if isBlob, size <= limit { content.reserveCapacity(size) }
      case .bytes(let bytes):
        if let object, object.isBlob, object.size <= limit { content.append(contentsOf: bytes) }
      case .end:
        guard let (id, isBlob, size) = object else { return }
        let found: BlobContent =
          !isBlob ? .notABlob : size <= limit ? .bytes(content) : .tooLarge(size: size)
        content = []
        try body(id, found)
      }
    }
    self.content = content
  }

  /// Takes the next bytes of the output and gives their parts; none is kept.
  mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (Part) throws -> Void) throws {
    var rest = bytes
    while !rest.isEmpty {
      guard current != nil else {
        guard let end = rest.index(of: UInt8(ascii: "\n")) else {
          line.append(contentsOf: rest)
          guard line.count <= GitText.longestLine else { throw Self.unknown }
          return
        }
        line.append(contentsOf: rest.piece(0, end))
        rest = rest.piece(end + 1, rest.count)
        try beginObject(body)
        continue
      }
      let part = rest.piece(0, min(left, rest.count))
      rest = rest.piece(part.count, rest.count)
      left -= part.count
      // The last byte is the line feed.
      let ours = left == 0 ? part.piece(0, part.count - 1) : part
      if !ours.isEmpty { try body(.bytes(ours)) }
      guard left == 0 else { return }
      current = nil
      try body(.end)
    }
  }

  private mutating func beginObject(_ body: (Part) throws -> Void) throws {
    defer { line.removeAll(keepingCapacity: true) }
    let words = line.split(separator: UInt8(ascii: " "))
    if words.count > 1, words[words.count - 1].elementsEqual("missing".utf8) {
      try body(.missing(ObjectID(words[0])))
      return
    }
    guard words.count == 3, let object = ObjectID(words[0]),
      let size = Int(String(decoding: words[2], as: UTF8.self)), size >= 0
    else { throw Self.unknown }
    let isBlob = words[1].elementsEqual("blob".utf8)
    current = (object, isBlob, size)
    left = size + 1
    try body(.start(object, isBlob: isBlob, size: size))
  }

  private static let unknown = GitError(.failed, "git cat-file: unknown output")
}

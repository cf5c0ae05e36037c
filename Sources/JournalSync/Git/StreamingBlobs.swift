/// Blobs that may be too large for memory.
extension GitRepository {
  /// The sizes of blobs, in the order asked for; `nil` for what is no blob, or not here.
  ///
  /// - Throws: ``GitError`` `damaged` or `cancelled`.
  package func sizes(of objects: [ObjectID], isCancelled: () -> Bool = { false }) throws -> [Int?] {
    guard !objects.isEmpty else { return [] }
    var output: [UInt8] = []
    var asked = objects[...]
    let outcome = try run(
      ["cat-file", "--batch-check=%(objecttype) %(objectsize)", "--buffer"],
      isCancelled: isCancelled,
      input: {
        guard !asked.isEmpty else { return nil }
        defer { asked = asked.dropFirst(1_000) }
        return asked.prefix(1_000).flatMap { Array("\($0)\n".utf8) }
      }, output: { output.append(contentsOf: $0) })
    let lines = output.split(separator: UInt8(ascii: "\n"))
    guard outcome.code == 0, lines.count == objects.count else { throw localError(outcome) }
    return lines.map { line in
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count == 2, words[0].elementsEqual("blob".utf8) else { return nil }
      return Int(String(decoding: words[1], as: UTF8.self))
    }
  }

  /// Reads blobs by one run of git, in the order asked for, in pieces of which none is kept.
  ///
  /// - Parameters:
  ///   - isCancelled: checked about ten times a second.
  ///   - body: takes the position in `objects` and the next bytes, none at the end of each; an error it throws
  ///     ends the reading.
  /// - Throws: ``GitError`` `damaged` or `cancelled`, also for an object that is missing or no blob; the errors
  ///   of `body`.
  package func streamBlobs(
    _ objects: [ObjectID], isCancelled: () -> Bool = { false },
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard !objects.isEmpty else { return }
    var (asked, index) = (objects[...], 0)
    var reader = BatchReader(limit: 0)
    let outcome = try run(
      ["cat-file", "--batch", "--buffer"], isCancelled: isCancelled,
      input: {
        guard !asked.isEmpty else { return nil }
        defer { asked = asked.dropFirst(500) }
        return asked.prefix(500).flatMap { Array("\($0)\n".utf8) }
      },
      output: { bytes in
        try reader.read(bytes) { part in
          switch part {
          case .start(let object, isBlob: true, size: _):
            guard index < objects.count, object == objects[index] else {
              throw GitError(.failed, "git cat-file: unexpected object")
            }
          case .start, .missing:
            throw GitError(.damaged, "git cat-file: a file is missing")
          case .bytes(let bytes): try body(index, bytes)
          case .end:
            try body(index, UnsafeRawBufferPointer(start: nil, count: 0))
            index += 1
          }
        }
      })
    guard outcome.code == 0, reader.isComplete, index == objects.count else {
      throw localError(outcome)
    }
  }
}

/// The bytes of a file that a commit gets, which are made while git takes them.
package final class ByteStream {
  /// The number of bytes.
  let size: Int
  private let next: () throws -> [UInt8]

  /// - Parameter next: returns the next bytes; none at the end.
  init(size: Int, _ next: @escaping () throws -> [UInt8]) {
    (self.size, self.next) = (size, next)
  }

  /// The next bytes; none at the end.
  func read() throws -> [UInt8] { try next() }
}

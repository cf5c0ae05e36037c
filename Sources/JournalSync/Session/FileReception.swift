import Journal
import JournalFormats
import JournalStore

/// A file of the remote that is read in pieces, and opened if it is sealed.
struct FileReading {
  private var opening: FileSeal.Opening?
  /// The reason why it is no file of the repository.
  private(set) var failure: SyncTreeError?

  /// - Parameter size: that of the file in the repository.
  init(_ file: JournalTree.File, size: Int, _ tree: JournalTree) throws {
    guard let seal = try tree.fileSeal(of: file.path) else { return }
    do throws(SyncTreeError) {
      opening = try FileSeal.Opening(seal, size: size)
    } catch {
      failure = error
    }
  }

  /// Takes the next bytes, and gives the readable ones; after a failure, none.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard failure == nil else { return }
    guard opening != nil else { return try body(bytes) }
    do {
      try opening?.append(bytes, body)
    } catch let error as SyncTreeError {
      failure = error
    }
  }

  /// Takes the end of the bytes.
  mutating func finish() {
    if failure == nil, opening?.isComplete == false { failure = .unreadable("is cut off") }
  }
}

/// A file of the remote on its way into the journal.
final class FileReception {
  private let wanted: RepositoryFiles.Wanted
  private let file: ArrivingFile
  private var reading: FileReading
  /// The bytes of the repository that came.
  private(set) var done = 0

  /// - Parameters:
  ///   - size: that of the file in the repository.
  ///   - name: its name in the journal.
  init(
    _ wanted: RepositoryFiles.Wanted, size: Int, named name: String, _ journal: SyncWriting,
    _ tree: JournalTree
  ) throws {
    self.wanted = wanted
    reading = try FileReading(wanted.file, size: size, tree)
    file = try journal.beginFile(named: name)
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    done += bytes.count
    try reading.append(bytes, file.append)
  }

  /// Adds the file.
  ///
  /// - Returns: the reason why it is not what its name says; then nothing of it is kept.
  func finish() throws -> String? {
    reading.finish()
    if let failure = reading.failure {
      try file.cancel()
      return failure.description
    }
    let added = try file.finish(beginningWith: wanted.digits)
    return added == nil ? "is not the file that its name says" : nil
  }
}

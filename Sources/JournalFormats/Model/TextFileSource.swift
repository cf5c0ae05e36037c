/// Reads a format of text files that are small enough to be looked at whole: one, or those of a folder.
///
/// Files are opened one at a time, when their turn comes. One that cannot be read is a problem, and the
/// others are read.
struct TextFileSource: EntrySource {
  /// Makes the source of a file of its bytes and its path.
  typealias Reader = ([UInt8], String) -> any EntrySource

  /// The largest file that is read, in bytes.
  static let sizeLimit = 1 << 30

  private let input: ImportInput
  private let reader: Reader
  private var files: ArraySlice<String>
  private var current: (source: any EntrySource, file: String?)?

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - name: the path of a single file, where it has one.
  ///   - endings: how the names of a folder's files end, in lower case, that are read.
  init(_ input: ImportInput, name: String?, endings: [String], _ reader: @escaping Reader) {
    self.input = input
    self.reader = reader
    switch input {
    case .file: files = [name ?? ""]
    case .folder(let folder):
      files =
        folder.files.filter { file in
          endings.contains { file.lowercased().hasSuffix($0) }
        }[...]
    }
  }

  /// The next entry of any file.
  mutating func next() throws -> ImportItem? {
    while true {
      if current == nil {
        guard let file = files.popFirst() else { return nil }
        if let problem = try open(file) { return problem }
      }
      if let item = try current?.source.next() {
        return current?.file.map(item.inFile) ?? item
      }
      current = nil
    }
  }

  /// Reads a file; a file of a folder that cannot be read is a problem.
  private mutating func open(_ file: String) throws -> ImportItem? {
    guard case .folder(let folder) = input else {
      if case .file(let stream) = input {
        current = (reader(try TextFileSource.bytes(of: stream), file), nil)
      }
      return nil
    }
    do {
      current = (reader(try TextFileSource.bytes(of: try folder.open(file)), file), file)
      return nil
    } catch let error as FormatError {
      return .problem(error.reason, ImportPlace(file: file))
    } catch {
      return .problem("cannot be read: \(error)", ImportPlace(file: file))
    }
  }

  private static func bytes(of stream: ByteStream) throws -> [UInt8] {
    stream.windowLimit = sizeLimit
    return try stream.rest()
  }
}

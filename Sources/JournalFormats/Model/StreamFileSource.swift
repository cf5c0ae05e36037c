import Journal

/// Reads a format of files of any size, each in a stream: a single one, or those of a directory.
///
/// Files are opened one at a time in the order of the directory. A file of a directory that cannot be
/// read to its end is a problem, and the others are read.
package struct StreamFileSource: EntrySource {
  /// Makes the source of a file from its bytes and its path.
  package typealias Reader = (ByteStream, String) throws -> any EntrySource

  private let directory: (any ImportDirectory)?
  private let reader: Reader
  private var files: ArraySlice<String>
  private var single: ByteStream?
  private var current: (source: any EntrySource, file: String?)?

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - options: with the path of a single file, if it has one.
  ///   - endings: the extensions to read in a directory, in lower case.
  package init(
    _ input: ImportInput, _ options: ImportOptions, endings: [String], _ reader: @escaping Reader
  ) {
    self.reader = reader
    switch input {
    case .file(let stream): (directory, single, files) = (nil, stream, [options.name ?? ""])
    case .directory(let directory):
      let files = directory.files.filter { file in
        endings.contains { file.lowercased().hasSuffix($0) }
      }
      (self.directory, single, self.files) = (directory, nil, files[...])
    }
  }

  /// The next entry of any file.
  package mutating func next() throws -> ImportItem? {
    while true {
      if current == nil {
        guard let file = files.popFirst() else { return nil }
        if let problem = try open(file) { return problem }
      }
      guard let file = current?.file else {
        if let item = try current?.source.next() { return item }
        current = nil
        continue
      }
      do {
        if let item = try current?.source.next() { return item.inFile(file) }
        current = nil
      } catch var error as FormatError {
        current = nil
        error.place.file = file
        return .problem(error)
      }
    }
  }

  private mutating func open(_ file: String) throws -> ImportItem? {
    guard let directory else {
      if let single { current = (try reader(single, file), nil) }
      return nil
    }
    do {
      current = (try reader(try directory.open(file), file), file)
      return nil
    } catch let error as FormatError {
      return .problem(error, ImportPlace(file: file))
    } catch {
      return .problem("cannot be read: \(error)", ImportPlace(file: file))
    }
  }
}

extension StreamFileSource {
  /// Makes a source whose files need no path.
  package init(
    _ input: ImportInput, _ options: ImportOptions, endings: [String],
    _ reader: @escaping (ByteStream) throws -> any EntrySource
  ) {
    self.init(input, options, endings: endings) { stream, _ in try reader(stream) }
  }
}

extension StreamFileSource {
  /// Makes a source of text files, whose encoding is recognised and reported.
  ///
  /// - Parameter reader: makes the source of a text with line feeds.
  package static func texts(
    _ input: ImportInput, _ options: ImportOptions, endings: [String], _ reader: @escaping Reader
  ) -> StreamFileSource {
    StreamFileSource(input, options, endings: endings) { stream, path in
      let text = ForeignText(stream, options)
      return ForeignTextSource(try reader(text.stream, path), text)
    }
  }
}

/// A source that reports the encoding of its file.
struct ForeignTextSource: EntrySource {
  private var source: any EntrySource
  private let text: ForeignText
  private var isReported = false
  private var held: ImportItem?

  init(_ source: any EntrySource, _ text: ForeignText) { (self.source, self.text) = (source, text) }

  mutating func next() throws -> ImportItem? {
    if let item = held {
      held = nil
      return item
    }
    let item = try source.next()
    guard !isReported, let encoding = text.recognised else { return item }
    (isReported, held) = (true, item)
    return .passedBy("read as \(encoding.rawValue); --encoding decides", ImportPlace())
  }
}

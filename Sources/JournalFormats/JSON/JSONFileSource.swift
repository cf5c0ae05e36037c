import Journal

/// Reads JSON files with one record each: a single one, or those of a directory in their order.
///
/// A directory may have the files of other programs, too: what is not recognised is left out without
/// reading it whole, and a broken file is a problem of its own.
struct JSONFileSource: EntrySource {
  /// Makes items of a file's value.
  typealias Reader = (_ value: JSONValue, _ file: String) -> [ImportItem]

  /// The maximum size of a file in bytes.
  static let sizeLimit = 256 << 20

  private let input: ImportInput
  private let options: ImportOptions
  private let reader: Reader
  private let recognises: ([UInt8]) -> Bool
  private var files: ArraySlice<String>
  private var items: ArraySlice<ImportItem> = []

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - recognises: whether the beginning of a file in a directory is the program's.
  ///   - reader: makes the items of a file.
  init(
    _ input: ImportInput, _ options: ImportOptions, recognises: @escaping ([UInt8]) -> Bool,
    reader: @escaping Reader
  ) {
    self.input = input
    self.options = options
    self.recognises = recognises
    self.reader = reader
    switch input {
    case .file: files = [options.name ?? ""]
    case .directory(let directory):
      files = directory.files.filter { $0.lowercased().hasSuffix(".json") }[...]
    }
  }

  /// The next item of any file.
  mutating func next() throws -> ImportItem? {
    while items.isEmpty {
      guard let file = files.popFirst() else { return nil }
      items = try read(file)[...]
    }
    return items.popFirst()
  }

  private func read(_ file: String) throws -> [ImportItem] {
    guard case .directory(let directory) = input else {
      guard case .file(let stream) = input else { return [] }
      return try items(of: stream, file)
    }
    do {
      let stream = try directory.open(file)
      // Pieces of a file, not all of it: an export of everything has files of any size.
      let head = try stream.peek(ImportFormat.headLength)
      guard recognises(head) else { return [leftOut(file, head)] }
      return try items(of: stream, file).map { $0.inFile(file) }
    } catch let error as FormatError {
      var place = error.place
      place.file = file
      return [.problem(error, place)]
    } catch {
      return [.problem("cannot be read: \(error)", ImportPlace(file: file))]
    }
  }

  /// A file of something else; one without any name is a broken file.
  private func leftOut(_ file: String, _ head: [UInt8]) -> ImportItem {
    guard JSONHead(head) == nil else { return .leftOut(.unread(file)) }
    return .problem("is not JSON", ImportPlace(file: file))
  }

  private func items(of stream: ByteStream, _ file: String) throws -> [ImportItem] {
    stream.windowLimit = JSONFileSource.sizeLimit
    let bytes = try stream.rest()
    switch JSONDocument.value(bytes, 1, JSONOptions(isLossy: options.isLossy)) {
    case .failure(let error): return [.problem(error)]
    case .success(let value):
      guard value.members != nil else {
        return [.problem("\(value.kind) is not an entry", ImportPlace(line: 1))]
      }
      return reader(value, file)
    }
  }
}

/// The names at the beginning of a JSON file, which may be cut off anywhere.
struct JSONHead {
  /// The names in the root object.
  private(set) var root: Set<String> = []
  /// The names in the first object of a list at the root, or of each list in the root object.
  private(set) var record: Set<String> = []
  /// Whether the root is a list.
  let isList: Bool

  /// Reads the names; `nil` if the text is not JSON.
  init?(_ head: [UInt8]) {
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let start = head[mark...].firstIndex(where: { !JSONReader.isSpace($0) }),
      head[start] == UInt8(ascii: "{") || head[start] == UInt8(ascii: "[")
    else { return nil }
    isList = head[start] == UInt8(ascii: "[")
    let bytes = Array(head[start...])
    var names = JSONHead(isList: isList)
    bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, options: JSONOptions(isLossy: true))
      // It ends with an error where the beginning is cut off.
      try? names.isList ? names.readList(&reader) : names.readRoot(&reader)
    }
    (root, record) = (names.root, names.record)
    if root.isEmpty, record.isEmpty { return nil }
  }

  private init(isList: Bool) { self.isList = isList }

  private mutating func readRoot(_ reader: inout JSONReader) throws(JSONError) {
    // Names are stored one by one: the reader throws where the beginning is cut.
    var names = self
    defer { self = names }
    try reader.object { name, reader throws(JSONError) in
      names.root.insert(name)
      if try reader.kind() == .array { try names.readList(&reader) } else { try reader.skip() }
    }
  }

  private mutating func readList(_ reader: inout JSONReader) throws(JSONError) {
    var names = self
    defer { self = names }
    var isFirst = true
    try reader.array { reader throws(JSONError) in
      guard isFirst, try reader.kind() == .object else { return try reader.skip() }
      isFirst = false
      try reader.object { name, reader throws(JSONError) in
        names.record.insert(name)
        try reader.skip()
      }
    }
  }
}

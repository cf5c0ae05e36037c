/// Those files of a directory that a format reads.
struct SelectedFiles: ImportDirectory {
  private let directory: any ImportDirectory
  let files: [String]

  init(_ directory: any ImportDirectory, where isRead: (String) -> Bool) {
    self.directory = directory
    files = directory.files.filter(isRead)
  }

  var leftOut: [LeftOutKind] { directory.leftOut }
  var failure: FormatError? { directory.failure }

  func open(_ file: String) throws -> ByteStream { try directory.open(file) }
}

/// The items of a file that is read at once.
struct ListedItems: EntrySource {
  private var items: ArraySlice<ImportItem>

  init(_ items: [ImportItem]) { self.items = items[...] }

  mutating func next() throws -> ImportItem? { items.popFirst() }

  /// All items of a source that reads from memory; its error is a problem.
  static func all(_ source: some EntrySource) -> [ImportItem] {
    var source = source
    var items: [ImportItem] = []
    do {
      while let item = try source.next() { items.append(item) }
    } catch let error as FormatError {
      items.append(.problem(error))
    } catch {
      items.append(.problem("cannot be read: \(error)", ImportPlace()))
    }
    return items
  }
}

extension String {
  /// The name of a file in a path, and its extension in lower case without the dot.
  package var fileParts: (name: Substring, ending: String) {
    let name = split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
    return (name[..<dot], name[name.index(after: dot)...].lowercased())
  }
}

extension [String] {
  /// Whether more files have one of these endings than are Markdown.
  func outnumberMarkdown(_ endings: Set<String>) -> Bool {
    let found = count { endings.contains($0.fileParts.ending) }
    return found > count { ["md", "markdown"].contains($0.fileParts.ending) }
  }
}

extension ImportedField {
  /// Makes a field with a valid name and its value on one line; `nil` if one is empty.
  init?(named name: String, _ value: String) {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    let line = value.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingSpace
    guard !words.isEmpty, !line.isEmpty else { return nil }
    self.init(name: words.joined(separator: "-"), value: line)
  }
}

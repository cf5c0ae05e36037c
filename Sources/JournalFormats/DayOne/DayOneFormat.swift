import Journal

/// Day One's JSON and plain text, alone or in a zip, and the files of Day One Classic.
enum DayOneFormat: ReadableFormat {
  static let name = "dayone"
  static let guide = ImportGuide(
    files: "JSON, plain text or zip, and .doentry files",
    ways: [
      "Day One: File, Export, JSON (on a phone: Settings, Import/Export, Export Day One JSON)",
      "Day One Classic: the directory Journal.dayone",
    ])

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    isPropertyList(head[...]) || DayOnePlainSource.begins(head[...])
  }

  static func recognises(json: JSONSketch) -> Bool {
    json.names.contains("creationDate") || json.isList && json.root.contains("metadata")
  }

  static func accepts(json: JSONSketch) -> Bool { json.root.contains("metadata") }

  static func recognises(files: [String]) -> Bool {
    files.contains { $0.lowercased().hasSuffix(".doentry") }
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    var photos: [String: String] = [:]
    var hasJournals = false
    if case .directory(let directory) = input {
      photos = DoentrySource.photos(directory.files)
      hasJournals = directory.files.count { $0.lowercased().hasSuffix(".json") } > 1
    }
    return StreamFileSource(input, options, endings: [".doentry", ".json"]) { stream, path in
      var isInDirectory = true
      if case .file = input { isInDirectory = false }
      let source = try source(stream, path, options, photos, isInDirectory: isInDirectory)
      guard hasJournals, source is DayOneSource else { return source }
      return JournalOfMany(source: source, name: String(path.fileParts.name))
    }
  }

  /// One of several journals in an export, whose entries have its name.
  private struct JournalOfMany: EntrySource {
    var source: any EntrySource
    let name: String

    mutating func next() throws -> ImportItem? {
      let item = try source.next()
      guard case .entry(var entry, let place)? = item, !entry.isExact else { return item }
      entry.keep(name, as: "journal")
      return .entry(entry, place)
    }
  }

  private static func source(
    _ stream: ByteStream, _ path: String, _ options: ImportOptions, _ photos: [String: String],
    isInDirectory: Bool
  ) throws -> any EntrySource {
    let head = try stream.peek(4096)[...]
    if isPropertyList(head) || isInDirectory && path.lowercased().hasSuffix(".doentry") {
      return DoentrySource(
        try TextFileSource.bytes(of: stream), options: options, photos: photos)
    }
    if DayOnePlainSource.begins(head) {
      let text = ForeignText(stream, options)
      return ForeignTextSource(DayOnePlainSource(text.stream, options: options), text)
    }
    if isInDirectory, isForeign(stream) {
      return ReportSource(.leftOut(.unread(path)))
    }
    return DayOneSource(stream, options: options)
  }

  private static func isPropertyList(_ head: ArraySlice<UInt8>) -> Bool {
    PropertyListReader.begins(head) || head.starts(with: "bplist".utf8)
  }

  /// Whether a file among those of a directory is the JSON of another program.
  private static func isForeign(_ stream: ByteStream) -> Bool {
    guard let sketch = JSONSketch(stream.withBytes { Array($0.prefix(ImportFormat.headLength)) })
    else { return false }
    return ImportFormat.recognised(json: sketch).map { $0 != .dayOne } ?? false
  }
}

/// A source of a single report.
package struct ReportSource: EntrySource {
  private var item: ImportItem?

  package init(_ item: ImportItem) { self.item = item }

  /// The report, once.
  package mutating func next() -> ImportItem? {
    defer { item = nil }
    return item
  }
}

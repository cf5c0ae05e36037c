import Journal

/// Archives of Mastodon.
enum MastodonFormat: ReadableFormat {
  static let name = "mastodon"
  static let guide = MastodonSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    MastodonSource.recognises(head, path: path)
  }

  static func recognises(json: JSONSketch) -> Bool { json.names.contains("orderedItems") }

  static func recognises(files: [String]) -> Bool { MastodonSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    switch input {
    case .file(let stream): return MastodonSource(stream, options: options)
    case .directory(let directory): return MastodonArchiveSource(directory, options: options)
    }
  }
}

/// Reads the archive of an account of Mastodon: `outbox.json`.
///
/// The text of a post is its HTML as Markdown, below its content warning; hashtags and mentions are
/// words. Times are instants and are shown on the clock. Attachments become links to their files in
/// the archive, and the options of a poll are a list. Boosts are counted. The address of the post
/// that a reply answers becomes a field, and so does the visibility of one that is not public.
struct MastodonSource: EntrySource {
  private let records: JSONRecords
  private let options: ImportOptions
  private let directory: String

  /// Makes a source of a stream.
  ///
  /// - Parameter directory: the directory of the file in the archive, for links.
  init(_ stream: ByteStream, options: ImportOptions, directory: String = "") {
    records = JSONRecords(
      stream, member: "orderedItems", options: JSONOptions(isLossy: options.isLossy))
    self.options = options
    self.directory = directory
  }

  /// Whether a file is the outbox of an account.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    let text = String(decoding: head.prefix(8192), as: UTF8.self).drop(while: \.isWhitespace)
    return text.hasPrefix("{") && text.contains("\"orderedItems\"")
      && text.contains("activitystreams")
  }

  /// Whether a directory or an archive has an outbox.
  static func recognises(files: [String]) -> Bool {
    files.contains { $0 == "outbox.json" || $0.hasSuffix("/outbox.json") }
  }

  static let guide = ImportGuide(
    files: "outbox.json, or the directory or archive with it",
    ways: ["Mastodon: Preferences, Import and export, Data export, Request your archive"])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    switch try records.nextValue() {
    case nil: return nil
    case .broken(let error): return .problem(error)
    case .value(let value, let line):
      let place = ImportPlace(line: line)
      guard value.members != nil else { return .problem("\(value.kind) is not a post", place) }
      let kind = value["type"]?.string ?? ""
      if kind == "Announce" { return .passedBy("boosted, left out", place) }
      guard kind == "Create", let note = value["object"], note.members != nil else {
        return .passedBy("of type \"\(kind.excerpt)\" left out", place)
      }
      do throws(FormatError) {
        return .entry(try entry(note, of: value), place)
      } catch {
        try MarkupParser.load()
        return .problem(error, place)
      }
    }
  }

  private func entry(
    _ note: JSONValue, of activity: JSONValue
  ) throws(FormatError) -> ImportedEntry {
    let own = try note.text("published")
    let date = try own.isEmpty ? activity.text("published") : own
    guard let created = InstantText.moment(date, options.clock, acceptsDays: true) else {
      throw FormatError.noDate(date)
    }
    let content = try HTMLText.convert(try note.text("content"), target: Self.target)
    let files = attachments(note)
    let parts = [content.text, Self.poll(note)] + files
    var text = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    let warning = try note.text("summary").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    if !warning.isEmpty { text = text.isEmpty ? warning : "\(warning)\n\n\(text)" }
    guard !text.isEmpty else { throw FormatError(entry: "has no text") }
    var entry = ImportedEntry(
      created: created,
      modified: InstantText.moment(try note.text("updated"), options.clock, acceptsDays: true),
      day: created.localDay, text: text)
    entry.remarks = content.remarks
    if !files.isEmpty {
      entry.remarkFileLinks()
    }
    addFields(note, to: &entry)
    return entry
  }

  /// Hashtags and mentions are words, not links to a server.
  private static func target(_ reference: HTMLReference) -> String? {
    let classes = reference.attributes["class"]?.split(separator: " ") ?? []
    return classes.contains { $0 == "hashtag" || $0 == "mention" } ? nil : reference.address
  }

  private func addFields(_ note: JSONValue, to entry: inout ImportedEntry) {
    if let answered = note["inReplyTo"]?.string, !answered.isEmpty,
      !answered.contains(where: \.isWhitespace)
    {
      entry.fields.append(ImportedField(name: "reply-to", value: answered))
    }
    if let visibility = Self.visibility(note) {
      entry.fields.append(ImportedField(name: "visibility", value: visibility))
    }
  }

  /// Who sees a post that is not public.
  private static func visibility(_ note: JSONValue) -> String? {
    let readers = { (name: String) -> [String] in
      note[name]?.string.map { [$0] } ?? note.texts(name)
    }
    let (to, copies) = (readers("to"), readers("cc"))
    let isPublic = { (names: [String]) in names.contains { $0.hasSuffix("#Public") } }
    if isPublic(to) || to.isEmpty && copies.isEmpty { return nil }
    if isPublic(copies) { return "unlisted" }
    return (to + copies).contains { $0.hasSuffix("/followers") } ? "followers" : "direct"
  }

  private static func poll(_ note: JSONValue) -> String {
    let choices = note["oneOf"]?.array ?? note["anyOf"]?.array ?? []
    return choices.compactMap { $0["name"]?.string }.map { name in
      "- \(name.split(whereSeparator: \.isWhitespace).joined(separator: " "))"
    }.joined(separator: "\n")
  }

  /// Links to the files of a post, with their descriptions.
  private func attachments(_ note: JSONValue) -> [String] {
    (note["attachment"]?.array ?? []).compactMap { file in
      guard let address = file["url"]?.string, !address.isEmpty else { return nil }
      let isAway = address.contains("://")
      guard let path = isAway ? address : ForeignPath.inside(directory, address) else { return nil }
      let isPicture = file["mediaType"]?.string?.hasPrefix("image/") == true
      let name = file["name"]?.string ?? ""
      let label = name.isEmpty && !isPicture ? "file" : name
      var runs = MarkdownRuns()
      runs.appendFile(path, text: Array(label.utf8), isPicture: isPicture, link: nil)
      return String(decoding: runs.lines().first ?? [], as: UTF8.self)
    }
  }
}

/// Reads an archive of Mastodon with other files beside the outbox.
struct MastodonArchiveSource: EntrySource {
  private let directory: any ImportDirectory
  private let options: ImportOptions
  private var files: ArraySlice<String>
  private var current: (source: MastodonSource, file: String)?

  /// Makes a source of a directory or an archive.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.directory = directory
    self.options = options
    files = directory.files.filter { MastodonSource.recognises(files: [$0]) }[...]
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while true {
      if current == nil {
        guard let file = files.popFirst() else { return nil }
        let source = MastodonSource(
          try directory.open(file), options: options, directory: ForeignPath.directory(of: file))
        current = (source, file)
      }
      guard let file = current?.file else { continue }
      do {
        if let item = try current?.source.next() { return item.inFile(file) }
        current = nil
      } catch let error as FormatError {
        current = nil
        return .problem(error, ImportPlace(file: file, line: error.place.line))
      }
    }
  }
}

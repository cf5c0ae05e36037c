import Journal

/// Blogger's backups, and its part of Google Takeout.
enum BloggerFormat: ReadableFormat {
  static let name = "blogger"
  static let guide = BloggerSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    BloggerSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { BloggerSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return StreamFileSource(input, options, endings: [".xml", ".atom"]) { stream in
      BloggerSource(stream, options: options)
    }
  }
}

/// Reads an Atom feed of Blogger: the backup of a blog, or the file `feed.atom` of Google Takeout.
///
/// Posts are entries, also drafts, which get a field. An offset in a date is kept; Takeout writes
/// instants in UTC, which are shown on the clock. Labels are tags. Pages, comments, templates,
/// settings and posts in the trash are counted.
struct BloggerSource: EntrySource {
  private let records: XMLRecords
  private let options: ImportOptions

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = XMLRecords(stream, records: ["entry"], isLossy: options.isLossy)
    self.options = options
  }

  /// Whether a file is a feed of Blogger.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    let text = String(decoding: head.prefix(8192), as: UTF8.self).drop(while: \.isWhitespace)
    return text.hasPrefix("<") && text.contains("<feed")
      && (text.contains("tag:blogger.com,1999:blog") || text.contains("google.com/blogger/"))
  }

  /// Whether a directory is Blogger's part of Google Takeout.
  static func recognises(files: [String]) -> Bool {
    files.contains { $0.hasSuffix("/feed.atom") && $0.contains("Blogger/Blogs/") }
  }

  static let guide = ImportGuide(
    files: "Atom (.xml, feed.atom)",
    ways: [
      "Blogger: Settings, Manage Blog, Back up content",
      "Google Takeout: Blogger, then feed.atom of each blog",
    ])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    switch try records.next() {
    case nil: return nil
    case .broken(let error): return .problem(error)
    case .record(let entry, _):
      let place = ImportPlace(line: entry.line)
      if let reason = leftOut(entry) { return .passedBy(reason, place) }
      do throws(FormatError) {
        return .entry(try self.entry(entry), place)
      } catch {
        try MarkupParser.load()
        return .problem(error, place)
      }
    }
  }

  /// `POST`, `PAGE`, `COMMENT`, `TEMPLATE` or `SETTINGS`.
  private static func kind(_ entry: XMLElement) -> String {
    let name = entry.text("blogger:type")
    if !name.isEmpty { return name.uppercased() }
    let kind = entry.all("category").first {
      $0.attributes["scheme"]?.hasSuffix("#kind") == true
    }
    let term = kind?.attributes["term"] ?? "#post"
    return term.split(separator: "#").last.map { $0.uppercased() } ?? "POST"
  }

  private func leftOut(_ entry: XMLElement) -> String? {
    let kind = Self.kind(entry)
    guard kind == "POST" else { return "of type \"\(kind.lowercased().excerpt)\" left out" }
    let isTrash =
      entry.text("blogger:status").hasSuffix("TRASHED") || !entry.text("blogger:trashed").isEmpty
    return isTrash ? "in trash left out" : nil
  }

  private func entry(_ entry: XMLElement) throws(FormatError) -> ImportedEntry {
    let dates = ["published", "blogger:created", "updated"].map { entry.text($0) }.filter {
      !$0.isEmpty
    }
    guard let date = dates.first else { throw FormatError(entry: "has no date") }
    guard let created = InstantText.moment(date, options.clock, acceptsDays: true) else {
      throw FormatError("there is no date \(date.excerpt)")
    }
    let content = try HTMLText.convert(
      entry["content"]?.text ?? entry["summary"]?.text ?? "")
    let title = try HTMLText.markdown(entry.text("title"))
    var imported = ImportedEntry(
      created: created,
      modified: InstantText.moment(entry.text("updated"), options.clock, acceptsDays: true),
      day: created.localDay, text: content.text, tags: Self.labels(entry))
    imported.take(title: title)
    guard !imported.text.isEmpty else { throw FormatError(entry: "has no text") }
    imported.remarks = content.remarks
    let isDraft =
      entry["app:control"]?.text("app:draft") == "yes" || entry.text("blogger:status") == "DRAFT"
    if isDraft { imported.fields.append(ImportedField(name: "status", value: "draft")) }
    let place = entry["blogger:location"].map { location in
      location.children.map(\.text.trimmingWhitespace).first { Double($0) == nil && !$0.isEmpty }
        ?? ""
    }
    let feature = entry.text("georss:featurename")
    for name in [feature, place ?? ""] where !name.isEmpty && imported.fields.count < 2 {
      imported.fields.append(ImportedField(name: "place", value: name))
    }
    if !entry.text("blogger:metaDescription").isEmpty { imported.unkept.append("metaDescription") }
    if entry["media:thumbnail"] != nil || entry["enclosure"]?.saysNothing == false {
      imported.unkept.append("enclosure")
    }
    return imported
  }

  private static func labels(_ entry: XMLElement) -> [String] {
    entry.all("category").compactMap { category in
      guard category.attributes["scheme"]?.hasSuffix("#kind") != true,
        let term = category.attributes["term"]?.trimmingWhitespace, !term.isEmpty
      else { return nil }
      return term
    }
  }
}

import Journal

/// Reads a Markdown or text file: one that we wrote (``MarkdownEncoder``), a note with front matter, or
/// one whose name has the date, such as a daily note of Obsidian.
///
/// A note's date comes from its front matter (`date`, `created`, `created_at`, `time`), else from its
/// name (``DatedName``), and never from the file system; its tags, star, uuid and title come from front
/// matter too, and all other fields are passed by. A daily note with headings of times
/// (`## 09:15 Title`) is an entry for each of them.
struct MarkdownSource: EntrySource {
  private var items: ArraySlice<ImportItem> = []
  private var own: OwnMarkdown
  private var foreign: ForeignMarkdown?

  /// Makes a source of a file.
  ///
  /// - Parameters:
  ///   - path: its path below what is imported, for the date in it.
  ///   - zone: finds a zone that front matter names.
  init(
    _ bytes: [UInt8], path: String, options: ImportOptions,
    zone: @escaping (String) -> ZoneFile? = ZoneFile.named
  ) {
    own = OwnMarkdown(TextLines(bytes), isLossy: options.isLossy)
    let preamble = own.preamble()
    foreign = preamble.map {
      ForeignMarkdown(bytes: $0, path: path, options: options, zone: zone)
    }
  }

  /// The next entry, or what stands where one should.
  mutating func next() throws -> ImportItem? {
    if let note = foreign {
      items = note.items()[...]
      foreign = nil
    }
    return items.popFirst() ?? own.next()
  }
}

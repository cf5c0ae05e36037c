import Journal

/// Reads a Markdown or text file: one from ``MarkdownEncoder``, a note with front matter, or one
/// with a date in its name, such as a daily note of Obsidian.
///
/// A note's date comes from its front matter (`date`, `created`, `created_at`, `time`), else from
/// its name, and never from the file system; its tags, star, uuid and title come from front matter,
/// too, and all other fields are skipped. A daily note with headings of times (`## 09:15 Title`) is
/// one entry per heading.
struct MarkdownSource: EntrySource {
  private var items: ArraySlice<ImportItem> = []
  private var own: OwnMarkdown
  private var foreign: ForeignMarkdown?

  /// Makes a source of a file.
  ///
  /// - Parameters:
  ///   - path: its path below the imported directory, with the date in it.
  ///   - zone: returns a zone by its name in front matter.
  init(
    _ bytes: [UInt8], path: String, options: ImportOptions,
    zone: @escaping (String) -> NamedZone? = NamedZone.init
  ) {
    if let note = VaultNote(bytes) {
      self.init(TextLines([]), path: path, options: options, zone: zone)
      var entry = note.entry
      if !note.isUntouched {
        // Who links a note in Obsidian may write its path.
        entry.text = ForeignLinks.converted(
          entry.text, notes: options.notes, order: options.nameOrder)
      }
      (items, foreign) = ([.entry(entry, ImportPlace(line: 1))], nil)
      return
    }
    self.init(TextLines(bytes), path: path, options: options, zone: zone)
  }

  /// Makes a source of the lines of a file, or of its first part.
  ///
  /// - Parameter isCut: whether the file goes on with an entry of Daybook.
  init(
    _ lines: TextLines, path: String, options: ImportOptions, isCut: Bool = false,
    zone: @escaping (String) -> NamedZone? = NamedZone.init
  ) {
    own = OwnMarkdown(lines, isLossy: options.isLossy, isCut: isCut)
    let preamble = own.preamble()
    foreign = preamble.map {
      ForeignMarkdown(bytes: $0, path: path, options: options, zone: zone)
    }
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if let note = foreign {
      items = note.items()[...]
      foreign = nil
    }
    return items.popFirst() ?? own.next()
  }
}

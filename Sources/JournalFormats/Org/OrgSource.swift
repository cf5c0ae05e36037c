import Journal

/// Files of Org mode, also those of org-journal without an ending.
enum OrgFormat: ReadableFormat {
  static let name = "org"
  static let guide = OrgSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    OrgSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { OrgSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return OrgDirectorySource(directory, options: options)
    }
    return TextFileSource(input, options, endings: [".org"]) {
      OrgSource($0, path: $1, options: options)
    }
  }
}

/// Reads a file of Org mode: a journal of org-journal, a date tree, or notes with timestamps.
///
/// A heading that is a date alone is a day, and the headings below it are its entries; a heading
/// with a time, a timestamp or a property `CREATED` is an entry with all that is below it. A file
/// whose name is a day is split at its headings of times. A note with its date in its name, in
/// `#+date` or in `CREATED` is one entry.
///
/// Tags are inherited, as in Org. Properties, states of tasks, priorities and planning become fields.
struct OrgSource: EntrySource {
  private var items: ArraySlice<ImportItem>

  /// Makes a source of a file.
  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    var reader = OrgReader(LineEnds.unified(bytes), path: path, options: options)
    items = reader.run()[...]
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? { items.popFirst() }

  /// Whether a file is one of Org mode: by its ending, or a day of org-journal without one.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let path else { return false }
    if path.fileParts.ending == "org" { return true }
    guard isDayFile(path) else { return false }
    let text = head.drop(while: ASCII.isSpace)
    return text.starts(with: "#+".utf8) || OrgHeading.begins(text.prefix { $0 != 0x0A })
  }

  /// Whether a directory has files of Org mode.
  static func recognises(files: [String]) -> Bool {
    files.outnumberMarkdown(["org"])
      || !files.isEmpty && files.allSatisfy { isDayFile($0) || $0.fileParts.ending == "gpg" }
        && files.contains(where: isDayFile)
  }

  /// `20240105`, the default name of org-journal.
  private static func isDayFile(_ path: String) -> Bool {
    let parts = path.fileParts
    return parts.ending.isEmpty && parts.name.utf8.count == 8
      && parts.name.utf8.allSatisfy(ASCII.isDigit) && DatedName(path: path) != nil
  }

  /// The files, and how to get them out of Emacs.
  static let guide = ImportGuide(
    files: "files of Org mode (.org), and those of org-journal without an ending (20240105)",
    ways: [
      "org-journal: the directory that C-h v org-journal-dir names",
      "Emacs, Orgzly, org-roam dailies, a date tree: the file, or its directory",
      "encrypted files: C-x C-f, then C-x C-w under a name without .gpg",
    ])

  /// Whether a file of a directory is read.
  static func reads(_ path: String) -> Bool { path.fileParts.ending == "org" || isDayFile(path) }
}

/// Reads a directory of Org files.
struct OrgDirectorySource: EntrySource {
  private var files: TextFileSource
  private var encrypted: ArraySlice<String>

  init(_ directory: any ImportDirectory, options: ImportOptions) {
    var options = options
    options.learnNames(directory.files)
    let selected = SelectedFiles(directory, where: OrgSource.reads)
    files = TextFileSource(.directory(selected), options, endings: [""]) {
      OrgSource($0, path: $1, options: options)
    }
    encrypted = directory.files.filter { ["gpg", "age"].contains($0.fileParts.ending) }[...]
  }

  /// The next entry of any file.
  mutating func next() throws -> ImportItem? {
    if let item = try files.next() { return item }
    return encrypted.popFirst().map {
      .problem("is encrypted; save it under a name without .gpg in Emacs", ImportPlace(file: $0))
    }
  }
}

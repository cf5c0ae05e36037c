import Journal

/// Backups of Bear, and TextBundles of other programs.
enum BearFormat: ReadableFormat {
  static let name = "bear"
  static let guide = BearSource.guide

  static func recognises(files: [String]) -> Bool { BearSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    BearSource(try input.directory(for: name), options: options)
  }
}

/// Reads notes as TextBundles: a backup of Bear (`.bear2bk`, a zip), a directory of bundles, or a
/// single one (`.textbundle`, or `.textpack`, the same in a zip).
///
/// A bundle has a text in Markdown, `info.json` with the dates of Bear, and pictures in `assets`.
/// Pinned notes are starred, those in the trash are left out. Bundles of other programs, and those
/// without `info.json`, have no date, and are read as Markdown notes with the name of the bundle.
struct BearSource: EntrySource {
  /// The files of a bundle in the order of the export.
  private struct Bundle {
    var path: String
    var text: String?
    var info: String?
    /// Both in the order of the export: an archive is read in sequence.
    var files: [String] = []
  }

  private let directory: any ImportDirectory
  private let options: ImportOptions
  /// The paths of the bundles with files in `assets`.
  private let illustrated: Set<String>
  private var bundles: ArraySlice<Bundle>
  private var items: ArraySlice<ImportItem> = []

  /// Makes a source of a directory or an archive.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.directory = directory
    self.options = options
    var illustrated: Set<String> = []
    var order: [String] = []
    var found: [String: Bundle] = [:]
    for file in directory.files {
      let slash = file.lastIndex(of: "/")
      let path = slash.map { String(file[..<$0]) } ?? ""
      let name = slash.map { String(file[file.index(after: $0)...]) } ?? file
      if path == "assets" { illustrated.insert("") }
      if path.hasSuffix("/assets") { illustrated.insert(String(path.dropLast(7))) }
      guard name == "info.json" || Self.isText(name) else { continue }
      if found[path] == nil { order.append(path) }
      var bundle = found[path] ?? Bundle(path: path)
      if name == "info.json" { bundle.info = file } else { bundle.text = file }
      bundle.files.append(file)
      found[path] = bundle
    }
    self.illustrated = illustrated
    bundles =
      order.compactMap { found[$0] }.filter { bundle in
        bundle.text != nil && (bundle.info != nil || bundle.path.hasSuffix(".textbundle"))
      }[...]
  }

  private static func isText(_ name: String) -> Bool {
    ["text.md", "text.markdown", "text.txt"].contains(name.lowercased())
  }

  /// Whether a directory or an archive has TextBundles: `info.json` beside `text.md`.
  static func recognises(files: [String]) -> Bool {
    let files = Set(files)
    return files.contains { file in
      if file.contains(".textbundle/text.") { return true }
      guard file == "info.json" || file.hasSuffix("/info.json") else { return false }
      let directory = file.dropLast("info.json".count)
      return ["text.md", "text.markdown", "text.txt"].contains {
        files.contains("\(directory)\($0)")
      }
    }
  }

  static let guide = ImportGuide(
    files: "backups (.bear2bk), TextBundles (.textbundle) and TextPacks (.textpack)",
    ways: [
      "Bear: File, Backup Notes (on a phone: Settings, Import & Export, Backup)",
      "Ulysses, iA Writer and others: Export, TextBundle",
    ])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while items.isEmpty {
      guard let bundle = bundles.popFirst() else { return nil }
      items = read(bundle)[...]
    }
    return items.popFirst()
  }

  private func read(_ bundle: Bundle) -> [ImportItem] {
    guard let textFile = bundle.text else { return [] }
    do {
      guard let infoFile = bundle.info else {
        return others(try bytes(of: textFile), bundle, textFile)
      }
      var contents: [String: [UInt8]] = [:]
      for file in bundle.files { contents[file] = try bytes(of: file) }
      let info = try? JSONValue(contents[infoFile] ?? [], options: JSONOptions(isLossy: true))
      let text = contents[textFile] ?? []
      guard let info, info.members != nil else {
        return [.problem("is not JSON", ImportPlace(file: infoFile))]
      }
      guard let bear = info["net.shinyfrog.bear"] else { return others(text, bundle, textFile) }
      return [try note(text, bear, bundle).inFile(textFile)]
    } catch let error as FormatError {
      return [ImportItem.problem(error).inFile(textFile)]
    } catch {
      return [.problem("cannot be read: \(error)", ImportPlace(file: textFile))]
    }
  }

  private func bytes(of file: String) throws -> [UInt8] {
    let stream = try directory.open(file)
    stream.windowLimit = TextFileSource.sizeLimit
    return try stream.rest()
  }

  private func note(
    _ bytes: [UInt8], _ bear: JSONValue, _ bundle: Bundle
  ) throws(FormatError) -> ImportItem {
    func isSet(_ name: String) -> Bool { bear[name]?.saysNothing == false }
    if isSet("trashed") { return .passedBy("in the trash of Bear", ImportPlace()) }
    let changed = InstantText.moment(bear["modificationDate"], options.clock)
    let made = InstantText.moment(bear["creationDate"], options.clock)
    guard let created = made ?? changed else { throw FormatError(entry: "has no date") }
    let text = try UTF8Text.decode(LineEnds.unified(bytes), isLossy: options.isLossy)
      .trimmingBlankLines
    guard !text.isEmpty else {
      throw FormatError(
        entry: isSet("locked")
          ? "is locked; remove its lock in Bear and back up again" : "has no text")
    }
    let (title, body) = Self.title(of: text)
    var entry = ImportedEntry(created: created, text: text)
    let note = NoteText(title: title, body: body)
    if note.date != nil, !note.body.isEmpty {
      entry = note.entry(created: created, clock: options.clock)
    }
    entry.modified = changed
    entry.uuid =
      ["uniqueIdentifier", "bear-note-unique-identifier"].lazy
      .compactMap { bear[$0]?.string.flatMap(EntryUUID.canonical) }.first
    entry.starred = isSet("pinned")
    for name in ["archived", "locked"] where isSet(name) { entry.unkept.append(name) }
    linkAssets(in: &entry, bundle.path)
    let (joined, isJoined) = BearTags.joined(entry.text)
    entry.text = joined
    if isJoined { entry.remark("tag of several words is joined by -") }
    entry.tagStyle = .markdown
    if made == nil { entry.remark("date is that of the last change") }
    return .entry(entry, ImportPlace())
  }

  /// The heading at the start of a text, and the text below it.
  private static func title(of text: String) -> (String, String) {
    let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let line = Array(parts[0].utf8)[...]
    let title = Heading(line)?.text ?? line
    return (String(decoding: title, as: UTF8.self), parts.count > 1 ? String(parts[1]) : "")
  }

  /// Gives links to assets their paths in the export.
  private func linkAssets(in entry: inout ImportedEntry, _ path: String) {
    guard entry.text.contains("](assets/") else { return }
    guard illustrated.contains(path) else {
      entry.unkept.append("assets")
      return
    }
    let prefix = path.isEmpty ? "" : "\(path)/"
    entry.text = entry.text.replacing("](assets/", with: "](\(Self.encoded(prefix))assets/")
    entry.remarkFileLinks()
  }

  /// A path as part of the target of a link.
  private static func encoded(_ path: String) -> String {
    var result = ""
    for character in path {
      let isPlain = !character.isWhitespace && !"()<>%".contains(character)
      if isPlain {
        result.append(character)
      } else {
        for byte in character.utf8 {
          let digits = String(byte, radix: 16, uppercase: true)
          result += "%\(digits.count == 1 ? "0" : "")\(digits)"
        }
      }
    }
    return result
  }

  /// A bundle of another program: a note with its name.
  private func others(_ text: [UInt8], _ bundle: Bundle, _ file: String) -> [ImportItem] {
    // A bundle that is imported by itself has its name outside.
    let path = bundle.path.isEmpty ? options.name ?? "" : bundle.path
    let name = path.split(separator: "/").last ?? ""
    let ending = [".textbundle", ".textpack"].first { name.hasSuffix($0) } ?? ""
    let stem = name.dropLast(ending.count)
    var source = MarkdownSource(text, path: "\(stem).md", options: options)
    var items: [ImportItem] = []
    do {
      while let item = try source.next() { items.append(item.inFile(file)) }
    } catch {
      items.append(.problem("cannot be read: \(error)", ImportPlace(file: file)))
    }
    return items
  }
}

/// Bear's tags of several words: `#two words#`.
enum BearTags {
  /// A text in which they are `#two-words`, and whether there are any; code is left as it is.
  ///
  /// - Complexity: linear in the bytes.
  static func joined(_ text: String) -> (text: String, isChanged: Bool) {
    var fences = CodeFences()
    var isChanged = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard !fences.holds(Array(line.utf8)[...]), line.utf8.contains(UInt8(ascii: "#")) else {
        return String(line)
      }
      let joined = joined(line)
      isChanged = isChanged || joined != line
      return joined
    }
    return isChanged ? (lines.joined(separator: "\n"), true) : (text, false)
  }

  private static func joined(_ line: Substring) -> String {
    var result = ""
    var rest = line
    while let sign = rest.firstIndex(of: "#") {
      let isStart = result.last.map { $0.isWhitespace } ?? true
      let begins = sign == rest.startIndex ? isStart : rest[rest.index(before: sign)].isWhitespace
      result += rest[..<sign]
      rest = rest[sign...]
      guard begins, let end = closing(rest) else {
        let run = rest.prefix { $0 == "#" }
        result += run
        rest = rest[run.endIndex...]
        continue
      }
      let words = rest[rest.index(after: sign)..<end].split(whereSeparator: \.isWhitespace)
      result += "#\(words.joined(separator: "-"))"
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// The `#` that closes a tag at the start of a text; `nil` for a tag of one word.
  private static func closing(_ text: Substring) -> Substring.Index? {
    let inner = text.dropFirst()
    guard let first = inner.first, !first.isWhitespace, first != "#",
      let end = inner.prefix(120).firstIndex(of: "#"), end > inner.startIndex
    else { return nil }
    let words = inner[..<end]
    guard words.contains(where: \.isWhitespace), words.last?.isWhitespace == false else {
      return nil
    }
    let next = inner.index(after: end)
    let isEnd = next == inner.endIndex || !(inner[next].isLetter || inner[next].isNumber)
    return isEnd ? end : nil
  }
}

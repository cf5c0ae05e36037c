import Journal

/// Reads a tiddler of TiddlyWiki, `.tid`: fields, a blank line, and the text.
///
/// The day is in the title, `5th January 2024`, or else that of the creation in the local zone.
struct TiddlerFileSource: EntrySource {
  private var items: ArraySlice<ImportItem>

  /// Makes a source of a file.
  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    items = Self.items(LineEnds.unified(bytes), path, options)[...]
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? { items.popFirst() }

  /// Whether a file is a tiddler, by its ending.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    path?.fileParts.ending == "tid"
  }

  /// Whether a directory has tiddlers.
  static func recognises(files: [String]) -> Bool {
    files.outnumberMarkdown(["tid"])
  }

  private static func items(
    _ bytes: [UInt8], _ path: String, _ options: ImportOptions
  ) -> [ImportItem] {
    var lines = TextLines(bytes)
    var tiddler = Tiddler()
    while let line = lines.next(), !lines.isBlank(line) {
      let field = bytes[line.range]
      guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = String(decoding: ASCII.trimmed(field[(colon + 1)...]), as: UTF8.self)
      tiddler.fields.append((String(decoding: field[..<colon], as: UTF8.self), value))
    }
    let place = ImportPlace(line: lines.peek()?.number ?? 1)
    let body = lines.peek().map { Array(bytes[$0.range.lowerBound...]) } ?? []
    do throws(FormatError) {
      tiddler.text = try UTF8Text.decode(body, isLossy: options.isLossy, at: place)
    } catch {
      return [.problem(error, place)]
    }
    if tiddler.value("title") == nil {
      tiddler.fields.append(("title", String(path.fileParts.name)))
    }
    return [tiddler.item(options, place)].compactMap(\.self)
  }
}

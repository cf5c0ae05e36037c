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
    files.contains { $0.fileParts.ending == "tid" }
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
      return [.problem(error.reason, place)]
    }
    if tiddler.value("title") == nil {
      tiddler.fields.append(("title", String(path.fileParts.name)))
    }
    return [tiddler.item(options, place)].compactMap(\.self)
  }
}

/// Reads the tiddlers of TiddlyWiki in JSON, or in the HTML file of a wiki.
struct TiddlyWikiSource: EntrySource {
  private var stores: ArraySlice<JSONRecords>
  private var old: ArraySlice<Tiddler> = []
  private let options: ImportOptions
  private let isHTML: Bool
  private var count = 0

  /// Makes a source of a JSON file, read in a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    stores = [JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))]
    self.options = options
    isHTML = false
  }

  /// Makes a source of the HTML file of a wiki.
  init(html bytes: [UInt8], options: ImportOptions) {
    let page = TiddlyWikiPage(bytes)
    stores =
      page.stores.map { store in
        JSONRecords(
          ByteStream(Array(bytes[store])), options: JSONOptions(isLossy: options.isLossy))
      }[...]
    old = page.stores.isEmpty ? page.divisions(isLossy: options.isLossy)[...] : []
    self.options = options
    isHTML = true
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while let records = stores.first {
      switch try records.nextValue() {
      case nil: stores.removeFirst()
      case .broken(let error): return .problem(error.reason, error.place)
      case .value(let value, let line):
        count += 1
        if let item = item(value, line) { return item }
      }
    }
    while let tiddler = old.popFirst() {
      count += 1
      if let item = tiddler.item(options, place(tiddler, 0)) { return item }
    }
    return nil
  }

  private func item(_ value: JSONValue, _ line: Int) -> ImportItem? {
    guard let members = value.members else {
      return .problem("\(value.kind) is not a tiddler", ImportPlace(line: line))
    }
    var tiddler = Tiddler()
    for member in members {
      guard let text = member.value.string else { continue }
      if member.name == "text" {
        tiddler.text = text
      } else {
        tiddler.fields.append((member.name, text))
      }
    }
    return tiddler.item(options, place(tiddler, line))
  }

  private func place(_ tiddler: Tiddler, _ line: Int) -> ImportPlace {
    isHTML
      ? ImportPlace(record: tiddler.value("title")?.excerpt ?? "tiddler \(count)")
      : ImportPlace(line: line)
  }

  /// Whether a file is a wiki in HTML, or its tiddlers in JSON.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    if let names = FirstRecord.names(head) {
      return names.contains("title") && names.contains("text")
        && !names.isDisjoint(with: ["created", "modified", "tags", "type"])
        && names.isDisjoint(with: ["date", "content", "uuid", "creationDate", "children"])
    }
    return isPage(head)
  }

  /// Whether a file is the HTML of a wiki.
  static func isPage(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self).lowercased()
    guard text.prefix(400).contains("<html") || text.prefix(400).contains("<!doctype") else {
      return false
    }
    return text.contains("tiddlywiki")
  }

  /// The files, and how to get them out of TiddlyWiki.
  static let guide = ImportGuide(
    files: "tiddlers of TiddlyWiki (.tid), in JSON, or the HTML file of a wiki",
    ways: [
      "TiddlyWiki: Tools, export all, JSON file", "TiddlyWiki: the HTML file of the wiki",
      "TiddlyWiki on Node.js: the directory tiddlers",
    ])
}

/// The stores in the HTML file of a wiki.
struct TiddlyWikiPage {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The JSON of the stores.
  var stores: [Range<Int>] {
    var stores: [Range<Int>] = []
    var index = 0
    var scanner = InlineScanner(bytes)
    let (script, end) = (Array("tiddlywiki-tiddler-store".utf8), Array("</script".utf8))
    while let name = scanner.position(of: script, from: index) {
      index = name + script.count
      guard let open = bytes[index...].prefix(200).firstIndex(of: UInt8(ascii: ">")) else {
        continue
      }
      let close = scanner.position(of: end, from: open) ?? bytes.count
      if bytes[(open + 1)..<close].first(where: { !ASCII.isSpace($0) }) == UInt8(ascii: "[") {
        stores.append(open + 1..<close)
      }
      index = close
    }
    return stores
  }

  /// The tiddlers of an older wiki: `<div title="…" created="…"><pre>text</pre></div>`.
  func divisions(isLossy: Bool) -> [Tiddler] {
    var scanner = InlineScanner(bytes)
    guard var index = scanner.position(of: Array("id=\"storeArea\"".utf8), from: 0) else {
      return []
    }
    var tiddlers: [Tiddler] = []
    let (open, pre, end) = (Array("<div ".utf8), Array("<pre>".utf8), Array("</pre>".utf8))
    while let start = scanner.position(of: open, from: index) {
      index = start + open.count
      guard let close = bytes[index...].prefix(10_000).firstIndex(of: UInt8(ascii: ">")),
        let from = scanner.position(of: pre, from: close), from - close < 40,
        let to = scanner.position(of: end, from: from)
      else { continue }
      var tiddler = Tiddler()
      tiddler.fields = Self.attributes(bytes[index..<close])
      tiddler.text = Self.unescaped(String(decoding: bytes[(from + pre.count)..<to], as: UTF8.self))
      if tiddler.value("title") != nil { tiddlers.append(tiddler) }
      index = to
    }
    return tiddlers
  }

  /// The attributes of a tag, `name="value"`.
  private static func attributes(_ tag: ArraySlice<UInt8>) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    var rest = tag
    while let sign = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = ASCII.trimmed(rest[..<sign])
      let value = rest[(sign + 1)...].dropFirst()
      guard let end = value.firstIndex(of: UInt8(ascii: "\"")) else { break }
      fields.append(
        (
          String(decoding: name, as: UTF8.self),
          unescaped(String(decoding: value[..<end], as: UTF8.self))
        ))
      rest = value[(end + 1)...]
    }
    return fields
  }

  private static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}

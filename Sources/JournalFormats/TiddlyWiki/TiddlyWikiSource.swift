import Journal

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
      case .broken(let error): return .problem(error)
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

  /// Whether a JSON file is a list of tiddlers.
  static func recognises(json: JSONSketch) -> Bool {
    let names = json.record
    return json.root.isEmpty && names.contains("title") && names.contains("text")
      && !names.isDisjoint(with: ["created", "modified", "tags", "type"])
      && names.isDisjoint(with: ["date", "content", "uuid", "creationDate", "children"])
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

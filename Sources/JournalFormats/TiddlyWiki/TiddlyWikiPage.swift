import Journal

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

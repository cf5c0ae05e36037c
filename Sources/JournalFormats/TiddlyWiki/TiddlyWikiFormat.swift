/// Tiddlers of TiddlyWiki: `.tid`, JSON, and the HTML file of a wiki.
enum TiddlyWikiFormat: ReadableFormat {
  static let name = "tiddlywiki"
  static let guide = TiddlyWikiSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    TiddlerFileSource.recognises(head, path: path) || TiddlyWikiSource.isPage(head)
  }

  static func recognises(json: JSONSketch) -> Bool { TiddlyWikiSource.recognises(json: json) }

  static func recognises(files: [String]) -> Bool { TiddlerFileSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    let isInDirectory = if case .file = input { false } else { true }
    return StreamFileSource(input, options, endings: [".tid", ".json"]) { stream, path in
      let head = try stream.peek(ImportFormat.headLength)
      if TiddlerFileSource.recognises(head, path: path) {
        return TiddlerFileSource(try TextFileSource.bytes(of: stream), path: path, options: options)
      }
      if TiddlyWikiSource.isPage(head) {
        return TiddlyWikiSource(html: try TextFileSource.bytes(of: stream), options: options)
      }
      // Other JSON of a wiki is about the wiki.
      guard !isInDirectory || JSONSketch(head).map(recognises(json:)) ?? false else {
        return ListedItems([.leftOut(.unread(path))])
      }
      return TiddlyWikiSource(stream, options: options)
    }
  }
}

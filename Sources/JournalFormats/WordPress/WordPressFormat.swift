/// WordPress's exports (WXR).
enum WordPressFormat: ReadableFormat {
  static let name = "wordpress"
  static let guide = WordPressSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    WordPressSource.recognises(head, path: path)
  }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return StreamFileSource(input, options, endings: [".xml"]) { stream in
      WordPressSource(stream, options: options)
    }
  }
}

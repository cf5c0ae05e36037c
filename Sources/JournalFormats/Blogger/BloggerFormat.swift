/// Blogger's backups, and its part of Google Takeout.
enum BloggerFormat: ReadableFormat {
  static let name = "blogger"
  static let guide = BloggerSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    BloggerSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { BloggerSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return StreamFileSource(input, options, endings: [".xml", ".atom"]) { stream in
      BloggerSource(stream, options: options)
    }
  }
}

/// Archives of Twitter and X.
enum TwitterFormat: ReadableFormat {
  static let name = "twitter"
  static let guide = TwitterSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    TwitterSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { TwitterSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    switch input {
    case .file(let stream): return TwitterSource(stream, options: options)
    case .directory(let directory): return TwitterSource(directory, options: options)
    }
  }
}

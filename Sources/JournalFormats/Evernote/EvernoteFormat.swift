/// Evernote's exports (ENEX).
enum EvernoteFormat: ReadableFormat {
  static let name = "evernote"
  static let guide = EvernoteSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    EvernoteSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool {
    files.contains { $0.lowercased().hasSuffix(".enex") }
  }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return StreamFileSource(input, options, endings: [".enex"]) { stream in
      EvernoteSource(stream, options: options)
    }
  }
}

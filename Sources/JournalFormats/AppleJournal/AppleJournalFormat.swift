/// Exports of Apple Journal.
enum AppleJournalFormat: ReadableFormat {
  static let name = "apple-journal"
  static let guide = AppleJournalSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    AppleJournalSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { AppleJournalSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return TextFileSource(input, options, endings: [".html"]) { bytes, path in
      AppleJournalSource(bytes, path: path, options: options)
    }
  }
}

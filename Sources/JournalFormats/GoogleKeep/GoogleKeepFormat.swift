/// Notes of Google Keep, in the export by Google Takeout.
enum GoogleKeepFormat: ReadableFormat {
  static let name = "keep"
  static let guide = GoogleKeepSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    GoogleKeepSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { GoogleKeepSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): GoogleKeepSource(stream, options: options)
    case .directory(let directory): GoogleKeepSource(directory, options: options)
    }
  }
}

/// The decrypted backup of Standard Notes.
enum StandardNotesFormat: ReadableFormat {
  static let name = "standard-notes"
  static let guide = StandardNotesSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    StandardNotesSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { StandardNotesSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): StandardNotesSource(stream, options: options)
    case .directory(let directory): StandardNotesSource(directory, options: options)
    }
  }
}

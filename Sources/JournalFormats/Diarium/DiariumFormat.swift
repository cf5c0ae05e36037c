/// The JSON export of Diarium.
enum DiariumFormat: ReadableFormat {
  static let name = "diarium"
  static let guide = DiariumSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    DiariumSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { DiariumSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): DiariumSource(stream, options: options)
    case .directory(let directory): DiariumSource(directory, options: options)
    }
  }
}

/// The export of Simplenote.
enum SimplenoteFormat: ReadableFormat {
  static let name = "simplenote"
  static let guide = SimplenoteSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    SimplenoteSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { SimplenoteSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): SimplenoteSource(stream, options: options)
    case .directory(let directory): SimplenoteSource(directory, options: options)
    }
  }
}

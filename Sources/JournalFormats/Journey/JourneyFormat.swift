/// The export of Journey.
enum JourneyFormat: ReadableFormat {
  static let name = "journey"
  static let guide = JourneySource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    JourneySource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { JourneySource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): JourneySource(stream, options: options)
    case .directory(let directory): JourneySource(directory, options: options)
    }
  }
}

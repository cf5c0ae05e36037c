/// The exports of Joplin as RAW and JEX.
enum JoplinFormat: ReadableFormat {
  static let name = "joplin"
  static let guide = JoplinSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    JoplinSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { JoplinSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    JoplinSource(try input.directory(for: name), options: options)
  }
}

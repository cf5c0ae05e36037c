/// The database of memos, and the JSON of its API.
enum MemosFormat: ReadableFormat {
  static let name = "memos"
  static let guide = MemosSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    MemosJSONSource.recognises(head, path: path)
  }

  static func recognises(tables: [String: Set<String>]) -> Bool {
    MemosSource.recognises(tables: tables)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json"]) { MemosJSONSource($0, options: options) }
  }

  static func source(
    _ database: any ForeignDatabase, options: ImportOptions
  ) -> any EntrySource {
    MemosSource(database, options: options)
  }
}

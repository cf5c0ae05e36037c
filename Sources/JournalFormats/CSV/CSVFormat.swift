/// Tables of Daybook, and of other programs by a mapping of their columns.
enum CSVFormat: ReadableFormat {
  static let name = "csv"
  static let guide = CSVSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool { CSVSource.isOwn(head) }

  static func accepts(_ head: [UInt8], path: String?) -> Bool {
    CSVSource.recognises(head, path: path)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".csv", ".tsv"]) {
      CSVSource($0, options: options)
    }
  }
}

/// The database of Almanah.
enum AlmanahFormat: ReadableFormat {
  static let name = "almanah"
  static let guide = AlmanahSource.guide

  static func recognises(tables: [String: Set<String>]) -> Bool {
    AlmanahSource.recognises(tables: tables)
  }

  static func source(
    _ database: any ForeignDatabase, options: ImportOptions
  ) -> any EntrySource {
    AlmanahSource(database, options: options)
  }
}

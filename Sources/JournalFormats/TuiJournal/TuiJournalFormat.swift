/// tui-journal's `entries.json` and `entries.db`, and its exports.
enum TuiJournalFormat: ReadableFormat {
  static let name = "tui-journal"
  static let guide = ImportGuide(
    files: "JSON and SQLite",
    ways: ["tui-journal: its file entries.json or entries.db, or tjournal export"])

  static func accepts(json: JSONSketch) -> Bool {
    if json.names.contains("content") { return true }
    return json.isList && json.record.isEmpty && json.root.contains("version")
      && !json.root.contains("tags")
  }

  static func recognises(tables: [String: Set<String>]) -> Bool {
    tables["entries"]?.isSuperset(of: ["id", "title", "date", "content"]) ?? false
  }

  static func source(
    _ database: any ForeignDatabase, options: ImportOptions
  ) -> any EntrySource {
    TuiJournalDatabaseSource(database, options: options)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json"]) {
      TuiJournalSource($0, options: options)
    }
  }
}

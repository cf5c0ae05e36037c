/// Daybook's own JSON and JSON Lines.
enum DaybookFormat: ReadableFormat {
  static let name = "daybook"
  static let guide = ImportGuide(
    files: "JSON, JSON Lines, and journals of Daybook",
    ways: ["Daybook: daybook export -o FILE.json, or the journal's own file"])

  static func recognises(json: JSONSketch) -> Bool { json.formatName == "daybook" }

  /// A record with a text, or a list without records.
  static func accepts(json: JSONSketch) -> Bool {
    if json.names.contains("text") { return true }
    return json.isList && json.record.isEmpty && json.root.isDisjoint(with: ["tags", "version"])
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json", ".jsonl", ".ndjson"]) {
      DaybookSource($0, options: options)
    }
  }
}

/// The JSON of Roam Research.
enum RoamFormat: ReadableFormat {
  static let name = "roam"
  static let guide = RoamSource.guide

  static func recognises(json: JSONSketch) -> Bool { RoamSource.recognises(json: json) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json"]) { RoamSource($0, options: options) }
  }
}

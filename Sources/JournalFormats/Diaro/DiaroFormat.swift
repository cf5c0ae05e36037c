/// The backup of Diaro.
enum DiaroFormat: ReadableFormat {
  static let name = "diaro"
  static let guide = DiaroSource.guide

  static func recognises(files: [String]) -> Bool { DiaroSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    DiaroSource(try input.directory(for: name), options: options)
  }
}

/// Backups of Bear, and TextBundles of other programs.
enum BearFormat: ReadableFormat {
  static let name = "bear"
  static let guide = BearSource.guide

  static func recognises(files: [String]) -> Bool { BearSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    BearSource(try input.directory(for: name), options: options)
  }
}

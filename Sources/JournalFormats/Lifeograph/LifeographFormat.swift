/// The diaries of Lifeograph.
enum LifeographFormat: ReadableFormat {
  static let name = "lifeograph"
  static let guide = LifeographSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    LifeographSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool {
    files.contains { $0.fileParts.ending == "diary" }
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".diary"]) {
      LifeographSource($0, options: options)
    }
  }
}

/// The CSV export and the backup of Daylio.
enum DaylioFormat: ReadableFormat {
  static let name = "daylio"
  static let guide = DaylioSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    DaylioSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { DaylioBackupSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input, recognises(files: directory.files) {
      return DaylioBackupSource(directory, options: options)
    }
    return StreamFileSource(input, options, endings: [".csv"]) {
      DaylioSource($0, options: options)
    }
  }
}

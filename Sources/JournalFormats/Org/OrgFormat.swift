/// Files of Org mode, also those of org-journal without an ending.
enum OrgFormat: ReadableFormat {
  static let name = "org"
  static let guide = OrgSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    OrgSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { OrgSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return OrgDirectorySource(directory, options: options)
    }
    return TextFileSource(input, options, endings: [".org"]) {
      OrgSource($0, path: $1, options: options)
    }
  }
}

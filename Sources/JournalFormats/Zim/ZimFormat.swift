/// The notebooks of Zim, and their pages.
enum ZimFormat: ReadableFormat {
  static let name = "zim"
  static let guide = ZimSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    ZimSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { ZimSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return ZimSource.source(directory, options: options)
    }
    return TextFileSource(input, options, endings: [".txt"]) {
      ZimSource($0, path: $1, options: options)
    }
  }
}

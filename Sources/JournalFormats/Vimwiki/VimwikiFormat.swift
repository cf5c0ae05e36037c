/// Pages of vimwiki in its default syntax.
enum VimwikiFormat: ReadableFormat {
  static let name = "vimwiki"
  static let guide = VimwikiSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    VimwikiSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { VimwikiSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return VimwikiSource.source(directory, options: options)
    }
    return TextFileSource(input, options, endings: [".wiki"]) {
      VimwikiSource($0, path: $1, options: options)
    }
  }
}

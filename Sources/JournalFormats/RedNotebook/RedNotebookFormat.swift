/// The month files of RedNotebook, and its backup.
enum RedNotebookFormat: ReadableFormat {
  static let name = "rednotebook"
  static let guide = RedNotebookSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    RedNotebookSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { RedNotebookSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return RedNotebookSource(directory, options: options)
    }
    return TextFileSource(input, options, endings: [".txt"]) {
      RedNotebookSource($0, path: $1, options: options)
    }
  }
}

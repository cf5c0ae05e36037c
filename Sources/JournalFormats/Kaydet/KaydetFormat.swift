/// kaydet's text files, one per day.
enum KaydetFormat: ReadableFormat {
  static let name = "kaydet"
  static let guide = ImportGuide(
    files: "text files of days, 2024-01-05.txt",
    ways: ["kaydet: the directory that kaydet --folder opens"])

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    KaydetHeading(FirstLine.of(head)) != nil
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    TextFileSource(input, options, endings: [".txt"]) {
      KaydetSource($0, path: $1, options: options)
    }
  }
}

/// The JSON exports of Mini Diary and Mini Diarium.
enum MiniDiaryFormat: ReadableFormat {
  static let name = "mini-diary"
  static let guide = MiniDiarySource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    MiniDiarySource.recognises(head, path: path)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json"]) { MiniDiarySource($0, options: options) }
  }
}

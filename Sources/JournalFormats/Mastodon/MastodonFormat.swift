/// Archives of Mastodon.
enum MastodonFormat: ReadableFormat {
  static let name = "mastodon"
  static let guide = MastodonSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    MastodonSource.recognises(head, path: path)
  }

  static func recognises(json: JSONSketch) -> Bool { json.names.contains("orderedItems") }

  static func recognises(files: [String]) -> Bool { MastodonSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    switch input {
    case .file(let stream): return MastodonSource(stream, options: options)
    case .directory(let directory): return MastodonArchiveSource(directory, options: options)
    }
  }
}

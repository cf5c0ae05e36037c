/// jrnl's exports as XML.
enum JrnlXMLFormat: ReadableFormat {
  static let name = "jrnl-xml"
  static let guide = JrnlXMLSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    JrnlXMLSource.recognises(head, path: path)
  }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return StreamFileSource(input, options, endings: [".xml"]) { stream in
      JrnlXMLSource(stream, options: options)
    }
  }
}

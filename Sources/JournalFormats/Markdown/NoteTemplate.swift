import Journal

/// Templates of programs for notes, which are no entries.
enum NoteTemplate {
  /// Whether a note is a template, by its directory, or by marks that a program fills in.
  static func recognises(_ bytes: [UInt8], path: String) -> Bool {
    let directories = path.split(separator: "/").dropLast().map { $0.lowercased() }
    let names: Set = ["templates", "template", "_templates", "vorlagen"]
    if directories.contains(where: {
      names.contains($0.drop { !$0.isLetter && $0 != "_" }.description)
    }) {
      return true
    }
    guard bytes.prefix(4096).contains(where: { "{<:".utf8.contains($0) }) else { return false }
    let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
    return ["{{date}}", "{{date:", "{{title}}", "<% tp.", "\n  template:: "].contains(
      where: head.contains)
      && DatedName(path: path) == nil
  }
}

import Journal

/// The text of an entry as Daybook has it, in a member `daybook` of its own that Day One passes over.
///
/// Day One's text has backslashes, line ends and addresses of files that do not lead back to every text, such
/// as to the words of `[inv_2026\_11](file:3f2a9c1b7d5e6f70.pdf)`. It counts only as long as the entry's text
/// is what an export makes of it, so that an edit in Day One is never lost.
enum DayOneExactText {
  private static let (member, text) = ("daybook", "text")

  /// Adds the text to the object of an entry.
  static func append(_ exact: String, to object: inout JSONObject, _ buffer: inout [UInt8]) {
    object.add(member, .object([JSONMember(text, .string(exact))]), to: &buffer)
  }

  /// The text, and the files that it names; `nil` if there is none that counts.
  ///
  /// - Parameter written: Day One's text of the entry.
  static func read(
    _ value: JSONValue, _ written: String, _ media: DayOneMedia
  ) -> (text: String, files: [ImportedFile])? {
    guard let exact = value[member]?[text]?.string else { return nil }
    var files: [ImportedFile] = []
    let leading = FileLink.text(exact) { link in
      guard let file = media.file(beginning: link.target) else { return nil }
      let named = ImportedFile(path: file.path, name: file.name, digits: link.target)
      if !files.contains(named) { files.append(named) }
      return (file.kind.address(of: file.identifier), true)
    }
    let lines = LineEnds.unified(leading)
    let again = DayOneText.written(lines, tags: Tag.names(in: lines)).text
    return again.isSame(as: written) ? (exact, files) : nil
  }
}

extension DayOneText {
  /// A text as an export has it, without the tags at its end, which are elsewhere.
  static func written(_ text: String, tags: [String]) -> (plain: String, text: String) {
    let plain = TrailingTags.split(text, tags: tags)
    return (plain, escaped(plain))
  }
}

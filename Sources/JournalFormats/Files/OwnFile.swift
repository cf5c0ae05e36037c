import Journal

/// A file of an export of Daybook beside its texts: `files/3f2a9c1b7d5e6f70.jpg`.
package struct OwnFile {
  /// The name of the directory.
  package static let directory = "files"

  /// The digits of the hash in the name.
  let target: String
  /// What follows them, without the dot.
  let suffix: String

  /// The path beside a text.
  package static func path(_ link: FileLink) -> String {
    "\(directory)/\(link.target)\(link.suffix.isEmpty ? "" : "." + link.suffix)"
  }

  /// Whether a path is of such a file.
  static func isOne(_ path: String) -> Bool { OwnFile(path) != nil }

  /// Reads a path; `nil` for one of another file.
  init?(_ path: some StringProtocol) {
    let parts = path.split(separator: "/")
    guard parts.count > 1, parts[parts.count - 2] == Self.directory[...], let name = parts.last
    else { return nil }
    let stem = name.prefix { $0 != "." }
    guard (FileLink.fewestDigits...FileLink.digits).contains(stem.utf8.count),
      stem.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
    else { return nil }
    target = String(stem)
    suffix = String(name.dropFirst(stem.count + 1))
  }
}

extension ImportedEntry {
  /// Makes the links of a text that Daybook wrote, which lead to the files beside it, what they were in the
  /// journal, and names the files.
  ///
  /// The names say the hashes, so none needs to be there: one that is not comes with a later import.
  ///
  /// - Complexity: linear in the bytes of the text.
  mutating func takeOwnFiles() {
    // Most texts name none, which is known without parsing them.
    guard text.contains("\(OwnFile.directory)/") else { return }
    var found: [ImportedFile] = []
    text = FileReference.text(text, FileReference.all(in: text)) { reference in
      guard case .link = reference.form,
        let path = reference.paths.first(where: OwnFile.isOne), !path.hasPrefix("/"),
        let own = OwnFile(path)
      else { return nil }
      let file = ImportedFile(path: path, digits: own.target)
      if !found.contains(file) { found.append(file) }
      return (FileLink(target: own.target, suffix: own.suffix, words: "", isPicture: false), true)
    }
    files += found
  }
}

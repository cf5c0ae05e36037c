/// The pictures and recordings in an export, which texts mention by their names.
struct AttachedFiles {
  /// The remark on an entry with links to them.
  static let remark = "attached file is a link to its path in the export"

  private let files: Set<String>
  /// The paths of each name without its directory, in lower case; ambiguous ones are dropped.
  private var byName: [String: String?] = [:]
  /// The same of pictures without the extension, which exports change.
  private var byStem: [String: String?] = [:]

  /// Makes the files of an export; none for a single file.
  init(_ files: [String] = []) {
    self.files = Set(files)
    for file in files {
      let name = AttachedFiles.name(file).lowercased()
      AttachedFiles.add(file, name, &byName)
      if AttachedFiles.hasPictureName(name) {
        AttachedFiles.add(file, AttachedFiles.stem(name), &byStem)
      }
    }
  }

  private static func add(_ file: String, _ key: String, _ index: inout [String: String?]) {
    index.updateValue(index[key] == nil ? file : nil, forKey: key)
  }

  private static func name(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  private static func stem(_ name: String) -> String {
    name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// The path of a file that a record mentions; `nil` if the export does not have it.
  ///
  /// - Parameter record: the path of the file with the record, beside which the attached one is.
  func path(of name: String, beside record: String) -> String? {
    let directory = record.lastIndex(of: "/").map { record[...$0] } ?? ""
    let near = "\(directory)\(name)"
    if files.contains(near) { return near }
    let plain = AttachedFiles.name(name).lowercased()
    guard !plain.isEmpty else { return nil }
    return byName[plain] ?? byStem[AttachedFiles.stem(plain)] ?? nil
  }

  /// A link to a file: a picture is shown, another file is a link with its name.
  ///
  /// - Parameter isPicture: whether it is a picture; `nil` to decide by its name.
  static func link(_ path: String, isPicture: Bool? = nil) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      !ASCII.isSpace(byte) && byte != UInt8(ascii: "(") && byte != UInt8(ascii: ")")
        && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">") && byte > 0x20
    }
    let safe = path.filter { $0 != "<" && $0 != ">" && !$0.isNewline }
    let target = isPlain ? path : "<\(safe)>"
    if isPicture ?? hasPictureName(path) { return "![](\(target))" }
    let label = name(path).filter { $0 != "[" && $0 != "]" && !$0.isNewline }
    return "[\(label)](\(target))"
  }

  private static func hasPictureName(_ path: String) -> Bool {
    let endings = [
      ".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".heif", ".bmp", ".svg", ".tif", ".tiff",
      ".avif", ".sticker",
    ]
    let path = path.lowercased()
    return endings.contains(where: path.hasSuffix)
  }
}

extension ImportedEntry {
  /// Notes that the text has links to files of the export.
  ///
  /// Their directories depend on the part of the export that is imported, so they do not count for
  /// a derived identity.
  mutating func remarkFileLinks() {
    hasFileLinks = true
    remark(AttachedFiles.remark)
  }

  /// A text whose links to files have the names of the files alone.
  static func namingFiles(_ text: String) -> String {
    let parts = text.split(separator: "](", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count > 1 else { return text }
    let named = parts.dropFirst().map { part -> Substring in
      let isQuoted = part.first == "<"
      let end = part.firstIndex { $0 == (isQuoted ? ">" : ")") || $0.isNewline } ?? part.endIndex
      let target = part[..<end]
      guard !target.contains("://"), let slash = target.lastIndex(of: "/") else { return part }
      let name = part[part.index(after: slash)..<end]
      return name + (isQuoted ? part[end...].dropFirst() : part[end...])
    }
    return ([first] + named).joined(separator: "](")
  }

  /// Adds links to attached files below the text.
  ///
  /// Those that the export lacks are named.
  ///
  /// - Parameters:
  ///   - names: the names or paths in the record.
  mutating func attach(_ names: [String], in files: AttachedFiles, beside record: String) {
    var seen: Set<String> = []
    for name in names {
      guard let path = files.path(of: name, beside: record) else {
        miss(name, DirectoryFiles.missing)
        continue
      }
      guard seen.insert(path).inserted, !text.contains("](\(path))") else { continue }
      text += (text.isEmpty ? "" : "\n\n") + AttachedFiles.link(path)
      remarkFileLinks()
    }
  }
}

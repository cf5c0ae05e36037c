import Journal

/// The attached files of a Day One entry.
struct DayOneMedia {
  /// A file of an entry.
  struct File {
    let kind: DayOneFiles.Kind
    /// Its path in the export: `photos/MD5.jpeg`.
    let path: String
    /// What the text calls it, in upper case.
    let identifier: String
    /// Its name where it came from, if the entry has it.
    let name: String?
  }

  /// The files in order, each path once.
  private(set) var files: [File] = []
  private var byIdentifier: [String: File] = [:]

  /// Reads them from the entry.
  init(_ value: JSONValue) {
    var seen: Set<String> = []
    for kind in DayOneFiles.Kind.allCases {
      for item in value[kind.member]?.array ?? [] {
        guard let md5 = item["md5"]?.string, let file = File(item, kind, md5: md5) else { continue }
        if seen.insert(file.path).inserted { files.append(file) }
        byIdentifier[md5.uppercased()] = file
        byIdentifier[file.identifier] = file
      }
    }
  }

  /// Their paths in the export.
  var paths: [String] { files.map(\.path) }

  /// The path of the file with an identifier in upper case.
  func path(of identifier: String) -> String? { byIdentifier[identifier]?.path }

  /// The file of an export of Daybook whose hash begins with digits.
  func file(beginning digits: String) -> File? {
    let digits = digits.uppercased()
    return files.first { $0.identifier.hasPrefix(digits) || digits.hasPrefix($0.identifier) }
  }
}

extension DayOneMedia.File {
  /// Reads the object of a file; `nil` if its path could lead out of the directory.
  fileprivate init?(_ item: JSONValue, _ kind: DayOneFiles.Kind, md5: String) {
    guard Self.isPlain(md5) else { return nil }
    let type = item["type"]?.string ?? ""
    let suffix =
      switch kind {
      // Recordings are m4a whatever the file says.
      case .audio: "m4a"
      case .photo: Self.isPlain(type) ? type : "jpeg"
      case .video: Self.isPlain(type) ? type : "mov"
      case .pdf: Self.isPlain(type) ? type : "pdf"
      }
    self.kind = kind
    path = "\(kind.directory)/\(md5).\(suffix)"
    identifier = (item["identifier"]?.string ?? md5).uppercased()
    name = item[kind.nameMember]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) }
  }
}

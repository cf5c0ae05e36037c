import Journal

/// The files of an export to Day One, each under the MD5 of its bytes: `photos/MD5.jpg`.
///
/// Day One takes photos, videos, recordings and PDFs, and no others.
final class DayOneFiles {
  /// A file of an entry.
  struct Item {
    let kind: Kind
    let md5: String
    let type: String
    let file: StoredFile

    /// The path in the zip.
    var path: String { "\(kind.directory)/\(md5).\(type)" }
    /// What the text calls it.
    var identifier: String { file.hash.prefix(32).uppercased() }
    /// The address in a text.
    var address: String { kind.address(of: identifier) }
  }

  /// The kinds of files that Day One has.
  enum Kind: CaseIterable {
    case photo, video, audio, pdf

    init?(type: String) {
      switch type.prefix(while: { $0 != "/" }) {
      case "image": self = .photo
      case "video": self = .video
      case "audio": self = .audio
      default:
        guard type == "application/pdf" else { return nil }
        self = .pdf
      }
    }

    /// The member of an entry.
    var member: String {
      switch self {
      case .photo: "photos"
      case .video: "videos"
      case .audio: "audios"
      case .pdf: "pdfAttachments"
      }
    }

    var directory: String { self == .pdf ? "pdfs" : member }

    /// The member with the name of the file.
    var nameMember: String {
      switch self {
      case .photo, .video: "filename"
      case .audio: "title"
      case .pdf: "pdfName"
      }
    }

    /// The address of a file in a text.
    ///
    /// - Parameter identifier: what the entry calls it.
    func address(of identifier: String) -> String { "dayone-moment:\(scheme)\(identifier)" }

    private var scheme: String {
      switch self {
      case .photo: "//"
      case .video: "/video/"
      case .audio: "/audio/"
      case .pdf: "/pdfAttachment/"
      }
    }
  }

  private let files: any ExportedFiles
  /// The MD5 of each file, by its hash.
  private var sums: [String: String] = [:]
  /// The files of the zip, each once.
  private(set) var items: [Item] = []
  private var known: [String: Item] = [:]

  init(_ files: any ExportedFiles) { self.files = files }

  /// An entry with the links of Day One, its files, and the names of those it has no place for.
  func carry(_ entry: Entry) throws -> (entry: Entry, items: [Item], lost: [String]) {
    var (entry, items, lost) = (entry, [Item](), [String]())
    entry.text = try FileLink.text(entry.text) { link in
      guard let file = try files.file(link) else { return nil }
      guard let kind = Kind(type: file.type) else {
        lost.append(file.name)
        return nil
      }
      guard let item = try item(of: file, kind, link) else { return nil }
      if !items.contains(where: { $0.path == item.path }) { items.append(item) }
      files.note(link)
      return (item.address, true)
    }
    return (entry, items, lost)
  }

  /// The item of a file, whose ending is that of the first link; `nil` for a damaged file.
  private func item(of file: StoredFile, _ kind: Kind, _ link: FileLink) throws -> Item? {
    if let item = known[file.hash] { return item }
    guard let md5 = try sum(of: file) else { return nil }
    let named = FileLink(toFileNamed: file.name, target: link.target, isPicture: false).suffix
    let type = [link.suffix, named].first { !$0.isEmpty } ?? "bin"
    let item = Item(kind: kind, md5: md5, type: type, file: file)
    known[file.hash] = item
    items.append(item)
    return item
  }

  private func sum(of file: StoredFile) throws -> String? {
    if let known = sums[file.hash] { return known }
    var sum = MD5()
    guard try files.isWhole(file, { sum.add($0) }) else { return nil }
    sums[file.hash] = sum.finished()
    return sums[file.hash]
  }

  /// Writes the files into a zip.
  func write(into zip: ZipWriter) throws {
    for item in items {
      try zip.add(item.path, size: item.file.size) { write in try files.read(item.file, write) }
    }
  }
}

extension DayOneFiles.Item {
  /// The object of the file in the JSON of an entry.
  ///
  /// - Parameter order: its place among the files of the entry.
  func json(order: Int) -> JSONValue {
    var members = [
      JSONMember("md5", .string(md5)), JSONMember("identifier", .string(identifier)),
      JSONMember("type", .string(type)), JSONMember("orderInEntry", .number("\(order)")),
      JSONMember("fileSize", .number("\(file.size)")),
      JSONMember(kind.nameMember, .string(file.name)),
    ]
    if let pixels = file.pixels {
      members += [
        JSONMember("width", .number("\(pixels.width)")),
        JSONMember("height", .number("\(pixels.height)")),
      ]
    }
    if kind == .audio { members.append(JSONMember("format", .string(type))) }
    return .object(members)
  }
}

/// Text that was written and not yet saved, kept in a folder of its own.
struct Draft: Equatable {
  /// What the text was written for.
  enum Purpose: Equatable {
    /// A new entry.
    case newEntry
    /// A new text of the entry with this permanent identity.
    case edit(uuid: String)
  }

  /// The name of the draft's folder; later drafts have larger names.
  var name: String
  /// The folder.
  var folder: String
  /// What the text was written for.
  var purpose: Purpose
  /// The process that writes it.
  var owner: ProcessStamp
  /// The journal it was written for: its absolute path, or `:memory:`; `nil` in drafts of versions
  /// that did not note it, which belong to every journal.
  var journal: String?
  /// The fingerprint of the text that an editor was started with, if that text is saved elsewhere:
  /// while the file still has it, nobody wrote anything.
  var base: UInt64?
  /// Whether it is a file as programs write it, whose final line feed is not part of the text.
  var isFile = false

  /// The name of the file that holds the text.
  var file = Draft.usualFile

  /// The name of the file where nobody sees it.
  static let usualFile = "entry.md"

  /// The file that holds the text.
  var path: String { "\(folder)/\(file)" }
}

extension Draft {
  /// The lines of the `meta` file beside the text.
  var meta: String {
    let kind =
      switch purpose {
      case .newEntry: "new"
      case .edit(let uuid): "edit \(uuid)"
      }
    var lines = "purpose \(kind)\nowner \(owner.pid) \(owner.start)\n"
    if let journal { lines += "journal \(Self.escaped(journal))\n" }
    if let base { lines += "base \(base)\n" }
    if isFile { lines += "form file\n" }
    if file != Self.usualFile { lines += "file \(Self.escaped(file))\n" }
    return lines
  }

  /// Reads the lines of a `meta` file; what is missing or damaged counts as a new entry's, ownerless.
  init(name: String, folder: String, meta: String) {
    self.init(
      name: name, folder: folder, purpose: .newEntry, owner: ProcessStamp(pid: 0, start: 0))
    for line in meta.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2 { take(parts[0], parts[1]) }
    }
  }

  private mutating func take(_ field: String, _ value: String) {
    let words = value.split(separator: " ").map(String.init)
    switch field {
    case "purpose" where words.count == 2 && words[0] == "edit": purpose = .edit(uuid: words[1])
    case "owner" where words.count == 2:
      guard let pid = Int32(words[0]), let start = UInt64(words[1]) else { return }
      owner = ProcessStamp(pid: pid, start: start)
    case "journal": journal = Self.unescaped(value)
    case "base": base = UInt64(value)
    case "form": isFile = value == "file"
    // Never a file elsewhere, whatever somebody wrote there.
    case "file" where !value.contains("/") && ![".", "..", "meta"].contains(value):
      file = Self.unescaped(value)
    default: break
    }
  }

  /// A path may hold a line feed; the file's lines may not.
  private static func escaped(_ path: String) -> String {
    var escaped = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\\": escaped += "\\\\"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func unescaped(_ text: String) -> String {
    var path = ""
    var isEscape = false
    for scalar in text.unicodeScalars {
      if isEscape {
        path.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
        isEscape = false
      } else if scalar == "\\" {
        isEscape = true
      } else {
        path.unicodeScalars.append(scalar)
      }
    }
    return path
  }

  /// A number by which two contents of a file are told apart: FNV-1a, 64 bits.
  static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

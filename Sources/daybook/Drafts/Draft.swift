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

  /// The file that holds the text.
  var path: String { folder + "/entry.md" }
}

extension Draft {
  /// The lines of the `meta` file beside the text.
  var meta: String {
    let kind =
      switch purpose {
      case .newEntry: "new"
      case .edit(let uuid): "edit \(uuid)"
      }
    return "purpose \(kind)\nowner \(owner.pid) \(owner.start)\n"
  }

  /// Reads the lines of a `meta` file; what is missing or damaged counts as a new entry's, ownerless.
  init(name: String, folder: String, meta: String) {
    var purpose = Purpose.newEntry
    var owner = ProcessStamp(pid: 0, start: 0)
    for line in meta.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 3, words[0] == "purpose", words[1] == "edit" {
        purpose = .edit(uuid: words[2])
      }
      if words.count == 3, words[0] == "owner", let pid = Int32(words[1]),
        let start = UInt64(words[2])
      {
        owner = ProcessStamp(pid: pid, start: start)
      }
    }
    self.init(name: name, folder: folder, purpose: purpose, owner: owner)
  }
}

/// The branches that `git ls-remote --symref` lists, of a stranger: any number, with any name.
struct BranchList {
  private var line: [UInt8] = []
  private var target: String?
  /// Whether a head is no SHA-1.
  private(set) var hasOtherFormat = false
  /// Branches that may be chosen, with their heads.
  private var heads: [String: ObjectID] = [:]

  /// The most branches that are remembered.
  private static let most = 10_000

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else if line.count < GitText.longestLine {
        line.append(byte)
      }
    }
  }

  /// Reads `ref: refs/heads/main\tHEAD`, or `OBJECT\tNAME`.
  private mutating func endLine() {
    defer { line.removeAll(keepingCapacity: true) }
    let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
    guard parts.count == 2 else { return }
    let name = String(decoding: parts[1], as: UTF8.self)
    if name == "HEAD" {
      let value = String(decoding: parts[0], as: UTF8.self)
      if value.hasPrefix("ref: refs/heads/") { target = String(value.dropFirst(16)) }
      return
    }
    guard name.hasPrefix("refs/heads/"), heads.count < Self.most else { return }
    guard let object = ObjectID(parts[0]) else {
      hasOtherFormat = true
      return
    }
    let branch = String(name.dropFirst(11))
    if Self.isValid(branch) { heads[branch] = object }
  }

  /// Whether the remote named no branch.
  var isEmpty: Bool { heads.isEmpty && !hasOtherFormat }

  /// The branch to sync.
  func choice(preferring known: RemoteBranch?) -> RemoteHead {
    let names = [known?.name, target, RemoteBranch.standard.name, "master", heads.keys.min()]
    for name in names {
      if let name, let head = heads[name] {
        return RemoteHead(branch: RemoteBranch(name: name), head: head)
      }
    }
    return RemoteHead(branch: known ?? .standard, head: nil)
  }

  /// Whether a name of a branch is one that git allows and a command takes as such.
  static func isValid(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 250, !name.hasPrefix("-"), !name.hasPrefix("/"),
      !name.hasSuffix("/"), !name.hasSuffix("."), !name.contains(".."), !name.contains("//"),
      !name.contains("@{")
    else { return false }
    let forbidden: Set<Unicode.Scalar> = [" ", "~", "^", ":", "?", "*", "[", "\\"]
    guard name.unicodeScalars.allSatisfy({ !forbidden.contains($0) && !GitText.isControl($0) })
    else { return false }
    return name.split(separator: "/").allSatisfy { !$0.hasPrefix(".") && !$0.hasSuffix(".lock") }
  }
}

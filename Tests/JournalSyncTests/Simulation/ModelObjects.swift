import JournalSync
import TestSupport

/// The objects of a repository in memory, under the names that git gives them.
struct ModelObjects {
  /// A file of a tree, by its whole path.
  typealias File = (path: [UInt8], file: TreeFile)

  struct Commit {
    var tree: ObjectID
    var parents: [ObjectID]
    var author: String
    var message: String
  }

  enum Object {
    case blob([UInt8])
    /// The files below it, in the order of their paths, and what is on its own level.
    case tree(files: [File], items: [File])
    case commit(Commit)
  }

  private(set) var objects: [ObjectID: Object] = [:]

  init() { objects[.emptyTree] = .tree(files: [], items: []) }

  subscript(_ object: ObjectID) -> Object? { objects[object] }

  /// The commit with a name; `nil` if it is not here.
  func commit(_ object: ObjectID) -> Commit? {
    if case .commit(let commit)? = objects[object] { commit } else { nil }
  }

  /// The files of a commit or a tree; `nil` if it is not here.
  func files(of object: ObjectID) -> [File]? {
    switch objects[object] {
    case .tree(let files, _)?: files
    case .commit(let commit)?: self.files(of: commit.tree)
    case .blob?, nil: nil
    }
  }

  // MARK: Adding

  private static func name(_ kind: String, _ content: [UInt8]) -> ObjectID {
    let name = ObjectID(SHA1.hex(Array("\(kind) \(content.count)\0".utf8) + content))
    guard let name else { preconditionFailure("a hash has 40 digits") }
    return name
  }

  mutating func addBlob(_ bytes: [UInt8]) -> ObjectID {
    let name = Self.name("blob", bytes)
    objects[name] = .blob(bytes)
    return name
  }

  /// - Parameter files: in the order of their paths.
  mutating func addTree(_ files: [File]) -> ObjectID { addTree(files[...], depth: 0) }

  private mutating func addTree(_ files: ArraySlice<File>, depth: Int) -> ObjectID {
    var content: [UInt8] = []
    var items: [File] = []
    var rest = files
    while let first = rest.first {
      let name = first.path[depth...].prefix { $0 != UInt8(ascii: "/") }
      let end = depth + name.count
      var item = first.file
      if end == first.path.count {
        rest = rest.dropFirst()
      } else {
        let inside = rest.prefix {
          $0.path.count > end && $0.path[end] == UInt8(ascii: "/")
            && $0.path[depth..<end] == name
        }
        item = TreeFile(.directory, addTree(inside, depth: end + 1))
        rest = rest.dropFirst(inside.count)
      }
      items.append((path: Array(name), file: item))
      content += Self.mode(of: item.kind).utf8
      content.append(UInt8(ascii: " "))
      content += name
      content.append(0)
      content += Self.bytes(of: item.object)
    }
    let name = Self.name("tree", content)
    if objects[name] == nil {
      let below = files.map { (path: Array($0.path[depth...]), file: $0.file) }
      objects[name] = .tree(files: below, items: items)
    }
    return name
  }

  private static func mode(of kind: TreeFile.Kind) -> String {
    switch kind {
    case .file: "100644"
    case .executable: "100755"
    case .symbolicLink: "120000"
    case .submodule: "160000"
    case .directory: "40000"
    case .other: preconditionFailure("no mode of the model")
    }
  }

  private static func bytes(of object: ObjectID) -> [UInt8] {
    let values = object.hex.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: 40, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  mutating func addCommit(_ commit: Commit) -> ObjectID {
    let parents = commit.parents.map { "parent \($0)\n" }.joined()
    let content =
      "tree \(commit.tree)\n\(parents)author \(commit.author)\ncommitter \(commit.author)\n\n"
      + commit.message
    let name = Self.name("commit", Array(content.utf8))
    objects[name] = .commit(commit)
    return name
  }

  /// Copies an object and all that it leads to.
  mutating func receive(_ object: ObjectID, from other: ModelObjects) {
    guard objects[object] == nil, let found = other[object] else { return }
    switch found {
    case .blob: break
    case .tree(_, let items): for item in items { receive(item.file.object, from: other) }
    case .commit(let commit):
      receive(commit.tree, from: other)
      for parent in commit.parents { receive(parent, from: other) }
    }
    objects[object] = found
  }

  // MARK: Histories

  /// A commit and all its ancestors.
  func ancestors(of commit: ObjectID) -> Set<ObjectID> {
    var found: Set<ObjectID> = []
    var rest = [commit]
    while let next = rest.popLast() {
      guard found.insert(next).inserted else { continue }
      rest += self.commit(next)?.parents ?? []
    }
    return found
  }

  /// The common ancestors of two commits that are no ancestors of others.
  func mergeBases(_ left: ObjectID, _ right: ObjectID) -> Set<ObjectID> {
    let common = ancestors(of: left).intersection(ancestors(of: right))
    var best = common
    for commit in common {
      for parent in self.commit(commit)?.parents ?? [] where best.contains(parent) {
        best.subtract(ancestors(of: parent))
      }
    }
    return best
  }

  /// The differences between the files of two commits or trees, in the order of their paths.
  func differences(from old: [File], to new: [File]) -> [TreeChange] {
    var found: [TreeChange] = []
    var (before, after) = (old[...], new[...])
    while true {
      let (left, right) = (before.first, after.first)
      if let left, let right, left.path == right.path {
        if left.file != right.file {
          found.append(TreeChange(path: left.path, old: left.file, new: right.file))
        }
        (before, after) = (before.dropFirst(), after.dropFirst())
      } else if let left, right.map({ left.path.lexicographicallyPrecedes($0.path) }) ?? true {
        found.append(TreeChange(path: left.path, old: left.file))
        before = before.dropFirst()
      } else if let right {
        found.append(TreeChange(path: right.path, new: right.file))
        after = after.dropFirst()
      } else {
        return found
      }
    }
  }

  /// What is at a path of a commit.
  func item(at path: [UInt8], in commit: ObjectID) -> TreeFile? {
    guard var found = self.commit(commit).map({ TreeFile(.directory, $0.tree) }) else { return nil }
    for name in path.split(separator: UInt8(ascii: "/")) {
      guard case .tree(_, let items)? = objects[found.object],
        let next = items.first(where: { $0.path.elementsEqual(name) })
      else { return nil }
      found = next.file
    }
    return found
  }
}

/// The files of a commit that is being made.
struct ModelIndex {
  private var files: [[UInt8]: TreeFile]

  init(_ files: [ModelObjects.File] = []) {
    self.files = Dictionary(files.map { ($0.path, $0.file) }) { $1 }
  }

  var sorted: [ModelObjects.File] {
    files.map { (path: $0.key, file: $0.value) }
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Puts a file at a path, in place of a directory there or of files above.
  mutating func set(_ path: [UInt8], to file: TreeFile) {
    remove(path)
    for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
      files[Array(path[..<index])] = nil
    }
    files[path] = file
  }

  /// Removes a file, or a directory with all in it.
  mutating func remove(_ path: [UInt8]) {
    files[path] = nil
    let directory = path + [UInt8(ascii: "/")]
    for name in files.keys where name.starts(with: directory) { files[name] = nil }
  }
}

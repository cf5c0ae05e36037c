import Foundation
import Journal
import JournalFormats
import JournalStore

@testable import JournalSync

/// What holds for every world at rest.
extension World {
  func checkRest() throws {
    let first = try devices[0].files()
    for device in devices {
      let other = try device.files()
      guard other == first else {
        let different = Set(first.keys).union(other.keys).filter { first[$0] != other[$0] }.sorted()
        throw Violation(
          "\(device.name) differs from device1: "
            + different.prefix(3).map { "\($0)\n\(first[$0] ?? "-")\n\(other[$0] ?? "-")" }
            .joined(separator: "; "))
      }
      try Violation.check(
        ledger.lostAtRest(device.words), "\(device.name) lost words that nobody removed")
      for process in device.processes { try check(process.store, device) }
      try Violation.check(device.store.check(), "the examination of \(device.name)")
    }
    try checkRemote(first)
  }

  private func check(_ store: any EntryStore, _ device: WorldDevice) throws {
    let live = try store.entries(store.numbers(matching: nil))
    var tags: [String: Int] = [:]
    for entry in live {
      for key in Set(Tag.keyedNames(in: entry.text).map(\.key)) { tags[key, default: 0] += 1 }
    }
    let counted = try Dictionary(store.tagCounts().map { ($0.key, $0.count) }) { $1 }
    if counted != tags { throw Violation("\(device.name) counts tags \(counted), has \(tags)") }
    let days = Dictionary(grouping: live, by: \.day).mapValues(\.count)
    let sections = try Dictionary(store.entriesByDay().map { ($0.day, $0.entries) }) { $1 }
    let count = try store.count()
    if sections != days || count != live.count {
      throw Violation("\(device.name) counts days \(sections), has \(days)")
    }
    if !hasFormerTexts {
      try Violation.check(links.check(store).faults, "links of \(device.name)")
    }
    if store.keepsFiles, !hasPurged {
      let lacking = try store.inspect { try $0.textTargets() }.filter { !$0.value }
      try Violation.check(lacking.keys.sorted(), "\(device.name) lacks files")
    }
  }

  /// Checks that the remote has what the devices have, and nothing of a sealed journal that can be read.
  private func checkRemote(_ files: [String: String]) throws {
    guard let head = remote.head else { return }
    if script.isSealed {
      var trees: [ModelObjects.File] = []
      for commit in remote.objects.ancestors(of: head) where checkedObjects.insert(commit).inserted
      {
        trees += remote.objects.files(of: commit) ?? []
      }
      let mark = Data("qnry".utf8)
      for file in trees where checkedObjects.insert(file.file.object).inserted {
        guard case .blob(let bytes)? = remote.objects[file.file.object] else { continue }
        if file.path.starts(with: SyncPath.manifest.text.utf8) { continue }
        if Data(bytes).range(of: mark) != nil || Data(bytes).range(of: Data("created".utf8)) != nil
        {
          throw Violation("the sealed remote has readable words")
        }
      }
      let count = remote.objects.files(of: head)?.count {
        $0.path != Array(SyncPath.manifest.text.utf8) && !$0.path.starts(with: "files/".utf8)
      }
      if count != files.count {
        throw Violation("the remote has \(count ?? 0) files, not \(files.count)")
      }
      return try checkSealedFiles(mark)
    }
    let found = remote.texts.filter {
      $0.key != SyncPath.manifest.text && !$0.key.hasPrefix("files/")
    }
    guard found != files else { return }
    let different = Set(found.keys).union(files.keys).filter { found[$0] != files[$0] }.sorted()
    throw Violation(
      "the remote differs from the devices: "
        + different.prefix(3).map { "\($0)\n\(found[$0] ?? "-")\n\(files[$0] ?? "-")" }
        .joined(separator: "; "))
  }

  private func checkSealedFiles(_ mark: Data) throws {
    for device in devices {
      let bytes = try Data(contentsOf: URL(filePath: device.path))
      if bytes.range(of: mark) != nil { throw Violation("the file of \(device.name) is readable") }
    }
  }
}

extension ModelRemote {
  /// The texts of the files of the branch, by path.
  var texts: [String: String] {
    guard let head, let files = objects.files(of: head) else { return [:] }
    var texts: [String: String] = [:]
    for file in files {
      guard case .blob(let bytes)? = objects[file.file.object] else { continue }
      texts[String(decoding: file.path, as: UTF8.self)] = String(decoding: bytes, as: UTF8.self)
    }
    return texts
  }

  /// Commits files on top of the branch, as a person with plain git; `nil` deletes.
  ///
  /// - Parameter isNewRoot: whether the history begins again.
  func commit(_ changes: [(String, String?)], isNewRoot: Bool = false) {
    var index = ModelIndex(head.flatMap { objects.files(of: $0) } ?? [])
    for (path, text) in changes {
      if let text {
        index.set(Array(path.utf8), to: TreeFile(.file, objects.addBlob(Array(text.utf8))))
      } else {
        index.remove(Array(path.utf8))
      }
    }
    let tree = objects.addTree(index.sorted)
    head = objects.addCommit(
      ModelObjects.Commit(
        tree: tree, parents: isNewRoot ? [] : head.map { [$0] } ?? [],
        author: "P <p@example.org> 1700000000 +0000", message: "plain\n"))
  }
}

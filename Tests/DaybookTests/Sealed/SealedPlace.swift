import Foundation
import Seal
import Testing

@testable import JournalStore
@testable import daybook

/// Directories of a test: a state directory on a disk, one in memory, and a sealed journal.
final class SealedPlace {
  /// The directory on a disk: drafts, histories, views, journals, and the home of programs.
  let disk: String
  /// The directory for editors' files.
  let memory: String
  /// The key of the sealed journal, which is registered.
  let key: JournalKey
  private var last = 0

  init() throws {
    let name = UUID().uuidString
    disk = FileManager.default.temporaryDirectory.path + "/sealed-\(name)"
    memory = "/dev/shm/sealed-\(name)"
    key = try JournalKey.random()
    key.register()
    for path in [disk, memory] { try DraftFile.makeDirectory(path) }
  }

  deinit {
    for path in [disk, memory] { try? FileManager.default.removeItem(atPath: path) }
    JournalKey.forget(id: key.id)
  }

  var state: String { disk + "/state" }

  /// The slots of the key, with a passphrase that is derived without effort.
  func slots() throws -> KeySlots {
    try KeySlots(
      key: key, passphrase: Passphrase(Array("correct horse".utf8)), recovery: nil,
      cost: DerivationCost(passes: 1, memory: 8192))
  }

  /// Makes an empty journal, sealed or not.
  ///
  /// - Returns: its path.
  func journal(_ name: String = "journal", isSealed: Bool = true) throws -> String {
    let path = "\(disk)/\(name).sqlite"
    if isSealed, try JournalFile.create(path) {
      try SealedCopy(slots: slots(), key: key).prepare(path, shownPath: path)
    }
    return path
  }

  /// The directory for editors' files of the drafts here.
  var ownMemory: String {
    get throws { try MemoryDirectory(candidates: [memory]).make(for: state + "/drafts") }
  }

  /// Whether no file of an editor is left.
  var isMemoryEmpty: Bool {
    let names = try? FileManager.default.subpathsOfDirectory(atPath: memory)
    return names?.allSatisfy { MemoryDirectory.isDirectory($0) && !$0.contains("/") } ?? false
  }

  /// The drafts of a journal.
  ///
  /// - Parameter home: the name of the state directory; those of two share the one in memory.
  func drafts(
    _ form: DraftForm, of journal: String? = "/j/one.sqlite", home: String = "state"
  ) -> DraftStore {
    DraftStore(
      directory: "\(disk)/\(home)/drafts", journal: journal, form: form,
      memory: MemoryDirectory(candidates: [memory])
    ) { [self] in
      last += 1
      return "draft-\(last)"
    }
  }

  /// The files below a directory of which the name or the contents have a word, in any case.
  func files(with word: String, below directory: String? = nil) throws -> [String] {
    let root = directory ?? disk
    let wanted = Data(word.lowercased().utf8)
    let names = try FileManager.default.subpathsOfDirectory(atPath: root)
    return names.filter { name in
      if name.lowercased().contains(word.lowercased()) { return true }
      guard let bytes = DraftFile.read("\(root)/\(name)", limit: 1 << 26) else { return false }
      let small = Data(bytes.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 })
      return small.firstRange(of: wanted) != nil
    }
  }

  /// Gives a draft to a process that has ended.
  func end(ownerOf draft: Draft) throws {
    let path = draft.directory + "/meta"
    let own = "owner \(ProcessStamp.current.pid) \(ProcessStamp.current.start)"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try #require(text.contains(own))
    try DraftFile.write(
      Array(text.replacing(own, with: "owner \(getpid()) 1").utf8), to: path)
  }
}

extension DraftStore {
  /// The texts of all drafts that it offers.
  var texts: [String] { abandoned().compactMap(text(of:)) }
}

import Files
import Glibc
import Seal

@testable import JournalStore

/// Sealed journals of tests, whose passphrase is derived without effort.
enum SealedJournal {
  static let passphrase = Passphrase(Array("correct horse".utf8))
  /// The smallest cost that libsodium allows.
  static let cost = DerivationCost(passes: 1, memory: 8192)

  /// Makes an empty sealed journal with a new key, which is registered.
  ///
  /// - Returns: its path.
  static func make(in directory: TemporaryDirectory, name: String = "journal") throws -> String {
    let path = directory.file("\(name)-sealed.sqlite")
    let key = try JournalKey.random()
    key.register()
    guard try JournalFile.create(path) else { return path }
    try SealedCopy(slots: slots(for: key), key: key).prepare(path, shownPath: path)
    return path
  }

  static func slots(for key: JournalKey, recovery: RecoveryKey? = nil) throws -> KeySlots {
    try KeySlots(key: key, passphrase: passphrase, recovery: recovery, cost: cost)
  }
}

import Foundation
import JournalStore
import Seal
import Testing

/// Sealed journals of the built program.
enum SealedProgram {
  static let passphrase = "six words that nobody ever guessed"

  /// Seals a journal with the program, and configures the program to open it without a person.
  static func seal(_ journal: String, _ program: Program, _ extra: [String: String] = [:]) throws {
    let exports = extra.map { "export \($0.key)='\($0.value)'; " }.sorted().joined()
    let result = try program.shell(
      "\(exports)DAYBOOK_PASSPHRASE_FD=3 daybook --journal '\(journal)' seal 3<<<'\(passphrase)'")
    try #require(result.code == 0, "\(result.errors)")
    try configure(program)
  }

  /// Makes an empty sealed journal that the program opens without a person; its passphrase is derived
  /// without effort.
  static func make(_ journal: String, _ program: Program) throws {
    _ = try JournalLocation(path: journal, isExplicit: true).open(mode: .create)
    try sealLightly(journal, program)
  }

  /// Seals a journal, and configures the program to open it.
  static func sealLightly(_ journal: String, _ program: Program) throws {
    try sealLightly(journal)
    try configure(program)
  }

  /// Seals a journal in this process, with a passphrase that is derived without effort: what opens it
  /// many times takes no half a second each time.
  static func sealLightly(_ journal: String) throws {
    let key = try JournalKey.random()
    let slots = try KeySlots(
      key: key, passphrase: Passphrase(Array(passphrase.utf8)), recovery: nil,
      cost: DerivationCost(passes: 1, memory: 8192))
    try Sealing(JournalLocation(path: journal, isExplicit: true)).seal(with: key, slots: slots)
  }

  /// Configures the program with a command that prints the passphrase.
  static func configure(_ program: Program) throws {
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("[seal]\npassphrase_command = \"echo '\(passphrase)'\"\n".utf8)
      .write(to: directory.appending(path: "config.toml"))
  }

  /// Lets this process open a journal.
  static func register(_ journal: String) throws {
    let location = JournalLocation(path: journal, isExplicit: true)
    let header = try #require(try Sealing.header(of: location))
    try header.wrappedKey.key(passphrase: Passphrase(Array(passphrase.utf8))).register()
  }

  /// Forgets the key in the keyring.
  static func lock(_ journal: String) throws {
    let location = JournalLocation(path: journal, isExplicit: true)
    if let header = try Sealing.header(of: location) {
      JournalKey.removeFromKeyring(id: header.id)
    }
  }
}

import Files
import Glibc
import Journal
import JournalStore
import Screen
import Seal

/// Gets the key of a sealed journal before the journal is opened.
///
/// In this order: a key that this process has, the user's keyring, the descriptor of
/// `DAYBOOK_PASSPHRASE_FD`, the command of `seal.passphrase_command`, a person. A passphrase is never
/// an argument or an environment variable, which other processes can read.
struct Unlocking {
  let settings: Settings
  /// How to ask a person; `nil` where there is none.
  private let asking: () -> SecretAsking?
  /// The list of keys that is compared and extended.
  private let known: KnownKeys?

  /// The person gave up.
  struct Cancelled: Error {}

  /// How often a person is asked.
  private static let attempts = 3

  /// The longest time that the command of `seal.passphrase_command` has, in seconds: it may ask a
  /// person.
  private let commandTime: Int

  init(
    _ settings: Settings, known: KnownKeys? = .ofUser, commandTime: Int = 60,
    asking: @escaping () -> SecretAsking?
  ) {
    self.settings = settings
    self.known = known
    self.commandTime = commandTime
    self.asking = asking
  }

  /// Unlocking for a command in a shell.
  static var inShell: Unlocking {
    Unlocking(Configuration.ofUser.settings) {
      TerminalQuestion.isPossible ? TerminalQuestion.ask : nil
    }
  }

  /// Asks a person once.
  ///
  /// - Throws: ``Failure`` 77 where there is none; ``Cancelled``.
  func answer(to question: SecretQuestion) throws -> Passphrase {
    guard let ask = asking() else {
      throw Failure(
        .noPermission, "a passphrase is needed, and there is no terminal to ask at")
    }
    guard let answer = try ask(question) else { throw Cancelled() }
    return answer
  }

  /// Registers the key of a file, if it is a sealed journal that is locked.
  ///
  /// - Parameter evenReadable: whether the file is only read or replaced, so that a readable one is taken
  ///   where a sealed journal was.
  /// - Returns: the header of a sealed journal.
  /// - Throws: `StoreError` ``StoreError/Kind/locked`` when nobody can be asked, and
  ///   ``StoreError/Kind/wrongPassphrase``; ``Cancelled``; the failure of
  ///   ``KnownKeys/replacement(of:)``.
  @discardableResult
  func unlock(_ location: JournalLocation, evenReadable: Bool = false) throws -> SealedHeader? {
    guard let header = try Self.header(location) else {
      if !evenReadable, let failure = known?.replacement(of: location) { throw failure }
      return nil
    }
    defer { if let key = header.key { known?.remember(key, of: location) } }
    guard header.key == nil, !Self.takeFromKeyring(header, location) else { return header }
    let key: JournalKey
    do {
      key = try self.key(of: header, at: location)
    } catch let error as StoreError where error.kind == .replaced {
      // It was unsealed, or another file is there, while a person was asked.
      return try unlock(location, evenReadable: evenReadable)
    }
    Self.register(key)
    // Without a keyring every command asks again; the journal is open all the same.
    if settings.sealKeep > 0 { try? key.storeInKeyring(seconds: settings.sealKeep) }
    return header
  }

  /// Whether a person must be asked before a journal can be opened.
  func needsPerson(for location: JournalLocation) throws -> Bool {
    try settings.passphraseCommand == nil && LockedEntries.lockedHeader(location) != nil
  }

  /// The header of a sealed journal; `nil` also when there is no file yet.
  static func header(_ location: JournalLocation) throws -> SealedHeader? {
    do {
      return try Sealing.header(of: location)
    } catch let error as StoreError where error.kind == .missing {
      return nil
    }
  }

  /// Registers the key from the user's keyring, if there is one.
  static func takeFromKeyring(_ header: SealedHeader, _ location: JournalLocation) -> Bool {
    guard let key = try? JournalKey.inKeyring(for: header.id),
      Sealing.isKey(key, of: location)
    else { return false }
    register(key)
    return true
  }

  /// Lets this process open the journal of a key.
  static func register(_ key: JournalKey) {
    // Afterwards the system hides what this process was started with.
    _ = SubProcess.environment
    key.register()
  }

  /// Derives the key from a passphrase, or from a recovery key if `isRecovery`.
  ///
  /// A wrong passphrase costs a second more each time.
  ///
  /// - Throws: `StoreError`; ``Cancelled``.
  func key(
    of header: SealedHeader, at location: JournalLocation, isRecovery: Bool = false
  ) throws -> JournalKey {
    let (wrapped, path) = (header.wrappedKey, location.path)
    if !isRecovery, let passphrase = try Self.fromDescriptor() {
      return try Self.givenKey(passphrase, wrapped, path, "\(Self.variable): ")
    }
    if !isRecovery, let passphrase = try fromCommand() {
      return try Self.givenKey(passphrase, wrapped, path, "seal.passphrase_command: ")
    }
    let isKnown = known?.trust(header, of: location) ?? .usable == .usable
    let question = SecretQuestion(
      title: "\(Directory.name(of: path)) is sealed",
      lines: isKnown ? [] : [KnownKeys.warning],
      label: isRecovery ? "Recovery key" : "Passphrase")
    return try askedKey(question, orElse: StoreError.locked(at: path)) { answer in
      // Its passphrase may have been changed since.
      guard let present = try Self.header(location), present.id == header.id else {
        throw StoreError(.replaced, at: path, "the file was replaced")
      }
      return try isRecovery
        ? Self.key(recovery: answer, present.wrappedKey, path)
        : Self.key(answer, present.wrappedKey, path)
    }
  }

  /// Derives the key of a sealed repository from its passphrase, which may be another one than the
  /// journal's, or from its recovery key.
  ///
  /// - Throws: `StoreError`; ``Cancelled``.
  func key(ofRepository wrapped: WrappedKey, named name: String) throws -> JournalKey {
    let name = Sanitizing.line(name)
    if let passphrase = try Self.fromDescriptor() ?? fromCommand() {
      do {
        return try Self.givenKey(passphrase, wrapped, name, "")
      } catch let error as StoreError where error.kind == .wrongPassphrase && asking() != nil {}
    }
    let question = SecretQuestion(
      title: "\(name) is sealed", label: "Passphrase of the repository")
    let failure = Failure(
      .noPermission,
      "\(name): the repository is sealed, and nobody can be asked for its passphrase; set"
        + " \(Self.variable)")
    return try askedKey(question, orElse: failure) { answer in
      let isRecovery = RecoveryKey(String(decoding: answer.bytes, as: UTF8.self)) != nil
      return try isRecovery
        ? Self.key(recovery: answer, wrapped, name) : Self.key(answer, wrapped, name)
    }
  }

  /// Asks a person until `key` takes the answer.
  ///
  /// - Throws: `failure` where there is nobody; the errors of `key` after the last attempt;
  ///   ``Cancelled``.
  private func askedKey(
    _ question: SecretQuestion, orElse failure: any Error,
    _ key: (Passphrase) throws -> JournalKey
  ) throws -> JournalKey {
    guard let ask = asking() else { throw failure }
    var question = question
    for attempt in 1...Self.attempts {
      guard let answer = try ask(question) else { throw Cancelled() }
      do {
        return try key(answer)
      } catch let error as StoreError where error.kind == .wrongPassphrase {
        sleep(UInt32(attempt))
        if attempt == Self.attempts { throw error }
        question.problem = "That is not the \(question.label.lowercased())."
      }
    }
    throw Cancelled()
  }

  private static func key(
    _ passphrase: Passphrase, _ wrapped: WrappedKey, _ path: String
  ) throws -> JournalKey {
    do {
      return try wrapped.key(passphrase: passphrase)
    } catch {
      throw StoreError(error, at: path)
    }
  }

  /// The key from a passphrase that no person typed.
  private static func givenKey(
    _ passphrase: Passphrase, _ wrapped: WrappedKey, _ path: String, _ source: String
  ) throws -> JournalKey {
    do {
      return try key(passphrase, wrapped, path)
    } catch var error as StoreError where error.kind == .wrongPassphrase {
      // As slow to guess as at the terminal.
      sleep(1)
      error.fault = "\(source)\(error.fault)"
      throw error
    }
  }

  private static func key(
    recovery typed: Passphrase, _ wrapped: WrappedKey, _ path: String
  ) throws -> JournalKey {
    guard let recovery = RecoveryKey(String(decoding: typed.bytes, as: UTF8.self)) else {
      throw StoreError(
        .wrongPassphrase, at: path, "a recovery key has nine groups of four letters and digits")
    }
    do {
      return try wrapped.key(recovery: recovery)
    } catch {
      throw StoreError(error, at: path)
    }
  }
}

// MARK: - Without a person

extension Unlocking {
  /// The variable with the number of a descriptor from which a passphrase is read.
  static let variable = "DAYBOOK_PASSPHRASE_FD"
  /// The same for the new one of `passphrase`.
  static let newVariable = "DAYBOOK_NEW_PASSPHRASE_FD"

  /// The passphrase from the descriptor in a variable: its bytes up to a line feed.
  ///
  /// - Throws: ``Failure`` 64 for a variable that is not a descriptor of this process.
  static func fromDescriptor(_ variable: String = variable) throws(Failure) -> Passphrase? {
    try given.passphrase(variable)
  }

  private static let given = GivenPassphrases()

  /// A new passphrase that nobody has to type: from a descriptor, or where nobody can be asked, from
  /// the command.
  func given(_ variable: String) throws(Failure) -> Passphrase? {
    if let given = try Self.fromDescriptor(variable) { return given }
    return asking() == nil && variable == Self.variable ? try fromCommand() : nil
  }

  /// The first line that the command of `seal.passphrase_command` prints.
  ///
  /// - Throws: ``Failure`` when it fails, or does not end.
  private func fromCommand() throws(Failure) -> Passphrase? {
    guard let command = settings.passphraseCommand else { return nil }
    guard let output = try SubProcess.output(of: command, seconds: commandTime) else {
      throw Failure(
        .noPermission,
        "seal.passphrase_command did not end within "
          + Numbers.counted(commandTime, "second", "seconds") + "; the journal stays locked")
    }
    guard output.code == 0 else {
      throw Failure(
        .noPermission, "seal.passphrase_command ended with \(output.code); the journal stays locked"
      )
    }
    return Passphrase(Self.firstLine(output.bytes))
  }

  fileprivate static func firstLine(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(Passphrase.longestRead))
  }
}

/// The passphrases that were read from descriptors, for all journals of this process: a pipe has them
/// only once.
private final class GivenPassphrases: @unchecked Sendable {
  // Only the main thread unlocks journals.
  private var known: [String: Passphrase] = [:]

  func passphrase(_ variable: String) throws(Failure) -> Passphrase? {
    if let passphrase = known[variable] { return passphrase }
    guard let value = Places.variable(variable) else { return nil }
    guard let descriptor = Int32(value), fcntl(descriptor, F_GETFD) >= 0 else {
      throw Failure(.usage, "\(variable): \(value) is not an open descriptor")
    }
    let bytes = try Descriptor.readAll(descriptor, limit: 1 << 20).whole(variable)
    close(descriptor)
    unsetenv(variable)
    let passphrase = Passphrase(Unlocking.firstLine(bytes))
    known[variable] = passphrase
    return passphrase
  }
}

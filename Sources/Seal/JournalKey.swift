import CSeal
import Glibc

/// The key of a sealed journal, in memory that is locked and never dumped.
package final class JournalKey: @unchecked Sendable {
  // The C value is immutable and counts its references atomically.
  private let pointer: OpaquePointer

  private init(owning pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { daybook_seal_key_release(pointer) }

  /// Makes a random key for a new journal.
  ///
  /// - Throws: ``SealError`` when libsodium is missing or memory is exhausted.
  package static func random() throws(SealError) -> JournalKey {
    try SealError.load()
    guard let pointer = daybook_seal_key_new() else { throw .outOfMemory }
    return JournalKey(owning: pointer)
  }

  /// Unwraps a key.
  ///
  /// - Throws: ``SealError/wrongSecret`` for another passphrase or recovery key.
  init(slot: [UInt8], id: [UInt8], secret: [UInt8]) throws(SealError) {
    var unwrapped: OpaquePointer?
    try SealError.check(daybook_seal_slot_unwrap(slot, id, secret, secret.count, &unwrapped))
    guard let unwrapped else { throw .outOfMemory }
    pointer = unwrapped
  }

  /// The key that the user's keyring has for a journal.
  ///
  /// - Returns: `nil` without one.
  /// - Throws: ``SealError`` when libsodium is missing.
  package static func inKeyring(for id: [UInt8]) throws(SealError) -> JournalKey? {
    try SealError.load()
    var bytes = [UInt8](repeating: 0, count: Int(DAYBOOK_SEAL_KEY_BYTES))
    defer { daybook_seal_wipe(&bytes, bytes.count) }
    guard daybook_keyring_load(id, &bytes) == 0,
      let pointer = daybook_seal_key_from(bytes, id)
    else { return nil }
    return JournalKey(owning: pointer)
  }

  /// Keeps the key in the user's keyring, until the user's last session ends, or earlier.
  ///
  /// - Parameter seconds: the time limit; `nil` for none.
  /// - Throws: ``SealError/noKeyring(_:)``.
  package func storeInKeyring(seconds: UInt32?) throws(SealError) {
    let code = daybook_keyring_store(
      daybook_seal_key_id(pointer), daybook_seal_key_bytes(pointer), seconds ?? 0)
    guard code == 0 else { throw .noKeyring(code) }
  }

  /// Removes a journal's key from the user's keyring.
  ///
  /// - Returns: whether nothing is left.
  @discardableResult
  package static func removeFromKeyring(id: [UInt8]) -> Bool { daybook_keyring_forget(id) == 0 }

  /// The journal's id: 16 bytes.
  package var id: [UInt8] { bytes(daybook_seal_key_id(pointer), Int(DAYBOOK_SEAL_ID_BYTES)) }

  private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// Runs `body` with the C value.
  package func withPointer<Value, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body(pointer)
  }
}

// MARK: - Other keys

extension JournalKey {
  private static let wrapping = "key of another journal"

  /// This key and its id, sealed with another key.
  package func wrapped(with other: JournalKey) throws(SealError) -> [UInt8] {
    var bytes = idAndKey
    defer { daybook_seal_wipe(&bytes, bytes.count) }
    return try other.seal(bytes, purpose: Self.wrapping)
  }

  /// Opens a key that ``wrapped(with:)`` sealed.
  ///
  /// - Throws: ``SealError/forged`` with another key.
  package convenience init(_ wrapped: [UInt8], with other: JournalKey) throws(SealError) {
    var bytes = try other.open(wrapped, purpose: Self.wrapping)
    defer { daybook_seal_wipe(&bytes, bytes.count) }
    guard bytes.count == Self.idAndKeySize else { throw .forged }
    guard let pointer = Self.pointer(bytes) else { throw .outOfMemory }
    self.init(owning: pointer)
  }

  private static let idAndKeySize = Int(DAYBOOK_SEAL_ID_BYTES) + Int(DAYBOOK_SEAL_KEY_BYTES)

  /// The id, and the secret bytes after it.
  private var idAndKey: [UInt8] {
    id + bytes(daybook_seal_key_bytes(pointer), Int(DAYBOOK_SEAL_KEY_BYTES))
  }

  private static func pointer(_ idAndKey: [UInt8]) -> OpaquePointer? {
    idAndKey.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { daybook_seal_key_from($0 + Int(DAYBOOK_SEAL_ID_BYTES), $0) }
    }
  }
}

// MARK: - Child processes

extension JournalKey {
  /// Writes the key and its id, 48 bytes, into a pipe for a child process.
  ///
  /// - Returns: whether it was written.
  package func send(to pipe: Int32) -> Bool {
    var bytes = idAndKey
    defer { daybook_seal_wipe(&bytes, bytes.count) }
    return write(pipe, bytes, bytes.count) == bytes.count
  }

  /// Reads the key that ``send(to:)`` wrote.
  ///
  /// - Returns: `nil` when the pipe has none.
  /// - Throws: ``SealError`` when libsodium is missing.
  package static func received(from pipe: Int32) throws(SealError) -> JournalKey? {
    try SealError.load()
    var bytes = [UInt8](repeating: 0, count: idAndKeySize)
    defer { daybook_seal_wipe(&bytes, bytes.count) }
    guard read(pipe, &bytes, bytes.count) == bytes.count else { return nil }
    return pointer(bytes).map(JournalKey.init(owning:))
  }
}

// MARK: - This process

extension JournalKey {
  /// Lets this process open its journal, and forbids core dumps from now on.
  package func register() {
    daybook_seal_forbid_core_dumps()
    daybook_seal_key_register(pointer)
  }

  /// Closes a journal for this process; files that are open stay so.
  package static func forget(id: [UInt8]) { daybook_seal_key_forget(id) }

  /// The registered key of a journal.
  package static func registered(for id: [UInt8]) -> JournalKey? {
    daybook_seal_key_find(id).map(JournalKey.init(owning:))
  }
}

// MARK: - Messages

extension JournalKey {
  /// Seals bytes; the result has 40 more.
  ///
  /// - Parameter purpose: what the bytes are. They are opened only for the same purpose.
  package func seal(_ bytes: [UInt8], purpose: String) throws(SealError) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: bytes.count + Int(DAYBOOK_SEAL_EXTRA_BYTES))
    try SealError.check(daybook_seal_message(pointer, purpose, bytes, bytes.count, &sealed))
    return sealed
  }

  /// Seals bytes so that equal bytes of one purpose are equal when sealed, and nothing else shows; the
  /// result has 40 more.
  ///
  /// - Parameter purpose: what the bytes are. They are opened only for the same purpose.
  package func sealRepeatably(_ bytes: [UInt8], purpose: String) throws(SealError) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: bytes.count + Int(DAYBOOK_SEAL_EXTRA_BYTES))
    try SealError.check(
      daybook_seal_message_repeatable(pointer, purpose, bytes, bytes.count, &sealed))
    return sealed
  }

  /// Opens sealed bytes.
  ///
  /// - Throws: ``SealError/forged`` when a byte was changed, or the purpose is another one.
  package func open(_ sealed: [UInt8], purpose: String) throws(SealError) -> [UInt8] {
    guard sealed.count >= Int(DAYBOOK_SEAL_EXTRA_BYTES) else { throw .forged }
    var bytes = [UInt8](repeating: 0, count: sealed.count - Int(DAYBOOK_SEAL_EXTRA_BYTES))
    guard
      daybook_seal_message_open(pointer, purpose, sealed, sealed.count, &bytes) == DAYBOOK_SEAL_OK
    else { throw .forged }
    return bytes
  }

  /// A name of 32 bytes that shows nothing of `bytes`; equal bytes have equal names.
  package func name(of bytes: [UInt8], purpose: String) -> [UInt8] {
    var name = [UInt8](repeating: 0, count: 32)
    daybook_seal_name(pointer, purpose, bytes, bytes.count, &name)
    return name
  }

  /// Opens bytes that ``BoxKey/box(_:)`` sealed.
  ///
  /// - Throws: ``SealError/forged`` when a byte was changed, or for another journal's.
  package func openBox(_ sealed: [UInt8]) throws(SealError) -> [UInt8] {
    guard sealed.count >= Int(DAYBOOK_SEAL_BOX_EXTRA_BYTES) else { throw .forged }
    var bytes = [UInt8](repeating: 0, count: sealed.count - Int(DAYBOOK_SEAL_BOX_EXTRA_BYTES))
    guard daybook_seal_box_open(pointer, sealed, sealed.count, &bytes) == DAYBOOK_SEAL_OK else {
      throw .forged
    }
    return bytes
  }
}

/// Why something could not be sealed or opened.
package enum SealError: Error, Hashable, Sendable {
  /// The passphrase or recovery key is another one.
  case wrongSecret
  /// Bytes were changed, or belong to another journal or purpose.
  case forged
  /// Both copies of the header are damaged.
  case noHeader
  /// libsodium cannot be used; the reason.
  case noLibrary(String)
  /// The system has no keyring for this process; the error number.
  case noKeyring(Int32)
  /// A system call failed; the error number.
  case system(Int32)
  /// Memory is exhausted: the derivation of a key needs 256 MiB.
  case outOfMemory

  /// Loads libsodium.
  static func load() throws(SealError) {
    var reason = [CChar](repeating: 0, count: 256)
    guard daybook_seal_load(&reason, reason.count) == 0 else {
      throw .noLibrary(
        String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
  }

  /// - Throws: the error of a result code.
  static func check(_ result: Int32) throws(SealError) {
    switch Int(result) {
    case Int(DAYBOOK_SEAL_OK): return
    case Int(DAYBOOK_SEAL_FORGED): throw .wrongSecret
    case Int(DAYBOOK_SEAL_NO_HEADER): throw .noHeader
    case Int(DAYBOOK_SEAL_MEMORY): throw .outOfMemory
    default: throw .system(errno)
    }
  }
}

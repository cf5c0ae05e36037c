import CSeal
import Glibc

/// The readable header of a sealed journal: its id, its public key, and the slots from which
/// passphrases unwrap its key.
///
/// The manual's chapter on sealed journals describes its bytes.
package struct SealedHeader: Hashable, Sendable {
  /// The number of bytes before the first page.
  package static let size = Int(DAYBOOK_SEAL_HEADER_BYTES)

  /// The journal's id, 16 random bytes.
  ///
  /// A backup has the same.
  package let id: [UInt8]
  /// The number of the last commit.
  package let generation: UInt64
  /// Whether nothing was written into the journal yet.
  package let isEmpty: Bool
  /// The public key that the file names, which anybody who can write the file can replace.
  package let boxKey: BoxKey
  /// The slots, each of 128 bytes.
  package private(set) var slots: [[UInt8]]

  /// Whether a file begins like a sealed journal, by either copy of the header.
  ///
  /// - Parameter bytes: the first ``size`` bytes of the file; fewer show the first copy only.
  package static func isSealed(_ bytes: [UInt8]) -> Bool {
    daybook_seal_is_sealed(bytes, bytes.count) != 0
  }

  /// Parses the first bytes of a file.
  ///
  /// - Throws: ``SealError/noHeader`` when both copies are damaged.
  package init(_ bytes: [UInt8]) throws(SealError) {
    try SealError.load()
    var header = daybook_seal_header()
    try SealError.check(daybook_seal_header_parse(bytes, bytes.count, &header))
    id = withUnsafeBytes(of: header.id) { Array($0) }
    boxKey = BoxKey(withUnsafeBytes(of: header.public_key) { Array($0) })
    generation = header.generation
    isEmpty = header.pages == 0
    slots = withUnsafeBytes(of: header.slots) { all in
      stride(from: 0, to: all.count, by: Self.slotSize).map {
        Array(all[$0..<($0 + Self.slotSize)])
      }
    }
  }

  private static let slotSize = Int(DAYBOOK_SEAL_SLOT_BYTES)

  /// Reads the header of an open file.
  ///
  /// - Returns: `nil` for a file that is not sealed.
  /// - Throws: ``SealError``.
  package init?(descriptor: Int32) throws(SealError) {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .system(errno) }
    bytes.removeLast(bytes.count - count)
    guard Self.isSealed(bytes) else { return nil }
    try self.init(bytes)
  }

  /// The registered key, with which this process opens the journal.
  package var key: JournalKey? { JournalKey.registered(for: id) }
}

// MARK: - Unlocking

extension SealedHeader {
  /// The journal's key, wrapped in the header's slots.
  package var wrappedKey: WrappedKey { WrappedKey(id: id, slots: KeySlots(self)) }
}

/// The public key of a sealed journal, to which bytes are sealed without a passphrase.
package struct BoxKey: Hashable, Sendable {
  /// The 32 bytes.
  package let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A key that was kept.
  ///
  /// - Returns: `nil` for another length.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Int(DAYBOOK_SEAL_PUBLIC_KEY_BYTES) else { return nil }
    self.bytes = bytes
  }

  /// Seals bytes so that only the journal's key opens them.
  ///
  /// - Throws: ``SealError`` when the public key is damaged.
  package func box(_ bytes: [UInt8]) throws(SealError) -> [UInt8] {
    try SealError.load()
    var sealed = [UInt8](repeating: 0, count: bytes.count + Int(DAYBOOK_SEAL_BOX_EXTRA_BYTES))
    try SealError.check(daybook_seal_box(self.bytes, bytes, bytes.count, &sealed))
    return sealed
  }
}

extension JournalKey {
  /// The public key that belongs to it.
  package var boxKey: BoxKey {
    withPointer { pointer in
      BoxKey(
        Array(
          UnsafeBufferPointer(
            start: daybook_seal_key_public(pointer), count: Int(DAYBOOK_SEAL_PUBLIC_KEY_BYTES))))
    }
  }
}

// MARK: - Slots

/// The cost of guessing a passphrase: Argon2id's passes and its memory in bytes.
package struct DerivationCost: Hashable, Sendable {
  package var passes: UInt32
  package var memory: UInt64

  /// Three passes over 256 MiB, libsodium's "moderate" cost: about half a second.
  package static let usual = DerivationCost(passes: 3, memory: 256 << 20)

  package init(passes: UInt32, memory: UInt64) {
    self.passes = passes
    self.memory = memory
  }
}

/// The slots of a header that opens a key.
package struct KeySlots: Hashable, Sendable {
  /// All slots, empty ones included.
  package private(set) var bytes: [[UInt8]]

  /// Wraps a key for a passphrase and a recovery key.
  ///
  /// - Throws: ``SealError``.
  package init(
    key: JournalKey, passphrase: Passphrase, recovery: RecoveryKey?, cost: DerivationCost = .usual
  ) throws(SealError) {
    bytes = Array(
      repeating: [UInt8](repeating: 0, count: Int(DAYBOOK_SEAL_SLOT_BYTES)),
      count: Int(DAYBOOK_SEAL_SLOTS))
    bytes[0] = try Self.wrapped(key, passphrase, cost)
    guard let recovery else { return }
    var slot = bytes[1]
    let result = key.withPointer {
      daybook_seal_slot_wrap_recovery(&slot, $0, recovery.bytes, recovery.bytes.count)
    }
    try SealError.check(result)
    bytes[1] = slot
  }

  /// The slots of a header with another passphrase; the recovery key stays.
  ///
  /// - Throws: ``SealError``.
  package init(
    _ header: SealedHeader, key: JournalKey, newPassphrase passphrase: Passphrase,
    cost: DerivationCost = .usual
  ) throws(SealError) {
    bytes = header.slots
    for (index, slot) in bytes.enumerated() where Int(slot[0]) == DAYBOOK_SEAL_SLOT_PASSPHRASE {
      bytes[index] = [UInt8](repeating: 0, count: slot.count)
    }
    guard let free = bytes.firstIndex(where: { Int($0[0]) == DAYBOOK_SEAL_SLOT_EMPTY }) else {
      throw .noHeader
    }
    bytes[free] = try Self.wrapped(key, passphrase, cost)
  }

  /// The slots from elsewhere than a header; missing ones are empty.
  ///
  /// - Returns: `nil` for too many, or one of another length.
  package init?(bytes slots: [[UInt8]]) {
    let size = Int(DAYBOOK_SEAL_SLOT_BYTES)
    let count = Int(DAYBOOK_SEAL_SLOTS)
    guard slots.count <= count, slots.allSatisfy({ $0.count == size }) else { return nil }
    let empty = [UInt8](repeating: 0, count: size)
    bytes = slots + Array(repeating: empty, count: count - slots.count)
  }

  /// The slots that are not empty.
  package var used: [[UInt8]] { bytes.filter { Int($0[0]) != DAYBOOK_SEAL_SLOT_EMPTY } }

  /// The slots of a header, for a copy of its journal.
  package init(_ header: SealedHeader) { bytes = header.slots }

  private static func wrapped(
    _ key: JournalKey, _ passphrase: Passphrase, _ cost: DerivationCost
  ) throws(SealError) -> [UInt8] {
    var slot = [UInt8](repeating: 0, count: Int(DAYBOOK_SEAL_SLOT_BYTES))
    let composed = passphrase.composed
    // The form is wiped with its last use.
    defer { withExtendedLifetime(composed) {} }
    let result = key.withPointer { pointer in
      composed.bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          daybook_seal_slot_wrap_passphrase(
            &slot, pointer, $0.baseAddress, $0.count, cost.passes, cost.memory)
        }
      }
    }
    try SealError.check(result)
    return slot
  }
}

extension KeySlots {
  /// Writes the header of an empty journal into an empty file, and syncs it.
  ///
  /// - Throws: ``SealError/system(_:)``.
  package func create(in descriptor: Int32, key: JournalKey) throws(SealError) {
    try write { daybook_seal_header_create(descriptor, key.withPointer { $0 }, $0) }
  }

  /// Replaces the slots of a journal.
  ///
  /// The caller holds its lock, and no rollback journal is pending.
  ///
  /// - Throws: ``SealError``; one copy of the header is always intact.
  package func replace(in descriptor: Int32, key: JournalKey) throws(SealError) {
    try write { daybook_seal_header_write_slots(descriptor, key.withPointer { $0 }, $0) }
  }

  private func write(_ body: (UnsafePointer<UInt8>) -> Int32) throws(SealError) {
    let flat = bytes.flatMap(\.self)
    let result = flat.withUnsafeBufferPointer { $0.baseAddress.map(body) }
    guard let result else { throw .noHeader }
    try SealError.check(result)
  }
}

// MARK: - Unwrapping

/// A key that a passphrase or a recovery key opens.
package struct WrappedKey: Hashable, Sendable {
  /// The id of the journal whose key it is, 16 bytes.
  package let id: [UInt8]
  package let slots: KeySlots

  /// - Parameter id: 16 bytes.
  package init(id: [UInt8], slots: KeySlots) {
    precondition(id.count == Int(DAYBOOK_SEAL_ID_BYTES))
    (self.id, self.slots) = (id, slots)
  }

  /// Derives the key from a passphrase; takes about half a second and 256 MiB for each of its forms.
  ///
  /// - Throws: ``SealError/wrongSecret``.
  package func key(passphrase: Passphrase) throws(SealError) -> JournalKey {
    for form in passphrase.forms {
      do throws(SealError) {
        // The form is wiped with its last use.
        return try withExtendedLifetime(form) { () throws(SealError) in
          try key(DAYBOOK_SEAL_SLOT_PASSPHRASE, form.bytes)
        }
      } catch .wrongSecret {
        continue
      }
    }
    throw .wrongSecret
  }

  /// Opens the key with a recovery key.
  ///
  /// - Throws: ``SealError/wrongSecret``.
  package func key(recovery: RecoveryKey) throws(SealError) -> JournalKey {
    try key(DAYBOOK_SEAL_SLOT_RECOVERY, recovery.bytes)
  }

  private func key(_ kind: Int, _ secret: [UInt8]) throws(SealError) -> JournalKey {
    try SealError.load()
    for slot in slots.bytes where Int(slot[0]) == kind {
      do throws(SealError) {
        return try JournalKey(slot: slot, id: id, secret: secret)
      } catch .wrongSecret {
        continue
      }
    }
    throw .wrongSecret
  }
}

// MARK: - Verification

extension SealedHeader {
  /// Whether a key is the one of a journal, by the code in its header.
  ///
  /// - Parameter bytes: the first ``size`` bytes of its file.
  package static func isKey(_ key: JournalKey, of bytes: [UInt8]) -> Bool {
    key.withPointer { daybook_seal_header_verify(bytes, bytes.count, $0) == DAYBOOK_SEAL_OK }
  }

  /// The damage of a copy of the header, while the other one is enough to open the journal.
  package enum CopyProblem: Hashable, Sendable {
    /// Bytes were changed or torn.
    case damaged
    /// It is intact, and was written by somebody without the key.
    case forged
  }

  /// The problems of the two copies.
  ///
  /// - Parameter bytes: the first ``size`` bytes of the file, read while nobody writes it.
  /// - Returns: for each copy `nil` if it is authentic.
  package static func problems(of bytes: [UInt8], key: JournalKey) -> [CopyProblem?] {
    (0..<2).map { copy in
      let result = key.withPointer {
        daybook_seal_header_check(bytes, bytes.count, Int32(copy), $0)
      }
      return switch Int(result) {
      case Int(DAYBOOK_SEAL_OK): nil
      case Int(DAYBOOK_SEAL_FORGED): .forged
      default: .damaged
      }
    }
  }
}

import Glibc
import TestSupport
import Testing

@testable import Seal

/// The smallest cost that libsodium allows.
private let cost = DerivationCost(passes: 1, memory: 8192)

private func passphrase(_ text: String) -> Passphrase { Passphrase(Array(text.utf8)) }

/// A file with the header of an empty sealed journal.
private func headerFile(_ slots: KeySlots, _ key: JournalKey) throws -> Int32 {
  var template = Array("/tmp/daybook-seal-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  unlink(template)
  try slots.create(in: descriptor, key: key)
  return descriptor
}

@Suite("Keys of sealed journals")
struct KeyTests {
  @Test("passphrase and recovery key open the same key, others do not")
  func unlocking() throws {
    let key = try JournalKey.random()
    let recovery = try RecoveryKey.random()
    let slots = try KeySlots(
      key: key, passphrase: passphrase("päss"), recovery: recovery, cost: cost)
    let file = try headerFile(slots, key)
    defer { close(file) }
    let header = try #require(try SealedHeader(descriptor: file))
    #expect(header.id == key.id)
    #expect(header.isEmpty)
    let message = Array("diary".utf8)
    let sealed = try key.seal(message, purpose: "test")
    #expect(
      try header.wrappedKey.key(passphrase: passphrase("päss")).open(sealed, purpose: "test")
        == message)
    #expect(try header.wrappedKey.key(recovery: recovery).open(sealed, purpose: "test") == message)
    for wrong in ["pass", "päss ", "", "PÄSS"] {
      #expect(throws: SealError.wrongSecret) {
        try header.wrappedKey.key(passphrase: passphrase(wrong))
      }
    }
    #expect(throws: SealError.wrongSecret) {
      try header.wrappedKey.key(recovery: try RecoveryKey.random())
    }
  }

  @Test("a changed passphrase replaces the old one in both copies of the header, recovery stays")
  func change() throws {
    let key = try JournalKey.random()
    let recovery = try RecoveryKey.random()
    let slots = try KeySlots(
      key: key, passphrase: passphrase("old"), recovery: recovery, cost: cost)
    let file = try headerFile(slots, key)
    defer { close(file) }
    let header = try #require(try SealedHeader(descriptor: file))
    try KeySlots(header, key: key, newPassphrase: passphrase("new"), cost: cost)
      .replace(in: file, key: key)
    var bytes = [UInt8](repeating: 0, count: SealedHeader.size)
    #expect(pread(file, &bytes, bytes.count, 0) == bytes.count)
    for damaged in [0, 4096] {
      var copy = bytes
      copy[damaged + 100] ^= 1
      let half = try SealedHeader(copy)
      #expect(throws: SealError.wrongSecret) {
        try half.wrappedKey.key(passphrase: passphrase("old"))
      }
      #expect(try half.wrappedKey.key(passphrase: passphrase("new")).id == key.id)
      #expect(try half.wrappedKey.key(recovery: recovery).id == key.id)
    }
  }

  @Test("every changed bit of a header copy is noticed, and the other copy is taken")
  func damage() throws {
    let key = try JournalKey.random()
    let file = try headerFile(
      KeySlots(key: key, passphrase: passphrase("x"), recovery: nil, cost: cost), key)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: SealedHeader.size)
    #expect(pread(file, &bytes, bytes.count, 0) == bytes.count)
    let whole = try SealedHeader(bytes)
    for bit in 0..<(4096 * 8) {
      var copy = bytes
      copy[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try SealedHeader(copy) == whole)
      copy[4096 + bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: SealError.noHeader) { try SealedHeader(copy) }
    }
  }

  @Test("messages open for their purpose, their key and their bytes only")
  func messages() throws {
    let key = try JournalKey.random()
    for count in [0, 1, 40, 5000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let sealed = try key.seal(bytes, purpose: "draft")
      #expect(sealed.count == count + 40)
      #expect(try key.open(sealed, purpose: "draft") == bytes)
      #expect(throws: SealError.forged) { try key.open(sealed, purpose: "history") }
      #expect(throws: SealError.forged) {
        try JournalKey.random().open(sealed, purpose: "draft")
      }
      for place in stride(from: 0, to: sealed.count, by: 7) {
        var changed = sealed
        changed[place] ^= 4
        #expect(throws: SealError.forged) { try key.open(changed, purpose: "draft") }
      }
      #expect(throws: SealError.forged) { try key.open(Array(sealed.dropLast()), purpose: "draft") }
    }
    #expect(try key.seal([1], purpose: "x") != key.seal([1], purpose: "x"))
  }

  @Test("a key is wrapped with another one, and comes back through a pipe, too")
  func wrappedKeys() throws {
    let (key, other) = (try JournalKey.random(), try JournalKey.random())
    let wrapped = try key.wrapped(with: other)
    let sealed = try key.seal([1, 2, 3], purpose: "test")
    let opened = try JournalKey(wrapped, with: other)
    #expect(try opened.id == key.id && opened.open(sealed, purpose: "test") == [1, 2, 3])
    for wrong in [wrapped.dropLast(), wrapped[...] + [0], []] {
      #expect(throws: SealError.forged) { try JournalKey(Array(wrong), with: other) }
    }
    #expect(throws: SealError.forged) { try JournalKey(wrapped, with: key) }
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    #expect(key.send(to: ends[1]))
    close(ends[1])
    let received = try #require(try JournalKey.received(from: ends[0]))
    #expect(try received.id == key.id && received.open(sealed, purpose: "test") == [1, 2, 3])
    #expect(try JournalKey.received(from: ends[0]) == nil)
    close(ends[0])
  }

  @Test("messages that are sealed repeatably are equal for equal bytes, purposes and keys only")
  func repeatable() throws {
    let (key, other) = (try JournalKey.random(), try JournalKey.random())
    let bytes = Array("diary".utf8)
    let sealed = try key.sealRepeatably(bytes, purpose: "one")
    #expect(try key.sealRepeatably(bytes, purpose: "one") == sealed)
    #expect(try key.open(sealed, purpose: "one") == bytes)
    #expect(throws: SealError.forged) { try key.open(sealed, purpose: "two") }
    let others = [
      try key.sealRepeatably(bytes, purpose: "two"),
      try other.sealRepeatably(bytes, purpose: "one"),
      try key.sealRepeatably(bytes + [0], purpose: "one"), try key.seal(bytes, purpose: "one"),
    ]
    for message in others { #expect(message.prefix(24) != sealed.prefix(24)) }
  }

  @Test("a passphrase opens no slot that was taken into the header of another journal")
  func slotOfAnotherJournal() throws {
    let (key, other) = (try JournalKey.random(), try JournalKey.random())
    let slots = try KeySlots(key: key, passphrase: passphrase("one"), recovery: nil, cost: cost)
    #expect(
      try WrappedKey(id: key.id, slots: slots).key(passphrase: passphrase("one")).id == key.id)
    #expect(throws: SealError.wrongSecret) {
      try WrappedKey(id: other.id, slots: slots).key(passphrase: passphrase("one"))
    }
  }

  @Test("a slot that demands an excessive cost is refused at once", arguments: [4, 8])
  func excessiveCost(field: Int) throws {
    let key = try JournalKey.random()
    let slots = try KeySlots(key: key, passphrase: passphrase("p"), recovery: nil, cost: cost)
    var slot = slots.bytes[0]
    slot[field] = 0x40
    let wrapped = WrappedKey(id: key.id, slots: try #require(KeySlots(bytes: [slot])))
    let start = ContinuousClock.now
    #expect(throws: SealError.self) { try wrapped.key(passphrase: passphrase("p")) }
    #expect(start.duration(to: .now) < .seconds(5))
  }

  @Test("what is sealed to the public key, only the journal's key opens")
  func boxes() throws {
    let key = try JournalKey.random()
    let file = try headerFile(
      KeySlots(key: key, passphrase: passphrase("x"), recovery: nil, cost: cost), key)
    defer { close(file) }
    let header = try #require(try SealedHeader(descriptor: file))
    let bytes = Array("a quick thought".utf8)
    let sealed = try header.boxKey.box(bytes)
    #expect(try key.openBox(sealed) == bytes)
    #expect(throws: SealError.forged) { try JournalKey.random().openBox(sealed) }
    #expect(throws: SealError.forged) { try key.openBox(Array(sealed.dropFirst())) }
  }

  @Test("any number of keys is registered, and each is found until it is forgotten")
  func registry() throws {
    let keys = try (0..<200).map { _ in try JournalKey.random() }
    for key in keys { key.register() }
    for key in keys { #expect(JournalKey.registered(for: key.id)?.id == key.id) }
    for key in keys.prefix(100) { JournalKey.forget(id: key.id) }
    for (index, key) in keys.enumerated() {
      #expect((JournalKey.registered(for: key.id) == nil) == (index < 100))
    }
    for key in keys { JournalKey.forget(id: key.id) }
  }

  @Test("names are the same for the same bytes, and tell nothing across purposes and journals")
  func names() throws {
    let key = try JournalKey.random()
    let name = key.name(of: [1, 2, 3], purpose: "file")
    #expect(key.name(of: [1, 2, 3], purpose: "file") == name)
    #expect(key.name(of: [1, 2, 3], purpose: "tag") != name)
    #expect(key.name(of: [1, 2, 4], purpose: "file") != name)
    #expect(try JournalKey.random().name(of: [1, 2, 3], purpose: "file") != name)
  }

  @Test("the keyring keeps a key until its time is over or it is removed")
  func keyring() throws {
    let key = try JournalKey.random()
    guard (try? key.storeInKeyring(seconds: 1)) != nil else {
      // A container may forbid the system call; then nothing is kept.
      #expect(try JournalKey.inKeyring(for: key.id) == nil)
      return
    }
    let kept = try #require(try JournalKey.inKeyring(for: key.id))
    #expect(kept.name(of: [1], purpose: "") == key.name(of: [1], purpose: ""))
    #expect(try becomesTrue { try JournalKey.inKeyring(for: key.id) == nil })
    try key.storeInKeyring(seconds: nil)
    #expect(try JournalKey.inKeyring(for: key.id) != nil)
    #expect(JournalKey.removeFromKeyring(id: key.id))
    #expect(try JournalKey.inKeyring(for: key.id) == nil)
    #expect(JournalKey.removeFromKeyring(id: key.id))
  }
}

@Suite("Recovery keys")
struct RecoveryKeyTests {
  @Test("what is written down is read again, in any case and with usual confusions")
  func reading() throws {
    for _ in 0..<200 {
      let key = try RecoveryKey.random()
      let text = key.text
      #expect(text.split(separator: "-").map(\.count) == Array(repeating: 4, count: 9))
      #expect(RecoveryKey(text) == key)
      #expect(RecoveryKey(text.lowercased()) == key)
      #expect(RecoveryKey(text.replacing("-", with: " ").replacing("0", with: "o")) == key)
      #expect(RecoveryKey(" " + text.replacing("-", with: "").replacing("1", with: "l")) == key)
    }
  }

  @Test("one mistyped letter, two exchanged ones and another length are no key")
  func typing() throws {
    let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let text = Array(try RecoveryKey.random().text)
    for place in text.indices where text[place] != "-" {
      for letter in letters where letter != text[place] {
        var typed = text
        typed[place] = letter
        #expect(RecoveryKey(String(typed)) == nil)
      }
    }
    for place in text.indices.dropLast() where text[place] != "-" && text[place + 1] != "-" {
      guard text[place] != text[place + 1] else { continue }
      var typed = text
      typed.swapAt(place, place + 1)
      #expect(RecoveryKey(String(typed)) == nil)
    }
    #expect(RecoveryKey(String(text.dropLast())) == nil)
    #expect(RecoveryKey(String(text) + "0") == nil)
    #expect(RecoveryKey("") == nil)
    #expect(RecoveryKey("ü") == nil)
  }

  @Test(
    "an accent opens as one character or two, also a journal that was sealed with what was typed")
  func forms() throws {
    let (composed, decomposed) = ("p\u{E4}ss", "pa\u{308}ss")
    let key = try JournalKey.random()
    for typed in [composed, decomposed] {
      let slots = try KeySlots(key: key, passphrase: passphrase(typed), recovery: nil, cost: cost)
      for other in [composed, decomposed] {
        let wrapped = WrappedKey(id: key.id, slots: slots)
        #expect(try wrapped.key(passphrase: passphrase(other)).id == key.id)
      }
      let form = passphrase(typed).composed
      withExtendedLifetime(form) { #expect(form.bytes == Array(composed.utf8)) }
    }
    #expect(passphrase(composed).isSame(as: passphrase(decomposed)))
    #expect(!passphrase("p\u{E4}ss").isSame(as: passphrase("p\u{F6}ss")))
    // Earlier versions sealed with what was typed.
    func check(_ passphrase: Passphrase, _ expected: [[UInt8]]) {
      let forms = passphrase.forms
      withExtendedLifetime(forms) { #expect(forms.map(\.bytes) == expected) }
    }
    check(passphrase(composed), [composed, decomposed].map { Array($0.utf8) })
    check(passphrase(decomposed), [decomposed, composed].map { Array($0.utf8) })
    check(passphrase("plain"), [Array("plain".utf8)])
    check(Passphrase([0xFF, 0x80]), [[0xFF, 0x80]])
  }

  @Test("a passphrase of more than 1,024 bytes is too long, and opens what its first bytes sealed")
  func lengths() throws {
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: Passphrase.limit)
    #expect(!Passphrase(longest).isTooLong && Passphrase(longest + longest).isTooLong)
    #expect(passphrase(String(repeating: "a\u{308}", count: 400)).isTooLong)
    let key = try JournalKey.random()
    let slots = try KeySlots(key: key, passphrase: Passphrase(longest), recovery: nil, cost: cost)
    let wrapped = WrappedKey(id: key.id, slots: slots)
    #expect(try wrapped.key(passphrase: Passphrase(longest + [1])).id == key.id)
  }

  @Test(
    "a passphrase that is longer on a keyboard with separate accents opens what the other sealed")
  func longForms() throws {
    let key = try JournalKey.random()
    let composed = passphrase(String(repeating: "\u{E9}", count: Passphrase.limit / 2))
    #expect(!composed.isTooLong)
    let slots = try KeySlots(key: key, passphrase: composed, recovery: nil, cost: cost)
    let wrapped = WrappedKey(id: key.id, slots: slots)
    let decomposed = passphrase(String(repeating: "e\u{301}", count: Passphrase.limit / 2))
    #expect(decomposed.bytes.count > Passphrase.limit)
    #expect(try wrapped.key(passphrase: decomposed).id == key.id)
  }
}

import Foundation
import Journal
import JournalStore
import Seal
import Testing

@testable import daybook

/// The list of public keys: text for a locked journal is sealed to no other key.
@Suite("Known keys")
struct KnownKeysTests {
  private let place: SealedPlace
  private let location: JournalLocation
  private var known: KnownKeys { KnownKeys(in: place.state) }

  init() throws {
    place = try SealedPlace()
    location = JournalLocation(path: try place.journal(), isExplicit: true)
  }

  private var header: SealedHeader {
    get throws { try #require(try Sealing.header(of: location)) }
  }

  /// Puts a sealed journal with another key in place of the journal.
  private func exchange() throws -> JournalKey {
    let other = try JournalKey.random()
    other.register()
    let slots = try KeySlots(
      key: other, passphrase: Passphrase(Array("other".utf8)), recovery: nil,
      cost: DerivationCost(passes: 1, memory: 8192))
    try FileManager.default.removeItem(atPath: location.path)
    try Data().write(to: URL(filePath: location.path))
    let file = open(location.path, O_RDWR)
    defer { close(file) }
    try slots.create(in: file, key: other)
    return other
  }

  @Test("a journal that was never opened here, a copy of it, and the known one are usable")
  func usable() throws {
    #expect(try known.trust(header, of: location) == .usable)
    known.remember(place.key, of: location)
    #expect(try known.trust(header, of: location) == .usable)
    let copy = JournalLocation(path: place.disk + "/copy.sqlite", isExplicit: true)
    try FileManager.default.copyItem(atPath: location.path, toPath: copy.path)
    #expect(try known.trust(header, of: copy) == .usable)
    var status = stat()
    #expect(stat(place.state + "/sealed-keys", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("a file with another key gets no entry; a draft is sealed to the known key")
  func otherKey() throws {
    known.remember(place.key, of: location)
    let other = try exchange()
    defer { JournalKey.forget(id: other.id) }
    #expect(try known.trust(header, of: location) == .other(place.key.boxKey))
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    let new = NewEntry(text: "canary", created: moment, day: moment.localDay)
    let waiting = LockedEntries(try header, of: location, in: place.state)
    #expect(throws: Failure.self) { try waiting.add(new, to: location, known: known) }
    #expect(
      !FileManager.default.fileExists(
        atPath: "\(place.state)/locked/\(Hexadecimal.text(of: other.id))"))
    let key = try known.boxKey(header, of: location)
    let draft = try place.drafts(.locked(key)).keep(Array("canary".utf8), for: .newEntry)
    let bytes = try #require(DraftFile.read(draft.path, limit: 10_000))
    #expect((try? other.openBox(bytes)) == nil)
    #expect((try? place.key.openBox(bytes)) != nil)
    // The owner of the new journal opened it.
    known.remember(other, of: location)
    #expect(try waiting.add(new, to: location, known: known))
  }

  @Test("a readable file, or none, at the path of a sealed journal is told")
  func replaced() throws {
    #expect(known.replacement(of: location) == nil)
    known.remember(place.key, of: location)
    try FileManager.default.removeItem(atPath: location.path)
    #expect(known.replacement(of: location)?.message.contains("is gone") == true)
    try Data().write(to: URL(filePath: location.path))
    #expect(known.replacement(of: location)?.message.contains("is readable now") == true)
    let other = JournalLocation(path: place.disk + "/other.sqlite", isExplicit: true)
    #expect(known.replacement(of: other) == nil)
    known.forget(location)
    #expect(known.replacement(of: location) == nil)
  }

  @Test("while it is made readable, a readable file is expected, and the sealed one stays known")
  func leaving() throws {
    known.remember(place.key, of: location)
    let other = place.disk + "/was.sqlite"
    known.release(location)
    // Killed here, the sealed file is there, and no other key is taken for its own.
    #expect(try known.trust(header, of: location) == .usable)
    // Opening it makes it known as before.
    known.remember(place.key, of: location)
    #expect(known.boxKey(at: location) == place.key.boxKey)
    known.release(location)
    rename(location.path, other)
    try Data().write(to: URL(filePath: location.path))
    // Killed after the exchange, the readable file is the journal.
    #expect(known.replacement(of: location) == nil && known.boxKey(at: location) == nil)
    // It failed.
    known.keep(location)
    #expect(known.replacement(of: location) != nil && known.boxKey(at: location) != nil)
    rename(other, location.path)
    #expect(try known.trust(header, of: location) == .usable)
    known.forget(location)
    known.keep(location)
    #expect(known.boxKey(at: location) == nil)
  }

  @Test("a journal that was unsealed is forgotten; others stay, whatever their paths are")
  func forgotten() throws {
    let others = ["/a b/c.sqlite", "/x\ny.sqlite", "/\u{E9}.sqlite"].map {
      JournalLocation(path: $0, isExplicit: true)
    }
    for other in others { known.remember(try JournalKey.random(), of: other) }
    known.remember(place.key, of: location)
    known.forget(location)
    #expect(try known.trust(header, of: location) == .usable)
    for other in others { #expect(try known.trust(header, of: other) != .usable) }
  }
}

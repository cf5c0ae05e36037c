import TestSupport
import Testing

@testable import Journal

@Suite("EntryUUID")
struct EntryUUIDTests {
  @Test("an identity is a UUID of version 7 with the time in front")
  func version7() throws {
    let uuid = EntryUUID.make(atMilliseconds: 0x0189_0a5d_ac96, random: { .max })
    #expect(uuid == "01890a5d-ac96-7fff-9fff-ffffffffffff")
    #expect(EntryUUID.isValid(uuid))
  }

  @Test("identities of one millisecond rise in the order they were made, and differ")
  func monotonic() {
    var generator = EntryUUIDGenerator()
    var random = SeededGenerator(seed: 1)
    var last = ""
    for index in 0..<20_000 {
      let now = 1_700_000_000_000 + Int64(index / 5000)
      let uuid = generator.next(
        atMilliseconds: now, random: (random.next(), random.next()))
      #expect(last.utf8.lexicographicallyPrecedes(uuid.utf8))
      #expect(EntryUUID.isValid(uuid))
      last = uuid
    }
  }

  @Test("they rise even with the largest steps from the largest start")
  func monotonicAtTheEdge() {
    var generator = EntryUUIDGenerator()
    var last = ""
    for index in 0..<2000 {
      let start: (UInt64, UInt64) = index == 0 ? (0, .max) : (.max, .max)
      let uuid = generator.next(atMilliseconds: 5, random: start)
      #expect(last.utf8.lexicographicallyPrecedes(uuid.utf8))
      last = uuid
    }
  }

  @Test("identities made on many threads at once are all different")
  func concurrent() async {
    let all = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<500).map { _ in EntryUUID.make(atMilliseconds: 77) } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(all).count == 4000)
  }

  @Test("an entry of the present second has the clock's milliseconds, another one none")
  func second() throws {
    func milliseconds(_ uuid: String) -> Int64? {
      Int64(uuid.filter { $0 != "-" }.prefix(12), radix: 16)
    }
    let present: Int64 = 1_700_000_000_457
    let now = EntryUUID.make(atSecond: 1_700_000_000, present: present)
    #expect(milliseconds(now) == present)
    for second in [1_699_999_999, 1_700_000_001, 0] as [Int64] {
      #expect(milliseconds(EntryUUID.make(atSecond: second, present: present)) == second * 1000)
    }
  }

  @Test("without a time it is the computer's")
  func present() throws {
    let before = EntryUUID.presentMilliseconds()
    let uuid = EntryUUID.make()
    let time = try #require(Int64(uuid.filter { $0 != "-" }.prefix(12), radix: 16))
    #expect((before...EntryUUID.presentMilliseconds()).contains(time))
  }

  @Test("a derived identity is always the same, and is the documented hash")
  func derived() throws {
    let created = try moment("2026-11-21T09:15:00+01:00")
    // printf 'daybook entry 1795248900\nBought bread #home' | sha256sum
    let uuid = EntryUUID.derived(text: "Bought bread #home", created: created)
    #expect(uuid == "52d6e528-646d-87d5-aad5-ba56f5063490")
    #expect(EntryUUID.isValid(uuid))
    let elsewhere = Moment(seconds: created.seconds, offset: 0)
    #expect(EntryUUID.derived(text: "Bought bread #home", created: elsewhere) == uuid)
    #expect(EntryUUID.derived(text: "Bought bread #Home", created: created) != uuid)
    let later = Moment(seconds: created.seconds + 1, offset: 3600)
    #expect(EntryUUID.derived(text: "Bought bread #home", created: later) != uuid)
  }

  @Test("composed and decomposed texts are different texts")
  func derivedFromBytes() throws {
    let created = Moment(seconds: 0, offset: 0)
    #expect(
      EntryUUID.derived(text: "caf\u{e9}", created: created)
        != EntryUUID.derived(text: "cafe\u{301}", created: created))
  }

  @Test(
    "only the one form is valid",
    arguments: [
      "", "01890a5d-ac96-774b-bcce-b302099a805", "01890a5d-ac96-774b-bcce-b302099a80577",
      "01890A5D-ac96-774b-bcce-b302099a8057", "01890a5dac96774bbcceb302099a8057",
      "01890a5d-ac96-774b-bcce_b302099a8057", "g1890a5d-ac96-774b-bcce-b302099a8057",
    ])
  func invalid(text: String) {
    #expect(!EntryUUID.isValid(text))
  }

  @Test("other programs' forms are brought into ours")
  func canonical() {
    let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"
    #expect(EntryUUID.canonical(uuid) == uuid)
    #expect(EntryUUID.canonical("01890A5D-AC96-774B-BCCE-B302099A8057") == uuid)
    #expect(EntryUUID.canonical("01890A5DAC96774BBCCEB302099A8057") == uuid)
    #expect(EntryUUID.canonical("01890A5DAC96774BBCCEB302099A805") == nil)
    #expect(EntryUUID.canonical("not an identity at all, no, not it") == nil)
  }
}

@Suite("SHA-256")
struct SHA256Tests {
  private func hash(_ text: String, pieces: Int = 1) -> String {
    var hash = SHA256()
    let bytes = Array(text.utf8)
    let size = max(1, (bytes.count + pieces - 1) / pieces)
    for start in stride(from: 0, to: bytes.count, by: size) {
      hash.update(bytes[start..<min(start + size, bytes.count)])
    }
    return hash.finalize().map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  @Test("the examples of the standard come out")
  func examples() {
    #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test("the pieces it is fed in do not matter, at every length around a block")
  func pieces() {
    for length in 0...130 {
      let text = String(repeating: "x", count: length)
      #expect(hash(text) == hash(text, pieces: 7))
    }
  }
}

import Journal

/// The file that makes a repository a journal: `daybook.json`.
///
/// ```
/// {"format":"daybook-sync","version":1,"journal":"01890a5d-ac96-774b-bcce-b302099a8057"}
/// ```
///
/// That of a sealed repository has version 2 and a member `seal`: the `id` of its key and the `slots`
/// that wrap the key, in hexadecimal digits.
package struct SyncManifest: Hashable, Sendable {
  /// The newest format that this version of the program knows: that of sealed repositories.
  package static let version = 2
  /// The maximum size of the file, in bytes.
  static let sizeLimit = 64 << 10
  private static let format = "daybook-sync"

  /// The permanent identity of the journal, a uuid in lower case.
  package var journal: String

  /// How the key of a sealed repository is wrapped; `nil` for a readable one.
  package var seal: Seal?

  /// The key of a sealed repository, wrapped for a passphrase and a recovery key.
  package struct Seal: Hashable, Sendable {
    /// The id of the key, 16 bytes.
    package var id: [UInt8]
    /// The slots of a sealed journal's header that are not empty.
    package var slots: [[UInt8]]

    package init(id: [UInt8], slots: [[UInt8]]) {
      (self.id, self.slots) = (id, slots)
    }
  }

  package init(journal: String, seal: Seal? = nil) {
    (self.journal, self.seal) = (journal, seal)
  }

  /// The bytes of the file, which end with a line feed.
  package func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    var members = [
      JSONMember("format", .string(SyncManifest.format)),
      JSONMember("version", .number(seal == nil ? "1" : "2")),
      JSONMember("journal", .string(journal)),
    ]
    if let seal {
      let slots = seal.slots.map { JSONValue.string(Hexadecimal.text(of: $0)) }
      members.append(
        JSONMember(
          "seal",
          .object([
            JSONMember("id", .string(Hexadecimal.text(of: seal.id))),
            JSONMember("slots", .array(slots)),
          ])))
    }
    JSONValue.object(members).append(to: &bytes)
    return bytes + [UInt8(ascii: "\n")]
  }

  /// Reads the file; unknown members are ignored.
  ///
  /// - Throws: ``SyncTreeError/newerFormat(_:)``, or ``SyncTreeError/notAJournal(_:)``.
  package init(_ bytes: [UInt8]) throws(SyncTreeError) {
    guard bytes.count <= SyncManifest.sizeLimit else { throw .notAJournal("is too large") }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(bytes)
    } catch {
      throw .notAJournal("is not JSON: \(error)")
    }
    guard value["format"]?.string == SyncManifest.format else {
      throw .notAJournal("belongs to another program")
    }
    guard let version = value["version"]?.integer, version >= 1 else {
      throw .notAJournal("has no version")
    }
    guard version <= SyncManifest.version else { throw .newerFormat(version) }
    guard let journal = value["journal"]?.string, EntryUUID.isValid(journal) else {
      throw .notAJournal("has no uuid of a journal")
    }
    self.journal = journal
    if version == 2 { seal = try SyncManifest.seal(value["seal"]) }
  }

  private static func seal(_ value: JSONValue?) throws(SyncTreeError) -> Seal {
    func bytes(_ value: JSONValue?) -> [UInt8]? {
      value?.string.flatMap { Hexadecimal.bytes(of: $0.utf8) }
    }
    let slots = value?["slots"]?.array?.map(bytes)
    guard let id = bytes(value?["id"]), id.count == 16, let slots, !slots.contains(nil) else {
      throw .notAJournal("has no key")
    }
    return Seal(id: id, slots: slots.compactMap(\.self))
  }
}

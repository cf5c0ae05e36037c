import Journal

/// The file that makes a repository a journal: `daybook.json`.
///
/// ```
/// {"format":"daybook-sync","version":1,"journal":"01890a5d-ac96-774b-bcce-b302099a8057"}
/// ```
package struct SyncManifest: Hashable, Sendable {
  /// The format that this version of the program reads and writes.
  package static let version = 1
  /// The maximum size of the file, in bytes.
  static let sizeLimit = 64 << 10
  private static let format = "daybook-sync"

  /// The permanent identity of the journal, a uuid in lower case.
  package var journal: String

  package init(journal: String) {
    self.journal = journal
  }

  /// The bytes of the file, which end with a line feed.
  package func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    JSONValue.object([
      JSONMember("format", .string(SyncManifest.format)),
      JSONMember("version", .number(String(SyncManifest.version))),
      JSONMember("journal", .string(journal)),
    ]).append(to: &bytes)
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
  }
}

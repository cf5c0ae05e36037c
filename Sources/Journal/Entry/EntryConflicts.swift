/// The open conflicts of an entry: texts of other devices that lost against its own text when both
/// were edited.
///
/// The entry stores the hashes of the texts in ``Entry/conflicts``; the texts are among its versions.
/// A hash is the same on each device, so that entries can be compared between devices.
package enum EntryConflicts {
  /// The hash of a text: SHA-256 over its bytes, 64 digits in lower case.
  package static func hash(of text: String) -> String { SHA256.hex(of: text) }

  /// The stored value for a set of texts: their hashes, each once, sorted, separated by spaces.
  package static func stored(_ texts: some Sequence<String>) -> String {
    Set(texts.map(hash)).sorted().joined(separator: " ")
  }

  /// The hashes of a stored value.
  package static func hashes(_ stored: String) -> [String] {
    stored.split(separator: " ").map(String.init)
  }

  /// The value without the hashes of another one, and those of texts that somebody has seen.
  package static func unsettled(
    _ stored: String, knowing known: String = "", having texts: [String]
  ) -> String {
    let seen = Set(hashes(known) + texts.map(hash))
    return hashes(stored).filter { !seen.contains($0) }.joined(separator: " ")
  }

  /// Whether a value is one that ``stored(_:)`` can return.
  package static func isValid(_ stored: String) -> Bool {
    let hashes = hashes(stored)
    let isHex = hashes.allSatisfy { hash in
      hash.utf8.count == 64
        && hash.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
    return isHex && Set(hashes).sorted().joined(separator: " ") == stored
  }
}

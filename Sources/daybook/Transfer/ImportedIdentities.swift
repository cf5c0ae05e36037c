import Journal
import JournalFormats
import JournalStore

/// The identities of the entries of an import.
struct ImportedIdentities {
  /// How often an entry without an identity of its own occurred in the file.
  private var counts: [UUIDBits: Int32] = [:]
  /// The identities that entries of the import have, or had in an earlier build.
  private var taken: Set<UUIDBits> = []

  /// The names of the notes with an identity.
  private var notes: [UUIDBits: [String]] = [:]
  /// The checksums of the notes that came with a uuid.
  private var identified: [UUIDBits: Int64] = [:]
  private var part = ""
  private var file: String?

  /// Begins a file or directory.
  mutating func begin(_ name: String) {
    (part, file, counts) = (name, nil, [:])
  }

  /// The entry, and the identity that an earlier build gave it, unless an entry of this import has it.
  ///
  /// Equal entries of a file are as many as there are. Equal ones in two files are one, so that a
  /// copy of a file adds nothing, unless they are notes with different names.
  ///
  /// - Throws: ``FormatError`` at the place of the entry.
  mutating func entry(
    of imported: inout ImportedEntry, at place: ImportPlace
  ) throws(FormatError) -> (Entry, former: String?) {
    if place.file != file { (file, counts) = (place.file, [:]) }
    do throws(FormatError) {
      var entry = try imported.entry()
      if imported.isNote, imported.uuid != nil {
        let known = identified.updateValue(entry.checksum, forKey: UUIDBits(entry.uuid))
        // The copy of a note has its identity, too.
        if let known, known != entry.checksum {
          imported.uuid = nil
          imported.remarks.append(
            "note is a changed copy of another one, and is an entry of its own")
          entry = try imported.entry()
        }
      }
      guard imported.uuid == nil else { return (entry, nil) }
      let bits = UUIDBits(entry.uuid)
      let count = imported.isNote ? noteCount(bits) : counts[bits, default: 0] + 1
      counts[bits] = count
      if count > 1 { entry = try imported.entry(count: Int(count)) }
      taken.insert(UUIDBits(entry.uuid))
      let former = imported.formerUUID.flatMap { taken.contains(UUIDBits($0)) ? nil : $0 }
      return (entry, former)
    } catch var error {
      error.place = place
      throw error
    }
  }

  /// The number of notes with an identity and different names, up to this one.
  private mutating func noteCount(_ bits: UUIDBits) -> Int32 {
    let name = String((file ?? part).split(separator: "/").last ?? "")
    let known = notes[bits, default: []]
    if let index = known.firstIndex(of: name) { return Int32(index + 1) }
    notes[bits] = known + [name]
    return Int32(known.count + 1)
  }

  /// Gives a former identity to an entry, so that no other one of the import is taken for it.
  mutating func claim(_ former: String?) {
    if let former { taken.insert(UUIDBits(former)) }
  }
}

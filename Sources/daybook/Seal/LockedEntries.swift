import Files
import Glibc
import Journal
import JournalStore
import Screen
import Seal

/// Entries that were added while a sealed journal was locked.
///
/// Each is a file, sealed to the journal's public key: it can be written without a passphrase and
/// read only with the journal's key. The next store that opens the journal for writing takes them
/// in. An entry has its uuid from the beginning, so that taking it in twice adds it once.
struct LockedEntries {
  private let directory: String
  private let header: SealedHeader

  /// - Throws: ``Failure`` 73 when no directory for them is known.
  init(_ header: SealedHeader) throws(Failure) {
    self.init(header, in: try Places.state())
  }

  /// - Parameter state: the state directory.
  init(_ header: SealedHeader, in state: String) {
    let id = header.id.flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }.joined()
    directory = "\(state)/locked/\(id)"
    self.header = header
  }

  /// The header of a journal that an entry is added to without its key: sealed, and locked.
  ///
  /// With a passphrase at hand that nobody has to type, the journal is opened as usual.
  static func lockedHeader(_ location: JournalLocation, _ settings: Settings) throws
    -> SealedHeader?
  {
    guard Places.variable("DAYBOOK_PASSPHRASE_FD") == nil, settings.passphraseCommand == nil,
      let header = try Unlocking.header(location), header.key == nil,
      !Unlocking.takeFromKeyring(header, location)
    else { return nil }
    return header
  }

  /// Seals an entry.
  ///
  /// - Throws: ``Failure`` when it cannot be written; then there is no file.
  func add(_ new: NewEntry) throws {
    let sealed = try header.box(Self.bytes(of: new))
    try DraftFile.makeDirectory(directory)
    try DraftFile.write(sealed, to: "\(directory)/\(DraftName.make())-\(getpid())")
  }

  /// The most bytes of a file: the fields and the seal are short.
  private static let limit = TextInput.limit + 4096

  /// Adds the waiting entries to their journal, and removes their files.
  ///
  /// Entries that cannot be added keep waiting: the journal can be used all the same.
  ///
  /// - Returns: notes for the user.
  func takeIn(_ store: any EntryStore) -> [String] {
    guard let key = store.key, !store.isReadOnly else { return [] }
    var found: [(path: String, entry: NewEntry)] = []
    var notes: [String] = []
    // A name with `.new-` is that of a file that is still being written.
    for name in Directory.names(in: directory) where !name.contains(".new-") {
      let path = "\(directory)/\(name)"
      guard let bytes = DraftFile.read(path, limit: Self.limit) else {
        notes.append(
          "\(path): an entry added while the journal was locked cannot be read; it stays there")
        continue
      }
      if let plain = try? key.openBox(bytes), let entry = Self.entry(plain) {
        found.append((path, entry))
      } else {
        notes.append(
          "\(path): an entry added while the journal was locked is damaged; it stays there")
      }
    }
    guard !found.isEmpty else { return notes }
    let entries = Numbers.entries(found.count)
    do {
      try store.add(found.map(\.entry))
    } catch {
      let reason = Failure(explaining: error).message
      return notes + ["\(entries) added while the journal was locked must wait longer: \(reason)"]
    }
    for item in found { unlink(item.path) }
    return notes + ["\(entries) added while the journal was locked"]
  }

  /// A line with the fields, then the text.
  private static func bytes(of new: NewEntry) -> [UInt8] {
    let numbers = [
      new.created.seconds, Int64(new.created.offset), new.modified.seconds,
      Int64(new.modified.offset), Int64(new.day.daysSinceEpoch), new.starred ? 1 : 0,
    ]
    let line = [new.uuid] + numbers.map { String($0) }
    return Array("\(line.joined(separator: " "))\n\(new.text)".utf8)
  }

  private static func entry(_ bytes: [UInt8]) -> NewEntry? {
    guard let end = bytes.firstIndex(of: 0x0A),
      let text = String(validating: bytes[(end + 1)...], as: UTF8.self)
    else { return nil }
    let fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    let numbers = fields.dropFirst().compactMap { Int64($0) }
    guard fields.count == 7, numbers.count == 6 else { return nil }
    return NewEntry(
      text: text, created: Moment(seconds: numbers[0], offset: Int(numbers[1])),
      day: Day(daysSinceEpoch: Int(numbers[4])), starred: numbers[5] == 1,
      uuid: String(fields[0]), modified: Moment(seconds: numbers[2], offset: Int(numbers[3])))
  }
}

import Files
import Glibc
import Journal
import JournalStore
import Seal

/// The public keys of the sealed journals that were opened on this device: `sealed-keys` in the state
/// directory, a line for each journal with its id, its public key and its real path.
///
/// The public key in a journal's file can be replaced by anybody who can write the file, and what is
/// added while the journal is locked would be readable for him. So a file is compared with this list,
/// which only a journal's own key extends.
struct KnownKeys {
  /// The list's answer about the public key in a file.
  enum Trust: Equatable {
    /// It is the journal's, or no journal of this path or id was opened on this device yet.
    case usable
    /// Another key is known.
    case other(BoxKey)
  }

  /// The warning about a changed public key.
  static let warning =
    "the public key in its file is not the one that this device knows: the file was changed outside"
    + " daybook, or is another journal; daybook unlock shows whether its passphrase opens it"

  private struct Line: Equatable {
    let id: [UInt8]
    let key: BoxKey
    let journal: String
    /// Whether a command of this program is making the file readable.
    var isLeaving = false
  }

  /// The first word of such a line.
  private static let leaving = "leaving"

  private let path: String
  private static let limit = 1 << 20

  /// - Parameter state: the state directory.
  init(in state: String) { path = "\(state)/sealed-keys" }

  /// The list of this user; `nil` when the state directory is unknown.
  static var ofUser: KnownKeys? { (try? Places.state()).map(KnownKeys.init(in:)) }

  /// Compares the key in a file with the known one: that of its path, else that of its id.
  ///
  /// A file at the path of another journal is not taken for a new one: its id can be replaced, too.
  func trust(_ header: SealedHeader, of location: JournalLocation) -> Trust {
    let journal = DraftStore.identity(of: location)
    let lines = lines()
    guard
      let known = lines.first(where: { $0.journal == journal })
        ?? lines.first(where: { $0.id == header.id })
    else { return .usable }
    return known.id == header.id && known.key == header.boxKey ? .usable : .other(known.key)
  }

  /// The key that text for a locked journal is sealed to.
  func boxKey(_ header: SealedHeader, of location: JournalLocation) -> BoxKey {
    if case .other(let known) = trust(header, of: location) { return known }
    return header.boxKey
  }

  /// The public key of the sealed journal that was at a path when it was last opened or sealed here;
  /// `nil` also of one that is leaving: a readable file there is this program's.
  func boxKey(at location: JournalLocation) -> BoxKey? {
    guard location.kind == .sqlite, let line = line(of: location), !line.isLeaving else {
      return nil
    }
    return line.key
  }

  private func line(of location: JournalLocation) -> Line? {
    let journal = DraftStore.identity(of: location)
    return lines().first { $0.journal == journal }
  }

  /// The number of entries that were added while the journal known at a path was locked, and wait for it.
  func waitingCount(at location: JournalLocation) -> Int {
    guard let line = line(of: location) else { return 0 }
    let directory = "\(Directory.of(path))/locked/\(Hexadecimal.text(of: line.id))"
    return Directory.names(in: directory).count { !$0.contains(".new-") }
  }

  /// The warning about a readable file, or none, where a sealed journal was.
  ///
  /// Text would get there in the clear.
  ///
  /// - Returns: `nil` where no sealed journal was.
  func replacement(of location: JournalLocation) -> Failure? {
    guard boxKey(at: location) != nil else { return nil }
    let now = access(location.path, F_OK) == 0 ? "is readable now" : "is gone"
    return Failure(
      .badData,
      "\(location.path): the sealed journal \(now), and daybook did not do that; nothing is written"
        + " there. Put it back, or daybook backup --restore; if you did it, daybook unseal")
  }

  /// Notes the key of a journal that was opened or sealed.
  ///
  /// Without a list the journal can be used all the same.
  func remember(_ key: JournalKey, of location: JournalLocation) {
    let journal = DraftStore.identity(of: location)
    replace(journal, by: Line(id: key.id, key: key.boxKey, journal: journal))
  }

  /// Notes that a readable file is about to take the place of a sealed journal.
  ///
  /// An open screen would else take it for another program's. If this process is killed before that, the
  /// journal is as known as before.
  func release(_ location: JournalLocation) { setLeaving(true, location) }

  /// Takes ``release(_:)`` back: the journal stays sealed.
  func keep(_ location: JournalLocation) { setLeaving(false, location) }

  private func setLeaving(_ isLeaving: Bool, _ location: JournalLocation) {
    guard var line = line(of: location) else { return }
    line.isLeaving = isLeaving
    replace(line.journal, by: line)
  }

  /// Forgets a journal that is readable now.
  func forget(_ location: JournalLocation) {
    replace(DraftStore.identity(of: location), by: nil)
  }

  private func replace(_ journal: String, by line: Line?) {
    let before = lines()
    guard before.first(where: { $0.journal == journal }) != line else { return }
    let after = before.filter { $0.journal != journal } + [line].compactMap(\.self)
    let text = after.map {
      ($0.isLeaving ? Self.leaving + " " : "") + Hexadecimal.text(of: $0.id) + " "
        + Hexadecimal.text(of: $0.key.bytes) + " " + Draft.escaped($0.journal) + "\n"
    }
    try? DraftFile.makeDirectory(Directory.of(path))
    try? DraftFile.write(Array(text.joined().utf8), to: path)
  }

  private func lines() -> [Line] {
    let text = String(decoding: DraftFile.read(path, limit: Self.limit) ?? [], as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let isLeaving = line.hasPrefix(Self.leaving + " ")
      let fields = line.dropFirst(isLeaving ? Self.leaving.count + 1 : 0)
        .split(separator: " ", maxSplits: 2)
      guard fields.count == 3, let id = Hexadecimal.bytes(of: fields[0].utf8),
        let key = Hexadecimal.bytes(of: fields[1].utf8).flatMap(BoxKey.init(bytes:))
      else { return nil }
      return Line(
        id: id, key: key, journal: Draft.unescaped(String(fields[2])), isLeaving: isLeaving)
    }
  }
}

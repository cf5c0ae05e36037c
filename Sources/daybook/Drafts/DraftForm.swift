import Files
import Glibc
import JournalStore
import Seal

/// The form in which a journal's drafts are written.
///
/// Everything that a store writes has its journal's form; see ``DraftStore``.
enum DraftForm {
  /// Files that editors and users can read.
  case readable
  /// Files that only the journal's key opens.
  case sealed(JournalKey)
  /// The same for a locked journal: they are written, and opened when its key is there.
  case locked(BoxKey)

  /// The form of an open journal's drafts.
  init(of store: any EntryStore) {
    self = store.key.map(Self.sealed) ?? .readable
  }

  /// The form for a journal that is not open.
  ///
  /// A file that does not exist, or cannot be read, counts as a readable journal, unless a sealed one is
  /// known at its path.
  ///
  /// - Throws: ``Failure`` when the header of a sealed journal is damaged, or libsodium is missing.
  init(of location: JournalLocation) throws(Failure) {
    self = .readable
    guard location.kind == .sqlite else { return }
    // For a journal that others made readable, or took away.
    if let known = KnownKeys.ofUser?.boxKey(at: location) { self = .locked(known) }
    let descriptor = Glibc.open(location.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    do throws(SealError) {
      guard let header = try SealedHeader(descriptor: descriptor) else { return }
      // The known key, if the file's is another one: only the journal's own opens the drafts then.
      let boxKey = KnownKeys.ofUser?.boxKey(header, of: location) ?? header.boxKey
      self = header.key.map(Self.sealed) ?? .locked(boxKey)
    } catch .system {
      return
    } catch {
      throw Failure(explaining: StoreError(error, at: location.path))
    }
  }

  /// Whether the journal is sealed.
  var isSealed: Bool { storage != .readable }

  /// The form of the files.
  var storage: Draft.Storage {
    switch self {
    case .readable: .readable
    case .sealed: .sealed
    case .locked: .boxed
    }
  }

  /// The longest text that can be kept, in bytes: a sealed one is in memory.
  var longest: Int {
    switch self {
    case .readable: 1_000_000_000
    case .sealed, .locked: 256_000_000
    }
  }

  private static let purpose = "draft"

  /// The bytes of a file.
  ///
  /// - Throws: ``Failure`` when the public key of a locked journal is damaged.
  func seal(_ record: [UInt8], of path: String) throws(Failure) -> [UInt8] {
    do throws(SealError) {
      switch self {
      case .readable: return record
      case .sealed(let key): return try key.seal(record, purpose: Self.purpose)
      case .locked(let key): return try key.box(record)
      }
    } catch {
      throw Failure(explaining: StoreError(error, at: path))
    }
  }

  /// The opened bytes of a file; `nil` without the key, and for another journal's.
  func open(_ bytes: [UInt8], _ storage: Draft.Storage) -> [UInt8]? {
    guard case .sealed(let key) = self else { return storage == .readable ? bytes : nil }
    return switch storage {
    case .readable: bytes
    case .sealed: try? key.open(bytes, purpose: Self.purpose)
    case .boxed: try? key.openBox(bytes)
    }
  }

  /// The bytes that sealing adds to a file, at most.
  static let overhead = 4_096
}

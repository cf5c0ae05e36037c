import GRDB
import Journal

/// The versions of what a journal has derived from its texts: the words of the index, the tags, and the
/// links and fields.
///
/// One number in `search_state` has all: that of the words, a thousand times that of the tags, and a million
/// times that of links and fields. The programs before the second version of tags wrote that of the words
/// alone.
struct DerivedVersion {
  let db: Database

  /// The derived data.
  enum Part: Int, CaseIterable {
    case words, tags, marks

    /// The version that this program finds in texts.
    var current: Int {
      switch self {
      case .words: Folding.version
      case .tags: Tag.version
      case .marks: Link.version + Field.version + FileLink.version - 2
      }
    }

    fileprivate var factor: Int {
      [1, DerivedVersion.step, DerivedVersion.step * DerivedVersion.step][rawValue]
    }
  }

  private static let step = 1_000
  /// The offset of a version whose rebuild failed on damaged data.
  private static let failed = 500

  /// Whether a part is what this program finds in the texts.
  func isCurrent(_ part: Part) throws -> Bool { try version(of: part) == part.current }

  /// Whether a part is of another version, and this program has not tried yet to find it.
  func isDue(_ part: Part) throws -> Bool {
    let version = try version(of: part)
    return version != part.current && version != part.current + Self.failed
  }

  /// Notes that a part was found in all texts; in a journal without entries all parts are.
  func set(_ part: Part) throws {
    let isEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM entry)") ?? false
    try store { isEmpty || $0 == part ? $0.current : nil }
  }

  /// Notes that a part cannot be found, so that not every opening tries it; the doctor does.
  func setFailed(_ part: Part) throws {
    try store { $0 == part ? part.current + Self.failed : nil }
  }

  private func version(of part: Part) throws -> Int {
    (try stored() ?? 0) / part.factor % Self.step
  }

  /// The number; `nil` if there is no valid one.
  private func stored() throws -> Int? {
    try Int.fetchOne(
      db,
      sql: "SELECT folding FROM search_state WHERE typeof(folding) = 'integer' AND folding > 0")
  }

  /// - Parameter version: the new version of a part; `nil` to keep it.
  private func store(_ version: (Part) -> Int?) throws {
    let number = try Part.allCases.reduce(0) {
      try $0 + (version($1) ?? self.version(of: $1)) * $1.factor
    }
    try db.execute(sql: "DELETE FROM search_state")
    try db.execute(
      sql: "INSERT INTO search_state (id, folding) VALUES (1, ?)", arguments: [number])
  }
}

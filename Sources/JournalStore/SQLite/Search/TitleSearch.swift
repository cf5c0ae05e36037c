import GRDB
import Journal

/// Finds entries by some letters of their titles.
struct TitleSearch {
  let db: Database

  /// The entries outside the trash whose titles contain typed letters in their order, the best match
  /// first, and of equal ones the newest; without letters the newest entries.
  ///
  /// - Parameter limit: the maximum number of entries.
  /// - Complexity: linear in the entries; only the index of titles is read.
  func titles(matching typed: String, limit: Int) throws -> [FoundTitle] {
    let pattern = FuzzyPattern(typed)
    guard !pattern.isEmpty else { return try newest(limit) }
    let kept = max(limit, Self.mostCompared)
    var best: [Candidate] = []
    // The worst of a full list: nothing behind it is kept.
    var worst: Candidate?
    try db.forEach(
      """
      SELECT number, title_key FROM entry INDEXED BY entry_title
      WHERE deleted IS NULL AND title_key LIKE ? ESCAPE '\\'
      """, [Self.like(pattern)]
    ) { row in
      guard let match = pattern.match(inFolded: row.text(1)) else { return }
      let candidate = Candidate(match: match, number: row.integer(0))
      if let worst, worst < candidate { return }
      best.append(candidate)
      guard best.count >= 2 * kept else { return }
      best.sort()
      best.removeSubrange(kept...)
      worst = best.last
    }
    best.sort()
    var found: [(match: FuzzyMatch, title: FoundTitle)] = []
    for candidate in best.prefix(kept) {
      // Of equal matches all are read, to compare their days.
      if found.count >= limit, let last = found.last, last.match < candidate.match { break }
      if let title = try title(of: candidate.number) { found.append((candidate.match, title)) }
    }
    return found.sorted { a, b in
      a.match == b.match
        ? (a.title.day, a.title.number) > (b.title.day, b.title.number) : a.match < b.match
    }.prefix(limit).map(\.title)
  }

  /// The maximum number of equal matches whose days are compared; beyond them the later numbers are
  /// taken.
  private static let mostCompared = 2_000

  /// A match; numbers usually grow with time.
  private struct Candidate: Comparable {
    let match: FuzzyMatch
    let number: Int64

    static func < (a: Candidate, b: Candidate) -> Bool {
      a.match == b.match ? a.number > b.number : a.match < b.match
    }
  }

  /// The pattern for SQLite, which leaves out most titles fast.
  static func like(_ pattern: FuzzyPattern) -> String {
    let letters = pattern.letters.map { letter -> String in
      let text = String(decoding: letter, as: UTF8.self)
      return ["%", "_", "\\"].contains(text) ? "\\" + text : text
    }
    return "%" + letters.joined(separator: "%") + "%"
  }

  private func newest(_ limit: Int) throws -> [FoundTitle] {
    var numbers: [Int64] = []
    try db.forEach(
      """
      SELECT number FROM entry WHERE deleted IS NULL
      ORDER BY day DESC, created DESC, number DESC LIMIT ?
      """, [limit]
    ) { numbers.append($0.integer(0)) }
    return try numbers.compactMap { try title(of: $0) }
  }

  private func title(of number: Int64) throws -> FoundTitle? {
    try db.first(
      "SELECT ifnull(title, ''), day FROM entry WHERE number = ? AND title IS NOT NULL", [number]
    ) { row in
      FoundTitle(number: number, title: row.text(0), day: Day(row.text(1)) ?? .earliest)
    }
  }
}

import GRDB
import Journal

/// Where links lead, by look-ups in the indexes of links and titles.
///
/// A link to a title leads to the last entry of that title that was written before the entry with the
/// link, else to the first after it. An entry is meant to link to others: only where no other entry has
/// its title does a link to that lead to itself, and it counts for nothing. Entries in the trash neither
/// link nor are linked to.
struct LinkGraph {
  let db: Database
  /// What entries were at an earlier time, which is then the time of the graph; `nil` for an entry that did
  /// not exist, or was in the trash.
  private var former: [Int64: State?] = [:]

  init(db: Database) { self.db = db }

  /// An entry outside the trash as the graph has it.
  private struct State {
    var place: Place
    var keys: [String]
    var targets: [String]

    init?(_ entry: Entry?) {
      guard let entry, entry.deleted == nil else { return nil }
      place = Place(created: entry.created.seconds, number: entry.number)
      keys = Link.keys(ofTitleKey: entry.titleKey)
      targets = DerivedColumns(text: entry.text).links
    }
  }

  /// Sets an entry back to an earlier state; `nil` for none.
  mutating func setBack(_ number: Int64, to entry: Entry?) {
    former[number] = .some(State(entry))
  }

  /// The entries of an earlier time of which something holds.
  private func earlier(_ holds: (State) -> Bool) -> [Int64] {
    former.isEmpty ? [] : former.compactMap { $1.map(holds) == true ? $0 : nil }.sorted()
  }

  /// Whether the tables know an entry as it was at the time of the graph.
  private func isStored(_ number: Int64) -> Bool { former.isEmpty || former[number] == nil }

  /// An entry in the order of time.
  struct Place: Comparable {
    var created: Int64
    var number: Int64

    static func < (left: Place, right: Place) -> Bool {
      (left.created, left.number) < (right.created, right.number)
    }
  }

  // MARK: Titles

  /// The entries of a title: those with all of it, else those that have it before tags.
  func holders(of key: String) throws -> [Int64] {
    guard case .title = Link.target(ofKey: key) else { return [] }
    let exact = try exactHolders(of: key)
    return exact.isEmpty ? try taggedHolders(of: key) : exact
  }

  private static let starts = [""] + Link.headingMarks

  private static let ofTitles = """
    SELECT number, title_key FROM entry INDEXED BY entry_title
    WHERE deleted IS NULL AND title_key IN (\(starts.map { _ in "?" }.joined(separator: ", ")))
    """

  private static let ofTitle = """
    SELECT 1 FROM entry INDEXED BY entry_title WHERE deleted IS NULL AND title_key = ? LIMIT 1
    """

  private func exactHolders(of key: String) throws -> [Int64] {
    var numbers: [Int64] = []
    try db.forEach(Self.ofTitles, StatementArguments(Self.starts.map { $0 + key })) { row in
      let isOfKey = Link.keys(ofTitleKey: row.text(1)).first == key
      if isOfKey, isStored(row.integer(0)) { numbers.append(row.integer(0)) }
    }
    return numbers + earlier { $0.keys.first == key }
  }

  private static let ofBeginnings = """
    SELECT number, title_key FROM entry INDEXED BY entry_title
    WHERE deleted IS NULL AND title_key >= ? AND title_key < ?
    """

  private func taggedHolders(of key: String) throws -> [Int64] {
    var numbers: [Int64] = []
    for start in Self.starts {
      // `$` follows `#`, and `A` follows `@`.
      for (sign, next) in [("#", "$"), ("@", "A")] {
        let text = "\(start)\(key) "
        try db.forEach(Self.ofBeginnings, [text + sign, text + next]) { row in
          let keys = Link.keys(ofTitleKey: row.text(1))
          if keys.count > 1, keys[1] == key, isStored(row.integer(0)) {
            numbers.append(row.integer(0))
          }
        }
      }
    }
    return numbers + earlier { $0.keys.count > 1 && $0.keys[1] == key }
  }

  /// The keys of an entry outside the trash.
  private func keys(of number: Int64) throws -> [String] {
    if let state = former[number] { return state?.keys ?? [] }
    return try db.first(
      "SELECT title_key FROM entry WHERE number = ? AND deleted IS NULL AND title_key IS NOT NULL",
      [number]
    ) { Link.keys(ofTitleKey: $0.text(0)) } ?? []
  }

  private func place(of number: Int64) throws -> Place? {
    if let state = former[number] { return state?.place }
    return try db.first("SELECT created FROM entry WHERE number = ?", [number]) {
      Place(created: $0.integer(0), number: number)
    }
  }

  // MARK: Links

  /// The keys that an entry outside the trash links to.
  func targets(of number: Int64) throws -> [String] {
    if let state = former[number] { return state?.targets ?? [] }
    return try String.fetchAll(
      db.cachedStatement(sql: "SELECT target FROM entry_link WHERE number = ? AND live = 1"),
      arguments: [number])
  }

  /// The entries outside the trash with a link of a key.
  func sources(of key: String, limit: Int = .max) throws -> [Int64] {
    let stored = try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT number FROM entry_link WHERE live = 1 AND target = ? LIMIT ?"),
      arguments: [key, limit])
    return former.isEmpty
      ? stored : stored.filter(isStored) + earlier { $0.targets.contains(key) }
  }

  /// The entry that a link of a key in an entry leads to.
  func destination(of key: String, in number: Int64) throws -> Int64? {
    try Destinations(holders(of: key), self)(from: number)
  }

  /// The entries of one title, to which links of several entries lead.
  struct Destinations {
    private let graph: LinkGraph
    private let only: Int64?
    private let places: [Place]

    init(_ holders: [Int64], _ graph: LinkGraph) throws {
      self.graph = graph
      only = holders.count == 1 ? holders[0] : nil
      places = try holders.count > 1 ? holders.compactMap { try graph.place(of: $0) }.sorted() : []
    }

    /// Where a link in an entry leads.
    func callAsFunction(from number: Int64) throws -> Int64? {
      if let only { return only }
      guard !places.isEmpty, let source = try graph.place(of: number) else { return nil }
      let next = places.partitioningIndex { $0 >= source }
      if next > 0 { return places[next - 1].number }
      return places.first { $0.number != number }?.number ?? places[0].number
    }
  }

  /// The entries whose links lead to an entry, except itself.
  func sources(leadingTo number: Int64) throws -> [Int64] {
    var found = NumberSet()
    for key in try keys(of: number) {
      let holders = try holders(of: key)
      guard holders.contains(number) else { continue }
      let destinations = try Destinations(holders, self)
      for source in try sources(of: key) where source != number {
        if try destinations(from: source) == number { found.insert(source) }
      }
    }
    return found.numbers
  }

  /// Whether no other entry links to an entry.
  func isOrphan(_ number: Int64) throws -> Bool {
    for key in try keys(of: number) {
      let holders = try holders(of: key)
      guard holders.contains(number) else { continue }
      let destinations = try Destinations(holders, self)
      for source in try sources(of: key) where source != number {
        if try destinations(from: source) == number { return false }
      }
    }
    return true
  }

  /// Whether a link of a key leads nowhere; links to days and months lead to them.
  func isBroken(_ key: String) throws -> Bool {
    guard case .title = Link.target(ofKey: key) else { return false }
    // Of a title that thousands of entries have, one is enough.
    let isHeld = former.isEmpty && !key.hasPrefix("#")
    if try isHeld && db.first(Self.ofTitle, [key], { _ in true }) == true { return false }
    return try holders(of: key).isEmpty
  }

  /// The entries that the entries of a title link to.
  func destinations(ofTitle key: String) throws -> NumberSet {
    var found = NumberSet()
    for holder in try holders(of: key) {
      for target in try targets(of: holder) {
        if let number = try destination(of: target, in: holder), number != holder {
          found.insert(number)
        }
      }
    }
    return found
  }

  // MARK: Queries

  /// Decides a part of a query about an entry that other entries decide.
  func decide(_ query: Query, _ entry: Entry) throws -> Bool {
    switch query {
    case .file(.size(let range)):
      let reader = SQLiteReader(db: db, path: "")
      return try FileLink.all(in: entry.text).contains { link in
        try reader.file(link.target).map { range.contains(Int64($0.size)) } ?? false
      }
    case .linksTo(let number):
      guard number != entry.number else { return false }
      return try targets(of: entry.number).contains {
        try destination(of: $0, in: entry.number) == number
      }
    case .linked(let key): return try destinations(ofTitle: key).contains(entry.number)
    case .flag(.orphan): return try entry.deleted == nil && isOrphan(entry.number)
    case .flag(.broken): return try targets(of: entry.number).contains { try isBroken($0) }
    default: return false
    }
  }

  /// The entries outside the trash that match such a part; `nil` for another query.
  func numbers(matching query: Query, all: () throws -> NumberSet) throws -> NumberSet? {
    switch query {
    case .linksTo(let number): return NumberSet(try sources(leadingTo: number))
    case .linked(let key): return try destinations(ofTitle: key)
    case .flag(.broken): return try brokenEntries()
    case .flag(.orphan):
      var rest = try all()
      rest.subtract(try linkedEntries())
      return rest
    default: return nil
    }
  }

  /// The number of keys that are looked up one by one; for more, all titles are read.
  private static let few = 1_000

  /// The keys of all links, if they are few.
  private func fewTargets() throws -> [String]? {
    var targets: [String] = []
    var last = ""
    while let next = try db.first(
      "SELECT target FROM entry_link WHERE live = 1 AND target > ? ORDER BY target LIMIT 1",
      [last], { $0.text(0) })
    {
      targets.append(next)
      if targets.count > Self.few { return nil }
      last = next
    }
    return targets
  }

  /// The entries with a link that leads nowhere.
  private func brokenEntries() throws -> NumberSet {
    var found = NumberSet()
    if let targets = try fewTargets() {
      for target in targets where try isBroken(target) {
        for number in try sources(of: target) { found.insert(number) }
      }
      return found
    }
    let titles = try TitleMap(db)
    try forEachTarget { target, numbers in
      guard case .title = Link.target(ofKey: target), titles.holders(of: target).isEmpty else {
        return
      }
      for number in numbers { found.insert(number) }
    }
    return found
  }

  /// The entries that other entries link to.
  private func linkedEntries() throws -> NumberSet {
    var found = NumberSet()
    let take = { (holders: [Int64], numbers: [Int64]) in
      let destinations = try Destinations(holders, self)
      for number in numbers {
        guard let one = try destinations(from: number), one != number else { continue }
        found.insert(one)
        // Of a single entry it is enough to know that any other links to it.
        if holders.count == 1 { return }
      }
    }
    if let targets = try fewTargets() {
      for target in targets { try take(holders(of: target), sources(of: target)) }
      return found
    }
    let titles = try TitleMap(db)
    try forEachTarget { target, numbers in
      guard case .title = Link.target(ofKey: target) else { return }
      try take(titles.holders(of: target), numbers)
    }
    return found
  }

  /// Calls `body` with each key and the entries that link to it.
  private func forEachTarget(_ body: (String, [Int64]) throws -> Void) throws {
    var (target, numbers): (String, [Int64]) = ("", [])
    try db.forEach(
      "SELECT target, number FROM entry_link WHERE live = 1 ORDER BY target, number"
    ) { row in
      let next = row.text(0)
      if next != target {
        if !numbers.isEmpty { try body(target, numbers) }
        (target, numbers) = (next, [])
      }
      numbers.append(row.integer(1))
    }
    if !numbers.isEmpty { try body(target, numbers) }
  }
}

/// The entries of each title, in memory, for questions about all links.
///
/// Titles are known by hashes that nobody can foresee.
private struct TitleMap {
  private enum Holders {
    case one(Int64)
    case several([Int64])

    mutating func add(_ number: Int64) {
      switch self {
      case .one(let first): self = .several([first, number])
      case .several(let numbers): self = .several(numbers + [number])
      }
    }

    var numbers: [Int64] {
      switch self {
      case .one(let number): [number]
      case .several(let numbers): numbers
      }
    }
  }

  private var full: [Int: Holders] = [:]
  private var short: [Int: Holders] = [:]

  init(_ db: Database) throws {
    full.reserveCapacity(try min(KeptCounts.entries(db), 1 << 22))
    try db.forEach(
      "SELECT number, title_key FROM entry INDEXED BY entry_title WHERE deleted IS NULL"
    ) { row in
      let number = row.integer(0)
      for (index, key) in Link.keys(ofTitleKey: row.text(1)).enumerated() {
        if index == 0 {
          Self.add(number, key, to: &full)
        } else {
          Self.add(number, key, to: &short)
        }
      }
    }
  }

  private static func add(_ number: Int64, _ key: String, to map: inout [Int: Holders]) {
    let hash = key.hashValue
    if map[hash] == nil { map[hash] = .one(number) } else { map[hash]?.add(number) }
  }

  func holders(of key: String) -> [Int64] {
    let hash = key.hashValue
    return (full[hash] ?? short[hash])?.numbers ?? []
  }
}

// MARK: - Changes

extension LinkGraph {
  /// The entries for which other entries may decide again after some changes, beside the changed entries:
  /// those that link to a former or present title of theirs, those that have such a title, and those that
  /// these and the former and present texts link to.
  ///
  /// - Returns: `nil` if they are too many, or unknown.
  func affected(
    by numbers: [Int64], since sequence: Int64, limit: Int
  ) throws -> Set<Int64>? {
    var (titles, targets): (Set<String>, Set<String>) = ([], [])
    var isKnown = true
    try db.forEach(
      """
      SELECT kind, title_key IS NULL, ifnull(title_key, ''), ifnull(text, '') FROM change WHERE seq > ?
      """, [sequence]
    ) { line in
      guard line.text(0) != "insert" else { return }
      // A text that was not analysed, or is forgotten.
      if line.bool(1) { isKnown = false }
      titles.formUnion(Link.keys(ofTitleKey: line.text(2)))
      if Marks.mayBeIn(line.text(3)) { targets.formUnion(Link.all(in: line.text(3)).map(\.key)) }
    }
    guard isKnown else { return nil }
    return try affected(by: numbers, titles, targets, limit: limit)
  }

  /// The same at the time of the graph.
  func affected(by numbers: [Int64], limit: Int) throws -> Set<Int64>? {
    try affected(by: numbers, [], [], limit: limit)
  }

  private func affected(
    by numbers: [Int64], _ titles: Set<String>, _ targets: Set<String>, limit: Int
  ) throws -> Set<Int64>? {
    var (titles, targets) = (titles, targets)
    for number in numbers {
      try titles.formUnion(keys(of: number))
      try targets.formUnion(self.targets(of: number))
    }
    var affected: Set<Int64> = []
    for title in titles {
      let near = try exactHolders(of: title) + taggedHolders(of: title)
      try affected.formUnion(near + sources(of: title, limit: limit + 1))
      for number in near {
        try targets.formUnion(self.targets(of: number))
        guard targets.count <= limit else { return nil }
      }
      guard affected.count <= limit else { return nil }
    }
    for target in targets {
      try affected.formUnion(holders(of: target))
      guard affected.count <= limit else { return nil }
    }
    return affected
  }
}

import Journal

/// What the pieces of an Org file have in common.
struct OrgFile {
  let path: String
  /// The date in the name of the file.
  let name: DatedName?
  /// The tags that all entries inherit, once the beginning of the file was read.
  var tags: [String]?
  /// Whether there was an entry or a problem.
  var hasItems = false
  /// Whether a heading was said to be left out.
  var hasRemark = false
  /// Whether all pieces were read.
  var isRead = false
  /// The order of day and month in the headings.
  private(set) var order: DateOrder?
  /// Whether more of the file is needed: all of one with a date of its own, and as much as shows the
  /// order of an ambiguous date.
  private(set) var needsMore = false

  private let clock: WallClock

  init(path: String, _ options: ImportOptions) {
    self.path = path
    clock = options.clock
    name =
      if case .date(let found) = DatedName.read(path, order: options.nameOrder) { found } else {
        nil
      }
  }

  /// Whether the name of the file is a day, which its headings of times split.
  var isDaily: Bool { name.map { $0.isDay && !$0.hasTime } ?? false }

  /// The date in the name or the keywords of a file.
  func time(_ section: OrgSection) -> OrgTime? {
    let said = ["DATE", "CREATED", "IDENTIFIER", "TITLE"].lazy.compactMap { name in
      section.value(name).flatMap(OrgTime.init)
    }.first
    if let name {
      let named = OrgTime(name, clock)
      guard name.isDay, !named.hasTime else { return named.hasTime ? named : said ?? named }
      if let said, said.hasTime, said.day == named.day { return said }
      return named
    }
    return said
  }

  /// Reads the order of dates from the next headings, and the date of the file from its beginning.
  mutating func read(_ lines: TextLines) {
    if tags == nil {
      var reader = OrgSectionReader(lines)
      needsMore = name != nil || time(reader.first()) != nil
    } else {
      needsMore = false
    }
    var (lines, isAmbiguous) = (lines, false)
    while order == nil, let line = lines.next() {
      guard let heading = OrgHeading(lines.bytes[line.range]) else { continue }
      order = DateText.order(of: heading.title)
      isAmbiguous = isAmbiguous || Self.isAmbiguous(heading.title)
    }
    needsMore = needsMore || order == nil && isAmbiguous
  }

  private static func isAmbiguous(_ title: ArraySlice<UInt8>) -> Bool {
    // Few headings have `05/01/2024`; the others are not parsed.
    let head = title.prefix(40)
    let signs = zip(head, head.dropFirst()).count { ASCII.isDigit($0) && "/.-".utf8.contains($1) }
    guard signs > 1, !head.prefix(4).allSatisfy(ASCII.isDigit) else { return false }
    let heading = NotePieces.DayHeading(title, .init(range: 0..<0, number: 0), nil)
    if case .ambiguous? = heading?.reading { return true }
    return false
  }
}

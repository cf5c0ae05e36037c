import Journal

/// Makes entries of the sections of an Org file, or of a piece of it.
struct OrgReader {
  /// What the pieces of a file have in common, also after this one.
  private(set) var file: OrgFile

  private let lines: TextLines
  private let options: ImportOptions
  private let sections: [OrgSection]
  private var contexts: [Context] = []
  private var drafts: [OrgDraft] = []
  private var problems: [ImportItem] = []
  /// The level of the headings that split a daily file.
  private var timeLevel: Int?
  private var remarks: [String] = []
  /// The entries of Daybook's own export.
  private var own: [ImportItem] = []

  /// A heading whose section is not over.
  private struct Context {
    var level: Int
    /// The day of its entries.
    var day: Day?
    var tags: [String]
    /// The entry that has all below it, as an index of the drafts.
    var draft: Int?
  }

  init(_ lines: TextLines, _ file: OrgFile, _ options: ImportOptions) {
    self.lines = lines
    self.file = file
    self.options = options
    sections = OrgSection.sections(of: lines)
  }

  private var name: DatedName? { file.name }
  private var order: DateOrder? { file.order }

  mutating func run() -> [ImportItem] {
    if file.tags == nil {
      beginFile(sections[0])
    } else {
      contexts = [Context(level: 0, tags: file.tags ?? [])]
    }
    file.tags = contexts[0].tags
    var index = 1
    while index < sections.count {
      if let end = readOwn(index) {
        index = end
      } else {
        read(index)
        index += 1
      }
    }
    var items: [(line: Int, item: ImportItem)] = (problems + own).map { (Self.line(of: $0), $0) }
    for draft in drafts {
      guard let item = item(draft) else { continue }
      items.append((draft.line, item))
    }
    items.sort { $0.line < $1.line }
    if !items.isEmpty { file.hasItems = true }
    var result = items.map(\.item)
    guard !remarks.isEmpty else { return result }
    guard let first = result.firstIndex(where: { if case .entry = $0 { true } else { false } }),
      case .entry(var entry, let place) = result[first]
    else {
      file.hasRemark = false
      return result
    }
    entry.remarks += remarks
    result[first] = .entry(entry, place)
    return result
  }

  private static func line(of item: ImportItem) -> Int {
    switch item {
    case .problem(let error): error.place.line ?? 0
    case .entry(_, let place): place.line ?? 0
    case .doubt, .passedBy, .leftOut: 0
    }
  }

  // MARK: The file

  private mutating func beginFile(_ section: OrgSection) {
    let tags =
      (section.value("FILETAGS").map(Self.tags) ?? [])
      + (section.value("ROAM_TAGS").map(Self.tags) ?? []) + (name?.tags ?? [])
    guard let time = file.time(section) else {
      contexts = [Context(level: 0, tags: tags)]
      if section.hasText(lines) {
        problems.append(
          .problem("text above the first day has no date", ImportPlace(line: section.line)))
      }
      return
    }
    var draft = OrgDraft(line: 1, time: time, tags: tags)
    draft.level = 0
    draft.isFile = true
    let title = section.value("TITLE") ?? ""
    if file.isDaily {
      if OrgTime(title)?.day != time.day { draft.title = title }
    } else {
      let fallback = name?.title ?? DatedName.title(path: file.path)
      let isDay = OrgTime(title)?.day == time.day
      draft.title = title.isEmpty || isDay ? fallback : title
    }
    draft.take(section, isWhole: true)
    drafts.append(draft)
    contexts = [Context(level: 0, day: file.isDaily ? time.day : nil, tags: tags, draft: 0)]
  }

  private static func tags(_ text: String) -> [String] {
    text.split { ": ,".contains($0) }.map(String.init)
  }

  // MARK: Headings

  /// Reads an entry of Daybook's own export with all that is below it.
  ///
  /// - Returns: the section after it; `nil` for one of another program.
  private mutating func readOwn(_ index: Int) -> Int? {
    let section = sections[index]
    guard section.value(OrgMark.name) != nil, let heading = section.heading else { return nil }
    let end =
      sections[(index + 1)...].firstIndex { $0.level <= section.level } ?? sections.count
    let last = end < sections.count ? sections[end].start : lines.bytes.count
    guard let mark = OrgMark(section, lines.bytes[section.start..<last]) else { return nil }
    dropEmptyFile()
    let place = ImportPlace(line: section.line)
    if mark.isIntact, mark.hasText {
      own.append(.entry(mark.entry, place))
      return end
    }
    let created = section.value("CREATED")
    let day = mark.entry.day ?? mark.entry.created.localDay
    var time = created.flatMap(OrgTime.init) ?? OrgTime(day: day)
    // A time that nobody changed has its seconds and its offset.
    if created == "[\(OrgEncoder.time(mark.entry.created, on: day))]" {
      (time.instant, time.day) = (mark.entry.created, day)
    }
    var draft = OrgDraft(line: section.line, time: time, tags: heading.tags)
    draft.level = heading.level
    draft.title = String(decoding: heading.title, as: UTF8.self)
    (draft.isDone, draft.priority) = (heading.isDone, heading.priority)
    if let state = heading.state, !["TODO", "DONE"].contains(state) { draft.state = state }
    draft.gap = OrgMark.gap(in: lines.bytes[section.start..<last])
    draft.take(section, isWhole: true)
    for part in sections[(index + 1)..<end] {
      if let heading = part.heading { draft.absorb(heading, part, lines) }
    }
    do throws(FormatError) {
      guard var entry = try draft.entry(lines, options, at: place) else {
        own.append(.problem(entry: "has no text", place))
        return end
      }
      let written = Set(Tag.names(in: entry.text).map(OrgEncoder.tag))
      entry.tags.removeAll(where: written.contains)
      own.append(
        .entry(
          mark.isIntact ? mark.entry(withText: try entry.entry().text) : entry, place))
    } catch {
      own.append(.problem(error, place))
    }
    return end
  }

  private mutating func read(_ index: Int) {
    let section = sections[index]
    guard var heading = section.heading else { return }
    while let last = contexts.last, last.level >= heading.level, contexts.count > 1 {
      contexts.removeLast()
    }
    let tags = (contexts.last?.tags ?? []) + heading.tags
    if let day = day(of: heading, index) {
      contexts.append(Context(level: heading.level, day: day, tags: tags))
      dropEmptyFile()
      guard section.hasText(lines) else { return }
      var draft = OrgDraft(line: section.line, time: OrgTime(day: day), tags: tags)
      draft.level = heading.level
      draft.take(section, isWhole: false)
      drafts.append(draft)
      return
    }
    let context = contexts.last
    let day = contexts.last { $0.day != nil }?.day
    var title = heading.title
    let time = ownTime(&title, section, on: day, isInside: context?.draft != nil)
    heading.title = title
    if let time { return begin(heading, section, time, tags) }
    if let draft = context?.draft {
      drafts[draft].absorb(heading, section, lines)
    } else if let day {
      begin(heading, section, OrgTime(day: day), tags)
    } else {
      readUndated(index, heading, tags)
    }
  }

  private mutating func begin(
    _ heading: OrgHeading, _ section: OrgSection, _ time: OrgTime, _ tags: [String]
  ) {
    var draft = OrgDraft(line: section.line, time: time, tags: tags)
    draft.level = heading.level
    draft.title = String(decoding: heading.title, as: UTF8.self)
    (draft.isDone, draft.priority) = (heading.isDone, heading.priority)
    if let state = heading.state, !["TODO", "DONE"].contains(state) { draft.state = state }
    draft.take(section, isWhole: true)
    drafts.append(draft)
    contexts.append(Context(level: heading.level, tags: tags, draft: drafts.count - 1))
  }

  /// A heading without a date: one of a year or a month, or a problem.
  private mutating func readUndated(_ index: Int, _ heading: OrgHeading, _ tags: [String]) {
    let section = sections[index]
    contexts.append(Context(level: heading.level, tags: tags))
    let isLeaf = index + 1 == sections.count || sections[index + 1].level <= heading.level
    if section.hasText(lines) || isLeaf && !heading.title.isEmpty {
      let isCalendar = NotePieces.isCalendar(heading.title)
      guard !isCalendar || section.hasText(lines) else { return }
      problems.append(
        .problem(
          entry: "has no date, in its heading, its properties or the name of the file",
          ImportPlace(line: section.line)))
    } else if !NotePieces.isCalendar(heading.title), !file.hasRemark {
      file.hasRemark = true
      remarks.append("heading above the first day is left out")
    }
  }

  /// The note of a file with days is only the text before them.
  private mutating func dropEmptyFile() {
    if let first = drafts.first, first.isFile, first.isEmpty(lines) { drafts[0].isDropped = true }
  }

  /// The day of a heading that is a date alone.
  private func day(of heading: OrgHeading, _ index: Int) -> Day? {
    let section = sections[index]
    guard heading.state == nil else { return nil }
    var title = heading.title
    let created = section.value("CREATED").flatMap(OrgTime.init)
    // An entry with an identity and a time of its own, as Daybook writes it.
    if created != nil, section.value("CREATED")?.utf8.count != 8,
      section.value("ID").flatMap(EntryUUID.canonical) != nil
    {
      return nil
    }
    // org-journal writes the day of its heading so.
    if let created, section.value("CREATED")?.utf8.count == 8,
      Self.numbers(title, fit: created.day)
    {
      return created.day
    }
    if let stamp = OrgTimestamp.take(&title), title.isEmpty, !stamp.hasTime {
      let isInTree = contexts.contains { $0.day == nil && $0.level > 0 }
      return isInTree || hasChildren(index) ? stamp.time.day : nil
    }
    if file.isDaily, heading.level == 1, let name, Self.numbers(heading.title, fit: name.time.day) {
      return name.time.day
    }
    guard let found = NotePieces.DayHeading(heading.title, .init(range: 0..<0, number: 0), order),
      case .date(let time, let hasTime, _) = found.reading, !hasTime
    else { return nil }
    let rest = String(decoding: ASCII.trimmed(found.title), as: UTF8.self)
    return rest.isEmpty || DateText.isWeekday(rest) || DateVocabulary.isWeekday(rest)
      ? time.day : nil
  }

  private func hasChildren(_ index: Int) -> Bool {
    index + 1 < sections.count && sections[index + 1].level > sections[index].level
  }

  /// Whether the numbers of a short heading are the day, the month and the year of a date, in any
  /// order and language.
  private static func numbers(_ title: ArraySlice<UInt8>, fit day: Day) -> Bool {
    guard title.count <= 60 else { return false }
    let words = title.split { !ASCII.isDigit($0) && !ASCII.isLetter($0) && $0 < 0x80 }
    guard words.count <= 6 else { return false }
    let numbers = words.compactMap { Int(String(decoding: $0.prefix(9), as: UTF8.self)) }
    if numbers.count == 1, words.count == 1 {
      return numbers[0] == day.year * 10_000 + day.month * 100 + day.day
    }
    var wanted = [day.day, day.month]
    var isYearThere = false
    for number in numbers {
      if let place = wanted.firstIndex(of: number) {
        wanted.remove(at: place)
      } else if number == day.year || number == day.year % 100, !isYearThere {
        isYearThere = true
      } else {
        return false
      }
    }
    // The name of a month has no number.
    return isYearThere && !wanted.contains(day.day)
      && (wanted.isEmpty || words.count > numbers.count)
  }

  /// The date and time of a heading's own.
  ///
  /// - Parameters:
  ///   - day: the day above it, which counts more than another one below.
  ///   - isInside: whether it is inside an entry, where an appointment is a part of its text.
  private mutating func ownTime(
    _ title: inout ArraySlice<UInt8>, _ section: OrgSection, on day: Day?, isInside: Bool
  ) -> OrgTime? {
    let isInFile = contexts.last?.draft == 0 && drafts.first?.isFile == true
    if let day, let clock = Self.clock(title) {
      let splits = !isInside || isInFile && (timeLevel ?? section.level) == section.level
      if splits {
        if isInFile { timeLevel = section.level }
        title = clock.rest
        var time = OrgTime(day: day)
        (time.second, time.hasTime) = (clock.second, true)
        return time
      }
    }
    if isInside, !isInFile || !file.isDaily {
      guard let created = section.value("CREATED").flatMap(OrgTime.init), created.hasTime else {
        return nil
      }
      return created
    }
    var bare = title
    let stamp = OrgTimestamp.take(&bare)
    var found: OrgTime?
    if let stamp {
      found = OrgTime(stamp)
    } else if let created = section.value("CREATED").flatMap(OrgTime.init) {
      found = created
    } else if let line = section.lines.first(where: { !lines.isBlank($0) }) {
      found = OrgDraft.entered(lines.bytes[line.range]).map(OrgTime.init)
    } else {
      found = nil
    }
    if found == nil, day == nil,
      let dated = NotePieces.DayHeading(title, .init(range: 0..<0, number: 0), order),
      case .date(let time, let hasTime, let offset) = dated.reading
    {
      title = dated.title
      var found = OrgTime(day: time.day)
      (found.second, found.hasTime, found.offset) = (time.second, hasTime, offset)
      return found
    }
    if found == nil, day == nil { found = OrgDraft.lastResort(section, lines) }
    guard var found else { return nil }
    if let day, found.day != day {
      // The day above is the day that its writer saw.
      if stamp != nil { return isInFile ? nil : OrgTime(day: day) }
      found = OrgTime(day: day)
      return isInFile ? nil : found
    }
    if stamp != nil { title = bare }
    return found
  }

  /// A time at the start of a heading.
  private static func clock(
    _ title: ArraySlice<UInt8>
  ) -> (second: Int, rest: ArraySlice<UInt8>)? {
    guard title.first.map(ASCII.isDigit) == true else { return nil }
    return Heading(("# ".utf8 + title)[...]).flatMap(\.time).map { time in
      (time.second, ASCII.trimmed(time.rest.drop { "-:|, ".utf8.contains($0) }))
    }
  }

  // MARK: Entries

  private func item(_ draft: OrgDraft) -> ImportItem? {
    guard !draft.isDropped else { return nil }
    let place = ImportPlace(line: draft.line)
    do throws(FormatError) {
      guard var entry = try draft.entry(lines, options, at: place) else {
        return draft.isFile && drafts.count > 1 ? nil : .problem(entry: "has no text", place)
      }
      entry.isNote = draft.isFile && drafts.count == 1
      entry.isAloneAtItsTime = draft.time.hasTime
      entry.isTitled = entry.isNote && !draft.title.isEmpty
      return .entry(entry, place)
    } catch {
      return .problem(error, place)
    }
  }
}

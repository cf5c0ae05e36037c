import Journal

/// The metadata of a note from its front matter and file name.
struct Note {
  /// When it was written, on the local clock of its zone.
  var time: WallTime
  /// Whether ``time`` has a time of day.
  var hasTime: Bool
  /// The offset of that clock from UTC, in seconds, if the note has one.
  var offset: Int?
  /// When it was written, if the note has a count of seconds or milliseconds.
  var instant: Moment?
  /// The day that its name is.
  private var namedDay: Day?
  /// The clock of its zone.
  var clock: WallClock?
  var modified: Moment?
  var title: String?
  /// A text in a field, as in jrnl's exports.
  var body: String?
  var tags: [String] = []
  var isStarred = false
  var uuid: String?
  /// The fields that an entry cannot store.
  var unkept: [String] = []
  /// Further fields with a value of one line.
  var fields: [ImportedField] = []
  /// Whether the front matter is broken.
  var isRepaired = false
  /// Whether ``time`` is that of the last change, since the note has no other date.
  var isOfChange = false
  /// The date from which earlier builds derived the identity, if it is another one.
  var former: Moment?

  /// The fields of the date, the first one first.
  static let dates = [
    "date", "datetime", "created", "created_at", "creation_date", "created_time", "date_created",
    "created_date", "createdat", "time",
  ]
  /// The fields of the last change.
  static let changes = [
    "modified", "modified_at", "updated", "updated_at", "updatedat", "edited_at", "lastmod",
    "last_modified", "last_modified_at", "date_modified", "updated_time", "last_edited_time",
    "last_edited",
  ]
  /// Fields for programs, which say nothing of a day.
  static let technical: Set = [
    "title", "tags", "tag", "keywords", "body", "id", "uuid", "aliases", "alias", "cssclass",
    "cssclasses", "publish", "permalink", "layout", "draft", "slug", "type", "timezone",
    "time_zone", "tz", "image", "cover", "banner", "weight", "categories", "category", "series",
    "altitude", "completed?", "position", "url", "author", "entry", "taxonomies", "toc",
    "math", "lang", "stared", "nav_order", "kind", "extra", "template", "version",
  ]
  /// The order of earlier builds.
  private static let formerDates = [
    "created_at", "created", "date", "creation_date", "created_time", "date_created",
    "created_date", "createdat", "datetime", "time",
  ]

  /// Reads the fields.
  ///
  /// In a name that is a day alone, the name is the day, and front matter gives at most a time of
  /// that day: programs for notes write when a file came to be, also of a day written later.
  ///
  /// - Parameters:
  ///   - created: when it was written, if that is known already.
  ///   - takesFields: whether further fields with one short value are those of the entry.
  ///   - usesChange: whether the time of the last change is the date of a note without another one.
  /// - Throws: ``FormatError`` with the reason if there is no date.
  init(
    _ matter: inout FrontMatter?, _ name: DatedName?, zone: (String) -> NamedZone?,
    clock: WallClock, created: Moment? = nil, usesChange: Bool = false,
    takesFields: Bool = false
  ) throws(FormatError) {
    var fields = matter
    defer { matter = fields }
    let named = fields?.take(["timezone", "time_zone", "tz"]) { zone($0) != nil }
    self.clock = named.flatMap(zone)?.clock()
    let noteClock = self.clock ?? clock
    let found: Found
    if let created {
      found = Found(created)
    } else if let name, name.isDay {
      found = Note.adding(&fields, Note.time(&fields, on: Found(name, noteClock), noteClock))
    } else {
      let (date, isChange) = try Note.date(&fields, name, noteClock, usesChange)
      (found, isOfChange) = (date, isChange)
    }
    (time, hasTime, offset, instant) = (found.time, found.hasTime, found.offset, found.instant)
    namedDay = name.flatMap { $0.isDay ? $0.time.day : nil }
    guard fields != nil else { return }
    if created == nil { former = Note.former(fields, noteClock) }
    modified = Note.change(&fields, noteClock)
    title = fields?.takeTexts(["title"], separator: ", ")?.trimmingBlankLines
    body = fields?.takeTexts(["body"], separator: "\n\n")?.trimmingBlankLines
    tags = Note.tags(fields?.takeValues(["tags", "tag", "keywords"]))
    isStarred =
      fields?.takeFlag(["starred", "pinned", "favorite", "favourite", "stared"]) ?? false
    uuid = fields?.take(["uuid", "id"]) { EntryUUID.canonical($0) != nil }
      .flatMap(EntryUUID.canonical)
    if takesFields { self.fields = fields?.takeFields(except: Note.technical) ?? [] }
    unkept = fields?.unkept ?? []
    isRepaired = fields?.isRepaired ?? false
  }

  /// The time on its own clock, from which its identity is derived; `nil` for an instant.
  ///
  /// An instant is on the day of the name in some zones only, so there the day alone counts.
  var wallTime: Moment? {
    if instant != nil { return namedDay.map { WallTime(day: $0).moment(offset: 0) } }
    return offset == nil ? time.moment(offset: 0) : nil
  }

  /// A date that was found.
  private struct Found {
    var time: WallTime
    var hasTime: Bool
    var offset: Int?
    var instant: Moment?

    init(time: WallTime, hasTime: Bool, offset: Int? = nil, instant: Moment? = nil) {
      (self.time, self.hasTime, self.offset, self.instant) = (time, hasTime, offset, instant)
    }

    /// An instant as a clock shows it.
    init(_ instant: Moment) {
      let (hour, minute, second) = instant.localTime
      let time = WallTime(day: instant.localDay, second: hour * 3600 + minute * 60 + second)
      self.init(time: time, hasTime: true, instant: instant)
    }

    /// A time of day, at an offset if the file has one.
    ///
    /// An instant in UTC is shown on the clock, but a bare midnight is a calendar day.
    init(
      _ time: WallTime, hasTime: Bool, offset: Int?, isUniversal: Bool, _ clock: WallClock
    ) {
      if isUniversal, hasTime, time.second != 0 {
        self.init(clock.moment(at: time.moment(offset: 0).seconds))
        return
      }
      let isDay = isUniversal && hasTime
      self.init(time: time, hasTime: hasTime && !isDay, offset: isDay ? nil : offset)
    }

    init(_ name: DatedName, _ clock: WallClock) {
      self.init(
        name.time, hasTime: name.hasTime, offset: name.offset, isUniversal: name.isUniversal, clock)
    }

    /// The date in a field; `nil` for any other text.
    init?(_ text: String, _ clock: WallClock) {
      if let instant = EpochText.moment(text, clock) {
        self.init(instant)
        return
      }
      // A link to a day, `[[2024-01-05|Friday]]`.
      let isLink = text.hasPrefix("[[") && text.hasSuffix("]]")
      let text = isLink ? String(text.dropFirst(2).dropLast(2).prefix { $0 != "|" }) : text
      guard case .date(let time, let hasTime, let offset) = DateText.read(text) else { return nil }
      let isUniversal = offset == 0 && DateText.isUniversal(Array(text.utf8)[...])
      self.init(time, hasTime: hasTime, offset: offset, isUniversal: isUniversal, clock)
    }
  }

  /// The date of a name with the time of day from front matter, if that is of the same day.
  private static func time(
    _ matter: inout FrontMatter?, on named: Found, _ clock: WallClock
  ) -> Found {
    for (field, text) in matter?.texts(dates) ?? [] {
      guard let found = Found(text, clock), found.time.day == named.time.day else { continue }
      matter?.take(name: field)
      if found.hasTime { return found }
    }
    return named
  }

  /// The date from front matter, else from the file name, and whether it is that of the last change.
  private static func date(
    _ matter: inout FrontMatter?, _ name: DatedName?, _ clock: WallClock, _ usesChange: Bool
  ) throws(FormatError) -> (Found, isOfChange: Bool) {
    let candidates = matter?.texts(dates) ?? []
    for (field, text) in candidates {
      if let found = Found(text, clock) {
        matter?.take(name: field)
        return (adding(&matter, found), false)
      }
      switch DateText.read(text) {
      case .ambiguous:
        throw FormatError("the date \(text.excerpt) is ambiguous; write it as 2024-01-05")
      case .impossible: throw FormatError("there is no date \(text.excerpt)")
      case .date, .other: break
      }
      // Another field may be of another day.
      if field == "date" || field == "datetime" {
        guard name == nil else { break }
        throw FormatError("the date \(text.excerpt) is invalid, \(remedy)")
      }
    }
    if let name { return (adding(&matter, Found(name, clock)), false) }
    if let first = candidates.first {
      throw FormatError("the date \(first.text.excerpt) is invalid, \(remedy)")
    }
    let changed = usesChange ? matter?.texts(changes) ?? [] : []
    guard let found = changed.lazy.compactMap({ Found($0.text, clock) }).first else {
      throw FormatError(entry: "has no date, \(remedy)")
    }
    return (found, true)
  }

  private static let remedy = "in front matter or in its name; use a name such as 2024-01-05.md"

  /// The date that earlier builds read in front matter.
  private static func former(_ matter: FrontMatter?, _ clock: WallClock) -> Moment? {
    for (_, text) in matter?.texts(formerDates) ?? [] {
      if let moment = EpochText.moment(text, clock) { return moment }
      guard case .date(let time, _, let offset) = DateText.read(text) else { continue }
      return time.moment(offset: offset ?? 0)
    }
    return nil
  }

  /// Adds the time of day from a field of its own.
  private static func adding(_ matter: inout FrontMatter?, _ found: Found) -> Found {
    guard !found.hasTime,
      let text = matter?.take(
        ["time"], where: { DateText.time(Array($0.utf8.prefix(80))[...]) != nil }),
      let second = DateText.time(Array(text.utf8)[...])
    else { return found }
    var found = found
    found.time.second = second
    found.hasTime = true
    return found
  }

  private static func change(_ matter: inout FrontMatter?, _ clock: WallClock) -> Moment? {
    for (field, text) in matter?.texts(changes) ?? [] {
      if let moment = EpochText.moment(text, clock) {
        matter?.take(name: field)
        return moment
      }
      guard case .date(let time, true, let offset) = DateText.read(text) else { continue }
      matter?.take(name: field)
      return time.moment(offset: offset, clock)
    }
    return nil
  }

  /// The tags of a list, or of a value separated by commas, or else by spaces.
  private static func tags(_ value: FieldValue?) -> [String] {
    let parts: [String]
    switch value {
    case nil, .table?: return []
    case .text(let text)?:
      let separator: Character = text.contains(",") ? "," : " "
      parts = text.split(separator: separator).map(String.init)
    case .list?: parts = value?.texts ?? []
    }
    return parts.map { part in
      let tag = String(decoding: ASCII.trimmed(Array(part.utf8)[...]), as: UTF8.self)
      return tag.hasPrefix("#") ? String(tag.dropFirst()) : tag
    }
    .filter { !$0.isEmpty }
  }
}

extension String {
  /// The text without leading and trailing blank lines.
  var trimmingBlankLines: String {
    var lines = Array(utf8).split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    while lines.first?.allSatisfy(ASCII.isSpace) == true { lines.removeFirst() }
    while lines.last?.allSatisfy(ASCII.isSpace) == true { lines.removeLast() }
    return String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
  }
}

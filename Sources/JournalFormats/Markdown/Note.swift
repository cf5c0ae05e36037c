import Journal

/// What front matter and the name of a note say beside its text.
struct Note {
  /// When it was written, on the clock of its place.
  var time: WallTime
  /// Whether ``time`` is more than the day.
  var hasTime: Bool
  /// The offset of that clock from UTC, in seconds, where the note has one.
  var offset: Int?
  /// When it was written, where the note counts seconds or milliseconds.
  var instant: Moment?
  /// The clock of the zone it names.
  var clock: WallClock?
  var modified: Moment?
  var title: String?
  /// A text that stands in a field, as jrnl's exports have it.
  var body: String?
  var tags: [String] = []
  var isStarred = false
  var uuid: String?
  /// The fields that have no place in an entry.
  var unkept: [String] = []
  /// Whether the front matter is broken.
  var isMended = false

  private static let dates = [
    "created_at", "created", "date", "creation_date", "created_time", "date_created",
    "created_date", "createdat", "datetime", "time",
  ]
  private static let changes = [
    "modified", "modified_at", "updated", "updated_at", "updatedat", "edited_at", "lastmod",
    "last_modified", "last_modified_at", "date_modified", "updated_time",
  ]

  /// Reads the fields.
  ///
  /// - Throws: ``FormatError`` saying why there is no date.
  init(
    _ matter: inout FrontMatter?, _ name: DatedName?, zone: (String) -> ZoneFile?,
    clock: WallClock
  ) throws(FormatError) {
    var fields = matter
    defer { matter = fields }
    let named = fields?.take(["timezone", "time_zone", "tz"]) { zone($0) != nil }
    self.clock = named.flatMap(zone)?.clock()
    let date = try Note.date(&fields, name, self.clock ?? clock)
    (time, hasTime, offset, instant) = (date.time, date.hasTime, date.offset, date.instant)
    guard fields != nil else { return }
    modified = Note.change(&fields, self.clock ?? clock)
    title = fields?.takeTexts(["title"], separator: ", ")?.trimmingBlankLines
    body = fields?.takeTexts(["body"], separator: "\n\n")?.trimmingBlankLines
    tags = Note.tags(fields?.takeValues(["tags", "tag", "keywords"]))
    isStarred =
      fields?.takeFlag(["starred", "pinned", "favorite", "favourite", "stared"]) ?? false
    uuid = fields?.take(["uuid", "id"]) { EntryUUID.canonical($0) != nil }
      .flatMap(EntryUUID.canonical)
    unkept = fields?.unkept ?? []
    isMended = fields?.isMended ?? false
  }

  private typealias Found = (time: WallTime, hasTime: Bool, offset: Int?, instant: Moment?)

  /// Asks front matter, then the name.
  private static func date(
    _ matter: inout FrontMatter?, _ name: DatedName?, _ clock: WallClock
  ) throws(FormatError) -> Found {
    let candidates = matter?.texts(dates) ?? []
    for (field, text) in candidates {
      if let instant = EpochText.moment(text, clock) {
        matter?.take(name: field)
        let (hour, minute, second) = instant.localTime
        let time = WallTime(day: instant.localDay, second: hour * 3600 + minute * 60 + second)
        return (time, true, nil, instant)
      }
      switch DateText.read(text) {
      case .date(let time, let hasTime, let offset):
        matter?.take(name: field)
        return adding(&matter, (time, hasTime, offset, nil))
      case .ambiguous:
        throw FormatError("the date \(text.excerpt) may be two days; write it as 2024-01-05")
      case .impossible: throw FormatError("there is no date \(text.excerpt)")
      case .other: continue
      }
    }
    guard let name else {
      let reason = candidates.first.map { "the date \($0.text.excerpt) is none" } ?? "has no date"
      throw FormatError("\(reason), in front matter or in its name; 2024-01-05.md would do")
    }
    return adding(&matter, (name.time, name.hasTime, nil, nil))
  }

  /// Adds the time of day that has a field of its own.
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

  /// Tags of a list, or of one value between commas, or else spaces.
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
  /// The text without blank lines before and after it.
  var trimmingBlankLines: String {
    var lines = Array(utf8).split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    while lines.first?.allSatisfy(ASCII.isSpace) == true { lines.removeFirst() }
    while lines.last?.allSatisfy(ASCII.isSpace) == true { lines.removeLast() }
    return String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
  }
}

import Foundation
import Journal
import Markdown
import TextLayout

@testable import TextLayout

/// A stopped clock, so that relative dates mean the same in every run.
let fuzzClock = WallClock.fixed(seconds: 1_795_000_000, offset: 3600)

extension FuzzTarget {
  /// A text of any bytes.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Marks

  /// The links of a text are in order, and none is in another.
  ///
  /// A link whose target is replaced by itself is the same text, the key of a key is the same, and the pass
  /// that finds links and fields finds all tags.
  static let links = FuzzTarget(
    "links",
    tokens: [
      "[[", "]]", "|", "#", "!", "\\", "`", "```", "\n", "2026-11", "](", "<!--", "-->", "#a", "@b",
    ]
  ) { bytes in
    let text = text(bytes)
    let marks = Marks(text)
    try promiseEqual(marks.tags.map(\.name), Tag.names(in: text), "tags")
    var end = 0
    for link in marks.links {
      try promise(link.range.lowerBound >= end && !link.targetRange.isEmpty, "range \(link)")
      end = link.range.upperBound
      try promise(
        Array(text.utf8)[link.targetRange].elementsEqual(link.target.utf8), "target \(link)")
      try promiseEqual(Journal.Link.key(of: link.key), link.key, "key of \(link)")
      for key in Journal.Link.keys(ofTitleKey: link.key) {
        try promiseEqual(Journal.Link.key(of: key), key, "key \(key)")
      }
    }
    try promise(
      Journal.Link.text(replacingTargetsIn: text) { $0.target }.isSame(as: text),
      "replaced by itself")
    let title = Entry.title(of: text)
    if let link = Journal.Link.text(to: title) {
      try promiseEqual(Journal.Link.all(in: link).map(\.target), [title], "link to \(title)")
    }
  }

  /// A value that is printed is read as the same value, names are keys, and no field is in a link.
  static let fields = FuzzTarget(
    "fields",
    tokens: [
      "a:: ", "b:: 4", "[c:: ", "(d:: ", "]", ")", "7h20", "5.2 km", "1,234.5", "€", "2026-11-21",
      "\n", "- ",
      "[[", "]]", "`", "/5", "%", ":", "::", "9:30", "é", "日", "−",
    ]
  ) { bytes in
    for field in Field.all(in: text(bytes)) {
      try promise(!field.name.isEmpty && !field.name.contains(" "), "name \(field)")
      try promise(Folding.fold(field.key).isSame(as: field.key), "key of \(field)")
      let again = FieldValue(field.value.description)
      if field.value.kind != .words {
        try promise(again == field.value, "\(field.value) is read as \(again)")
      }
    }
  }

  /// A file of a text is written so that it reads back, and is one of those that keep its file in use.
  static let files = FuzzTarget(
    "files",
    tokens: [
      "![", "](file:", "0123456789abcdef", ".jpg", ")", "\\", "`", "```", "\n", "<", ">", "[[",
      "]]", "#a",
      "::", " \"title\"", "|", "\n| --- |\n",
    ]
  ) { bytes in
    let text = text(bytes)
    let files = FileLink.all(in: text)
    try promiseEqual(Marks(text).files, files, "in one pass")
    let used = FileLink.targets(anywhereIn: text)
    for file in files {
      try promise(used.contains(file.target), "in use \(file)")
      try promiseEqual(FileLink.all(in: file.markdown).count, 1, "again \(file.markdown)")
    }
    var end = 0
    for place in FileLink.places(in: text) {
      try promise(
        place.range.lowerBound >= end && place.range.contains(place.shown.lowerBound), "\(place)")
      end = place.range.upperBound
    }
    let named = FileLink(toFileNamed: text, target: "0123456789abcdef", isPicture: true)
    try promiseEqual(FileLink.all(in: named.markdown), [named], "named \(named.markdown)")
  }

  /// The header of a picture costs few reads, and a size that is read is one.
  static let pictureHeader = FuzzTarget(
    "picture-header",
    tokens: [
      "ftyp", "heic", "avif", "meta", "iprp", "ipco", "ipma", "ispe", "irot", "pitm", "iinf",
      "infe",
      "iloc", "Exif\0\0", "II*\0", "MM\0*", "\u{0}\u{0}\u{0}\u{8}", "\u{1}", "2026:11:21 09:15:30",
    ]
  ) { bytes in
    var (reads, read) = (0, 0)
    let header = PictureHeader { offset, count in
      reads += 1
      read += count
      return Array(bytes.dropFirst(min(offset, bytes.count)).prefix(count))
    }
    try promise(reads < 3_000 && read < 4 << 20, "\(reads) reads of \(read) bytes")
    if let pixels = header?.pixels {
      try promise(pixels.width > 0 && pixels.height > 0, "\(pixels)")
    }
    if let taken = header?.taken {
      let moment = taken.moment(on: fuzzClock)
      try promiseEqual(Moment("\(moment)"), moment, "the moment")
    }
  }

  // MARK: Queries

  /// A query's printed form means the same query, and an error names a column of the text.
  static let query = FuzzTarget(
    "query",
    tokens: [
      "OR", "AND", "NOT", "|", "-", "(", ")", "\"", "*", "#", "@", "is:starred", "is:", "since:",
      "until:", "on:", "on:*-02-29", "words:", "id:", "links:", "linked:", "linksto:", "field:",
      "run:>5", "slept:",
      "7h20", "weather:", "is:broken", "has:picture", "file:", "*.pdf", "1.5M", "kB", "=", "..",
      "2026-11-21", "2026", ">", "<=",
      "e\u{301}",
      " ", "\u{A0}", "a", "İ", "ß", "\u{200B}", "last-friday", "/",
    ]
  ) { bytes in
    let text = text(bytes)
    let entry = Entry(
      uuid: "01890a5d-ac96-774b-bcce-b302099a8057", created: fuzzClock.moment(),
      modified: fuzzClock.moment(), day: fuzzClock.moment().localDay,
      text: "Walked to the lake #work/api @anna\n\ncafé a b c 2026 日本")
    for isTyping in [false, true] {
      let query: Query
      do throws(QueryError) {
        query = try parsed(text, isTyping: isTyping)
      } catch {
        try promise(
          (1...text.count + 1).contains(error.column), "column \(error.column): \(error)")
        continue
      }
      let places = QueryHighlighter(query).places(in: entry.text)
      try promise(areAscending(places, in: entry.text), "highlights \(places)")
      let printed = "\(query)"
      let again: Query
      do throws(QueryError) {
        again = try parsed(printed)
      } catch {
        // Parentheses and folding may make the printed form longer than a query may be.
        if case .tooLong = error.problem { continue }
        throw Violation(description: "\(printed) is not a query: \(error)")
      }
      try promise(again == query, "\(query) is read as \(again)")
      try promiseEqual(again.matches(entry), query.matches(entry), "matches of \(printed)")
    }
  }

  private static func parsed(_ text: String, isTyping: Bool = false) throws(QueryError) -> Query {
    try Query.parse(text, now: fuzzClock.moment(), clock: fuzzClock, prefixLastWord: isTyping)
  }

  private static func areAscending(_ ranges: [Range<Int>], in text: String) -> Bool {
    var end = 0
    for range in ranges {
      guard range.lowerBound >= end, !range.isEmpty else { return false }
      end = range.upperBound
    }
    return end <= text.utf8.count
  }

  // MARK: Dates

  /// A date is read again from its printed form, and a period does not end before it begins.
  static let date = FuzzTarget(
    "date",
    tokens: [
      "today", "yesterday", "monday", "last ", "next ", "in ", " ago", "3d", "w", "m", "y", "2026",
      "-11", "-21", "W53", "T", "09:15", ":", "am", "pm", "noon", " at ", "+01:00", "Z", "31 apr",
      "feb", "29", ".", "/", "00", "9999", "th", "weeks", "٣", "%e", "%",
    ]
  ) { bytes in
    let text = text(bytes)
    let now = fuzzClock.moment()
    for rule in [DayRule(), DayRule(endsAt: 0)] {
      let parse = { (text: String) throws(WhenError) in
        try When.parse(text, now: now, clock: fuzzClock, rule: rule)
      }
      _ = DatePrefix(text, now: now, clock: fuzzClock, rule: rule)
      let when: When
      do throws(WhenError) {
        when = try parse(text)
      } catch {
        try promise(!error.description.isEmpty, "an error without words")
        continue
      }
      try promise(when.firstDay <= when.lastDay, "\(text) ends before it begins")
      _ = try? when.resolved(now: now, clock: fuzzClock, rule: rule)
      switch when {
      case .day(let first, let last):
        let days = try [first, last].map { try parse($0.description) }
        try promiseEqual(days.map(\.firstDay), [first, last], "days of \(text)")
      case .moment(let moment, _):
        guard case .moment(let again, _) = try parse(moment.description) else {
          throw Violation(description: "\(moment) is no moment")
        }
        try promiseEqual(again, moment, "moment of \(text)")
      }
    }
    if let moment = Moment(text) { try promiseEqual(Moment("\(moment)"), moment, "moment") }
    if let day = Day(text) { try promiseEqual(day.description, text, "day") }
    for kind in [DateFormat.Kind.date, .time] {
      guard let format = DateFormat(text, kind) else { continue }
      _ = (format.text(of: now), format.text(of: now.localDay))
    }
  }

  // MARK: Screen text

  /// Nothing that reaches the terminal can drive it or reorder a line, and widths are as computed.
  static let sanitizer = FuzzTarget(
    "sanitizer",
    tokens: [
      "\u{1B}]0;T\u{7}", "\u{1B}[2J", "\u{9B}31m", "\u{8}", "\r", "\t", "\n", "\u{7F}", "\u{202E}",
      "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{E0041}", "e\u{301}", "\u{200D}", "👩‍👩‍👧", "🇩", "\u{FE0F}",
      "\u{2028}", "日", "ก\u{E33}", "\u{1100}\u{1161}", "\u{1F3FD}", "\u{E000}", "\u{34F}", "क्षि",
    ]
  ) { bytes in
    let text = text(bytes)
    for safe in [Sanitizer.plain(text), Sanitizer.plainLine(text)] {
      try promiseSafe(safe, mayHaveLines: true, "plain")
    }
    try promise(!Sanitizer.plainLine(text).utf8.contains(0x0A), "a message of two lines")
    for showsHidden in [false, true] {
      let line = Sanitizer.line(text, showsHidden: showsHidden)
      try promiseEqual(
        line.reduce(0) { $0 + $1.sourceLength }, text.utf8.count, "bytes of the clusters")
      for cluster in line + Sanitizer.body(text, showsHidden: showsHidden).joined() {
        try promiseSafe(cluster.text, mayHaveLines: false, "cluster")
        try promise(cluster.columns >= 0, "a negative width")
      }
      for columns in [0, 1, 7] {
        let cut = Sanitizer.line(text, columns: columns, showsHidden: showsHidden)
        let width = cut.reduce(0) { $0 + $1.columns }
        try promise(width <= columns, "\(width) of \(columns) columns")
      }
    }
    try promiseEqual(
      TextWidth.columns(of: text), Sanitizer.line(text).reduce(0) { $0 + $1.columns }, "columns")
  }

  /// Promises that a text has no control character and no sign that reorders text.
  private static func promiseSafe(_ text: String, mayHaveLines: Bool, _ what: String) throws {
    for scalar in text.unicodeScalars {
      let isBad: Bool
      switch scalar.value {
      case 0x0A: isBad = !mayHaveLines
      case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x061C, 0x2028...0x202E, 0x2066...0x2069,
        0xE0000...0xE007F:
        isBad = true
      default: isBad = false
      }
      // A flag of a region ends in tags, which only an emoji may have.
      let isFlag = text.unicodeScalars.first?.value == 0x1F3F4 || what == "plain"
      if scalar.value >= 0xE0000, isFlag { continue }
      try promise(!isBad, "\(what) has U+\(String(scalar.value, radix: 16))")
    }
  }

  /// Keys do not depend on how the bytes arrive, and after the end the decoder starts afresh.
  static let keyDecoder = FuzzTarget(
    "key-decoder",
    tokens: [
      "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}[<0;12;5M", "\u{1B}[M", "\u{1B}[200~", "\u{1B}[201~",
      "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}", "\u{1B}[?", "$y", "c", "u", "\u{1B}[27u", "\u{1B}[I",
      "\u{1B}[99;5u", "997;1n",
      "\u{1B}\\", "\u{1B}P1", "\u{1B}_G", "\u{1B}[[A", "1;5",
      "A", "~",
      "$", "é", "日", "\u{7F}",
    ]
  ) { bytes in
    for expectsAnswer in [false, true] {
      let whole = events(of: [bytes], expectsAnswer)
      let single = events(of: bytes.map { [$0] }, expectsAnswer)
      try promiseEqual(single, whole, "byte by byte")
      let size = Int(bytes.first ?? 0) % 7 + 2
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
      try promiseEqual(events(of: pieces, expectsAnswer), whole, "in pieces of \(size)")
    }
    var decoder = KeyDecoder()
    for byte in bytes {
      _ = decoder.feed([byte])
      _ = decoder.timeOut()
      try promise(!decoder.isWaiting, "waits after a timeout")
    }
  }

  private static func events(of pieces: [[UInt8]], _ expectsAnswer: Bool) -> [KeyEvent] {
    var decoder = KeyDecoder()
    decoder.expectsAnswer = expectsAnswer
    var events = pieces.flatMap { decoder.feed($0) } + decoder.finish()
    decoder.expectsAnswer = false
    events += decoder.feed(Array("x".utf8))
    return events
  }

  /// Every key of a script has a name that is the same key, and an error names its position.
  static let keyScript = FuzzTarget(
    "key-script",
    tokens: [
      "<", ">", "<Enter>", "<C-", "<A-", "<S-", "<lt>", "<Paste>", "</Paste>", "<Wait 500ms>",
      "<Wait ", "<Say ", "<Run ", "\n", "#", "<F12>", "<C->>", "s>", "é", "e\u{301}", "<PgUp>",
    ]
  ) { bytes in
    let text = text(bytes)
    let steps: [KeyScript.Step]
    do throws(KeyScriptError) {
      steps = try KeyScript.parse(text)
    } catch {
      let lines = text.unicodeScalars.count { $0 == "\n" } + 1
      try promise((1...lines).contains(error.line), "line \(error.line) of \(lines)")
      try promise((1...text.unicodeScalars.count).contains(error.column), "column \(error.column)")
      return
    }
    try promise(steps.count <= text.unicodeScalars.count, "\(steps.count) steps")
    for case .event(.stroke(let stroke)) in steps {
      // A literal ^H is the key <BS> with other bytes than those of its name.
      try promiseEqual(KeyStroke(named: stroke.name)?.name, stroke.name, "the key")
    }
  }
}

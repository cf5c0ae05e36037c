import Journal

/// The title and the text of another program's note, which stores them apart.
struct NoteText {
  /// The title as one line, possibly empty.
  let title: String
  /// The text without blank lines around it.
  let body: String

  init(title: String, body: String) {
    self.title = OneLine.text(title)
    self.body = LineEnds.unified(body).trimmingBlankLines
  }

  /// The title as first line, unless it is empty or the text begins with it; then the text after a
  /// blank line.
  var joined: String {
    if title.isEmpty || beginsWithTitle { return body }
    return body.isEmpty ? title : "\(title)\n\n\(body)"
  }

  /// Whether the first line of the text is the title, or the title and further words.
  private var beginsWithTitle: Bool {
    let line = Array(body.utf8.prefix { $0 != 0x0A })[...]
    let opening = Heading(line)?.text ?? ASCII.trimmed(line)
    guard opening.starts(with: title.utf8) else { return false }
    let rest = String(decoding: opening.dropFirst(title.utf8.count), as: UTF8.self)
    return rest.first.map { !$0.isLetter && !$0.isNumber } ?? true
  }

  /// The date that the title is, if it is nothing else: the day that its writer meant.
  var date: (time: WallTime, hasTime: Bool)? {
    guard case .date(let time, let hasTime, _) = DateText.read(title) else { return nil }
    return (time, hasTime)
  }

  /// The entry of a note.
  ///
  /// A title that is a date is the day of the note, and not part of its text: programs for notes say
  /// when a note came to be, also of a day that was written later. Of the same day the instant has
  /// the time.
  func entry(created: Moment, clock: WallClock) -> ImportedEntry {
    guard let date else { return ImportedEntry(created: created, text: joined) }
    let isSameDay = date.time.day == created.localDay
    var entry = ImportedEntry(
      created: isSameDay ? created : date.time.moment(clock),
      wallTime: date.time.moment(offset: 0), day: date.time.day, text: body)
    entry.isAloneAtItsTime = true
    // The title is the same day in every zone, and the instant is not.
    if isSameDay {
      entry.former = ImportedEntry.Former(text: body, time: created)
    } else {
      entry.unkept = ["created"]
    }
    return entry
  }
}

/// A text of another program as one line.
enum OneLine {
  /// The words of a text, separated by single spaces.
  static func text(_ text: String) -> String {
    text.split(whereSeparator: { $0.isWhitespace || $0 == "\u{0}" }).joined(separator: " ")
  }
}

extension ImportedEntry {
  /// Keeps a value as a field, unless it is empty or there already.
  mutating func keep(_ value: String?, as name: String) {
    let value = OneLine.text(value ?? "")
    let field = ImportedField(name: name, value: value)
    guard !value.isEmpty, !fields.contains(field) else { return }
    fields.append(field)
  }

  /// Keeps a place on the earth as the field `coordinates`; nothing if it is none.
  mutating func keepCoordinates(_ latitude: Double?, _ longitude: Double?) {
    guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180,
      latitude != 0 || longitude != 0
    else { return }
    keep("\(Decimals.text(latitude, 6)), \(Decimals.text(longitude, 6))", as: "coordinates")
  }

  /// Adds a remark once.
  mutating func remark(_ text: String) {
    if !remarks.contains(text) { remarks.append(text) }
  }
}

/// Decimal numbers in fields.
enum Decimals {
  /// A number with at most some digits after the point, and no zeros at the end.
  static func text(_ number: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (abs(number) * scale).rounded()
    guard scaled < 1e15 else { return String(number) }
    let whole = Int(scaled)
    let (units, rest) = whole.quotientAndRemainder(dividingBy: Int(scale))
    var fraction = String(rest)
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let sign = number < 0 && whole != 0 ? "-" : ""
    return "\(sign)\(units)\(fraction.isEmpty ? "" : ".\(fraction)")"
  }
}

extension JSONValue {
  /// The value of a number, or of a text with a number.
  var double: Double? {
    switch self {
    case .number(let text), .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The text of a string or a number; empty for other values.
  var plainText: String {
    switch self {
    case .number(let text), .string(let text): text
    default: ""
    }
  }

  /// Whether the value is empty: `null`, `false`, 0, or an empty string, array or object.
  var saysNothing: Bool {
    switch self {
    case .null: true
    case .bool(let value): !value
    case .number(let text): Double(text) == 0
    case .string(let text): text.isEmpty
    case .array(let values): values.allSatisfy(\.saysNothing)
    case .object(let members): members.allSatisfy(\.value.saysNothing)
    }
  }

  /// The names of the members that say something, but for some.
  func unkept(but known: Set<String>) -> [String] {
    (members ?? []).filter { !known.contains($0.name) && !$0.value.saysNothing }.map(\.name)
  }

  /// The same of an object in a member, or of each object in its list, each name once:
  /// `weather windSpeedKPH`.
  func unkept(in member: String, but known: Set<String>) -> [String] {
    var seen: Set<String> = []
    return (self[member]?.array ?? [self[member]].compactMap(\.self))
      .flatMap { $0.unkept(but: known) }.filter { seen.insert($0).inserted }
      .map { "\(member) \($0)" }
  }
}

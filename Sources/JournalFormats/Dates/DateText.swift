import Journal

/// Parses dates in common formats: ISO 8601, `05.01.2024 14:30`, `01/05/2024 02:30 PM`, `Friday,
/// January 5, 2024`, `5 Jan 2024 14:30`, with an optional time and offset.
///
/// It never guesses: a date with two readings is ``DateReading/ambiguous`` unless other dates of
/// the file decide the order, and years have four digits. Names of months are those of
/// ``DateVocabulary``.
enum DateText {
  /// Parses a whole text.
  static func read(_ text: ArraySlice<UInt8>, order: DateOrder? = nil) -> DateReading {
    guard var tokens = DateTokens(text) else { return .other }
    skipWeekday(&tokens)
    if let compact = tokens.attempt(DateText.compact) { return compact }
    let fields: DateFields
    if let numeric = tokens.attempt(DateFields.numeric) {
      fields = numeric
    } else if let named = tokens.attempt(DateFields.named) {
      fields = named
    } else {
      return .other
    }
    return finish(fields, &tokens, order)
  }

  /// Whether a text may begin with a date: with a number, or a word of dates and a number near it.
  ///
  /// Most lines of a text do not, and are not looked at any further.
  static func mayBegin(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    if ASCII.isDigit(first) { return true }
    guard text.prefix(80).contains(where: ASCII.isDigit) else { return false }
    // Names in other scripts are rare.
    guard first < 0x80 else { return true }
    let letters = text.prefix { ASCII.isLetter($0) || $0 >= 0x80 }
    guard (1...24).contains(letters.count) else { return false }
    let word = String(decoding: letters, as: UTF8.self)
    return DateVocabulary.before.contains(word.lowercased()) || isWeekday(word)
      || DateFields.month(named: word.lowercased()) != nil
  }

  /// Parses a string.
  static func read(_ text: String, order: DateOrder? = nil) -> DateReading {
    read(Array(text.utf8.prefix(80))[...], order: order)
  }

  /// Whether a date ends in `Z` or `UTC`.
  ///
  /// Programs write every instant so, wherever the text was written.
  static func isUniversal(_ text: ArraySlice<UInt8>) -> Bool {
    let end = text.lazy.reversed().drop { ASCII.isSpace($0) || $0 == UInt8(ascii: ")") }
    let letters = end.prefix(while: ASCII.isLetter)
    return ["z", "ctu"].contains(String(decoding: Array(letters), as: UTF8.self).lowercased())
  }

  /// The order of all dates in a file, as this date shows it; `nil` if it is ambiguous.
  static func order(of text: ArraySlice<UInt8>) -> DateOrder? {
    guard var tokens = DateTokens(text) else { return nil }
    skipWeekday(&tokens)
    return tokens.attempt(DateFields.numeric)?.order
  }

  /// A time alone: `14:30`, `02:30 PM`.
  static func time(_ text: ArraySlice<UInt8>) -> Int? {
    guard var tokens = DateTokens(text), let second = ClockText.read(&tokens) else { return nil }
    return tokens.isAtEnd ? second : nil
  }

  private static func skipWeekday(_ tokens: inout DateTokens) {
    if tokens.word(among: DateVocabulary.before) { tokens.skipSpace() }
    guard tokens.attempt({ $0.word().flatMap { isWeekday($0) ? true : nil } }) != nil else {
      return
    }
    // `Sa., 06.01.2024`
    _ = tokens.sign(".")
    _ = tokens.sign(",.")
    tokens.skipSpace()
    if tokens.word(among: DateVocabulary.before) { tokens.skipSpace() }
  }

  private static func finish(
    _ fields: DateFields, _ tokens: inout DateTokens, _ order: DateOrder?
  ) -> DateReading {
    var fields = fields
    skipJoint(&tokens)
    let isTimeNext = tokens.isAtNumber
    let second = tokens.attempt(ClockText.read)
    // `ctime` writes the year last.
    if fields.year == nil {
      tokens.skipSpace()
      fields.year = tokens.number(digits: 4...4)
    }
    let offset = second == nil ? nil : tokens.attempt(ClockText.offset)
    if isTimeNext, second == nil { return fields.isCertain ? .impossible : .other }
    // Further words mean a text that begins with a date.
    guard tokens.isAtEnd, let year = fields.year else { return .other }
    guard let (month, day) = fields.monthAndDay(order) else { return .ambiguous }
    guard let found = Day(year: year, month: month, day: day) else { return .impossible }
    return .date(WallTime(day: found, second: second ?? 0), hasTime: second != nil, offset: offset)
  }

  /// `202401051430` and `20240105143000`, and nothing else.
  private static func compact(_ tokens: inout DateTokens) -> DateReading? {
    guard var whole = tokens.number(digits: 12...14), tokens.isAtEnd else { return nil }
    guard let digits = tokens.lastDigits, digits != 13 else { return nil }
    if digits == 12 { whole *= 100 }
    let (hour, minute, second) = (whole / 10_000 % 100, whole / 100 % 100, whole % 100)
    let date = whole / 1_000_000
    guard hour < 24, minute < 60, second < 60, date >= 1000_00_00,
      let day = Day(year: date / 10_000, month: date / 100 % 100, day: date % 100)
    else { return nil }
    let time = WallTime(day: day, second: hour * 3600 + minute * 60 + second)
    return .date(time, hasTime: true, offset: nil)
  }

  /// Skips the separator of a date and a time.
  private static func skipJoint(_ tokens: inout DateTokens) {
    _ = tokens.sign(",")
    tokens.skipSpace()
    if tokens.sign("-@") != nil { return tokens.skipSpace() }
    _ = tokens.attempt(joint)
  }

  /// A word before a time; any other one is that of a text: `2024-01-05 a walk`.
  private static func joint(_ tokens: inout DateTokens) -> Bool? {
    guard tokens.word(among: DateVocabulary.joints) else { return nil }
    tokens.skipSpace()
    if tokens.word(among: DateVocabulary.joints) { tokens.skipSpace() }
    return tokens.isAtNumber ? true : nil
  }

  private static let weekdays: Set<String> = Set(
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].flatMap {
      [$0, String($0.prefix(3)), String($0.prefix(2))]
    } + ["tues", "thur", "thurs", "weds"])

  /// Whether a word is the name of a weekday, in English or another language.
  static func isWeekday(_ word: String) -> Bool {
    weekdays.contains(word.lowercased()) || DateVocabulary.isWeekday(word)
  }
}

/// The fields of a date before their roles are known.
struct DateFields {
  var year: Int?
  /// The two numbers beside the year, in the order of the text.
  var first: Int
  var second: Int
  /// The order that separators or names imply.
  var known: DateOrder?
  /// Whether only a date has this form.
  var isCertain: Bool

  /// The order that the numbers themselves imply.
  var order: DateOrder? {
    if known != nil { return nil }
    if first > 12, second <= 12 { return .dayFirst }
    return second > 12 && first <= 12 ? .monthFirst : nil
  }

  /// The month and day; `nil` if both orders are possible.
  func monthAndDay(_ hint: DateOrder?) -> (Int, Int)? {
    if known == nil, order == nil, first == second { return (first, second) }
    switch known ?? order ?? hint {
    case .dayFirst: return (second, first)
    case .monthFirst: return (first, second)
    case nil: return nil
    }
  }

  /// `2024-01-05`, `20240105`, `05.01.2024`, `05.01.24`, `01/05/2024`.
  static func numeric(_ tokens: inout DateTokens) -> DateFields? {
    if let whole = tokens.number(digits: 8...8) {
      return DateFields(
        year: whole / 10_000, first: whole / 100 % 100, second: whole % 100, known: .monthFirst,
        isCertain: false)
    }
    if let year = tokens.number(digits: 4...4) {
      guard let sign = tokens.sign("-/._"), let month = tokens.number(digits: 1...2),
        tokens.sign("-/._") == sign, let day = tokens.number(digits: 1...2)
      else { return nil }
      return DateFields(
        year: year, first: month, second: day, known: .monthFirst, isCertain: true)
    }
    if let short = tokens.attempt(shortYear) { return short }
    guard let first = tokens.number(digits: 1...2), let sign = tokens.sign("-/."),
      let second = tokens.number(digits: 1...2), tokens.sign("-/.") == sign,
      let year = tokens.number(digits: 4...4)
    else { return nil }
    return DateFields(
      year: year, first: first, second: second,
      known: sign == UInt8(ascii: ".") ? .dayFirst : nil, isCertain: true)
  }

  /// `05.01.24`, with two digits each, so that it is no number of a version or a chapter, and a day and a month
  /// that there may be.
  private static func shortYear(_ tokens: inout DateTokens) -> DateFields? {
    guard let day = tokens.number(digits: 2...2), (1...31).contains(day), tokens.sign(".") != nil,
      let month = tokens.number(digits: 2...2), (1...12).contains(month), tokens.sign(".") != nil,
      let year = tokens.number(digits: 2...2)
    else { return nil }
    // As POSIX reads `%y`.
    return DateFields(
      year: year < 69 ? 2000 + year : 1900 + year, first: day, second: month, known: .dayFirst,
      isCertain: false)
  }

  /// `5 January 2024`, `05-Jan-2024`, `January 5th, 2024`, `Jan  5 14:30:00 2024`.
  static func named(_ tokens: inout DateTokens) -> DateFields? {
    if let day = tokens.number(digits: 1...2) {
      _ = tokens.word(among: ["st", "nd", "rd", "th", "er"])
      _ = tokens.sign(".-")
      tokens.skipSpace()
      if tokens.word(among: DateVocabulary.between) { tokens.skipSpace() }
      guard let month = month(&tokens) else { return nil }
      _ = tokens.sign(".-,")
      tokens.skipSpace()
      if tokens.word(among: DateVocabulary.between) { tokens.skipSpace() }
      return DateFields(
        year: tokens.number(digits: 4...4), first: month, second: day, known: .monthFirst,
        isCertain: false)
    }
    guard let month = month(&tokens) else { return nil }
    _ = tokens.sign(".")
    tokens.skipSpace()
    guard let day = tokens.number(digits: 1...2) else { return nil }
    _ = tokens.word(among: ["st", "nd", "rd", "th"])
    _ = tokens.sign(",.")
    tokens.skipSpace()
    return DateFields(
      year: tokens.number(digits: 4...4), first: month, second: day, known: .monthFirst,
      isCertain: false)
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  private static func month(_ tokens: inout DateTokens) -> Int? {
    tokens.attempt { tokens in
      tokens.word().flatMap(month(named:))
    }
  }

  /// The number of a month by its English name, or the first three letters, in lower case, or by its
  /// name in another language.
  static func month(named word: String) -> Int? {
    let found = months.firstIndex { name in
      name == word || word.utf8.count == 3 && name.hasPrefix(word)
        || word == "sept" && name == "september"
    }
    return found.map { $0 + 1 } ?? DateVocabulary.month(word)
  }
}

/// Parses the time of a date.
enum ClockText {
  /// The second of the day, read from `14:30`, `14:30:15.250`, `2:30 PM` or `2 p.m.` alike.
  static func read(_ tokens: inout DateTokens) -> Int? {
    guard let hour = tokens.number(digits: 1...2) else { return nil }
    var seconds = 0
    var isColoned = false
    if tokens.sign(":") != nil {
      guard let minute = tokens.number(digits: 2...2), minute < 60 else { return nil }
      seconds = minute * 60
      isColoned = true
      if tokens.sign(":") != nil {
        guard let second = tokens.number(digits: 2...2), second <= 60 else { return nil }
        seconds += min(second, 59)
        if tokens.sign(".,") != nil, tokens.number(digits: 1...18) == nil { return nil }
      }
    }
    if isColoned, tokens.attempt(oClock) != nil {
      return hour < 24 ? hour * 3600 + seconds : nil
    }
    if let isAfternoon = tokens.attempt(half) {
      guard (1...12).contains(hour) else { return nil }
      return (hour % 12 + (isAfternoon ? 12 : 0)) * 3600 + seconds
    }
    return isColoned && hour < 24 ? hour * 3600 + seconds : nil
  }

  /// `Uhr` after a German time.
  private static func oClock(_ tokens: inout DateTokens) -> Bool? {
    tokens.skipSpace()
    return tokens.word(among: ["uhr"]) ? true : nil
  }

  /// Whether the named half of the day is the second.
  private static func half(_ tokens: inout DateTokens) -> Bool? {
    tokens.skipSpace()
    switch tokens.word() {
    case "am": return false
    case "pm": return true
    case let letter? where letter == "a" || letter == "p":
      guard tokens.sign(".") != nil, tokens.word(among: ["m"]) else { return nil }
      _ = tokens.sign(".")
      return letter == "p"
    default: return nil
    }
  }

  /// An offset in seconds: `Z`, `UTC`, `+01:00`, `-0500`, `+01`.
  static func offset(_ tokens: inout DateTokens) -> Int? {
    tokens.skipSpace()
    // `(GMT+1)`, as Notion writes it.
    let isBracketed = tokens.sign("(") != nil
    if tokens.word(among: ["z", "utc", "gmt"]) {
      if isBracketed, tokens.sign(")") != nil { return 0 }
      if tokens.isAtEnd { return 0 }
    }
    defer { if isBracketed { _ = tokens.sign(")") } }
    guard let sign = tokens.sign("+-") else { return nil }
    var minutes = 0
    if let both = tokens.number(digits: 4...4) {
      minutes = both / 100 * 60 + both % 100
    } else {
      guard let hours = tokens.number(digits: 1...2) else { return nil }
      minutes = hours * 60
      if tokens.sign(":") != nil {
        guard let rest = tokens.number(digits: 2...2), rest < 60 else { return nil }
        minutes += rest
      }
    }
    guard minutes < 24 * 60 else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * minutes * 60
  }
}

/// The numbers, words and separators of a short text that may be a date.
struct DateTokens {
  enum Token: Hashable {
    case number(Int, digits: Int)
    case word(String)
    case sign(UInt8)
    case space
  }

  private var tokens: ArraySlice<Token>
  /// The number of digits in the last number.
  private(set) var lastDigits: Int?

  /// Splits a text; `nil` if it is too long or contains characters that no date has.
  init?(_ text: ArraySlice<UInt8>) {
    guard text.count <= 64 else { return nil }
    var tokens: [Token] = []
    var rest = ASCII.trimmed(DateTokens.folded(DateTokens.withPlainSigns(text)))
    while let byte = rest.first {
      let isOfKind: (UInt8) -> Bool
      switch byte {
      case _ where ASCII.isDigit(byte): isOfKind = ASCII.isDigit
      case _ where ASCII.isLetter(byte): isOfKind = ASCII.isLetter
      case _ where ASCII.isSpace(byte): isOfKind = ASCII.isSpace
      case _ where ASCII.isPunctuation(byte):
        tokens.append(.sign(byte))
        rest = rest.dropFirst()
        continue
      default: return nil
      }
      let run = rest.prefix(while: isOfKind)
      rest = rest[run.endIndex...]
      guard let token = DateTokens.token(run) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens[...]
  }

  /// A text with no-break spaces, which some systems write before `AM`, replaced by spaces, and
  /// `2024年1月5日` as `2024-1-5`.
  private static func withPlainSigns(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.contains(where: { $0 >= 0x80 }) else { return text }
    var plain: [UInt8] = []
    var rest = text
    while let byte = rest.first {
      guard byte >= 0x80, let (sign, by) = signs.first(where: { rest.starts(with: $0.sign) }) else {
        plain.append(byte)
        rest.removeFirst()
        continue
      }
      rest = rest.dropFirst(sign.count)
      plain += by
      if by == [UInt8(ascii: "-")] { rest = rest.drop(while: ASCII.isSpace) }
    }
    return plain[...]
  }

  private static let signs: [(sign: [UInt8], by: [UInt8])] = [
    ("\u{202F}", " "), ("\u{A0}", " "), ("年", "-"), ("月", "-"), ("日", ""), ("년", "-"), ("월", "-"),
    ("일", ""),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

  /// A text without accents, which names of months have in many languages.
  private static func folded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.contains(where: { $0 >= 0x80 }) else { return text }
    return Array(Folding.fold(String(decoding: text, as: UTF8.self)).utf8)[...]
  }

  private static func token(_ run: ArraySlice<UInt8>) -> Token? {
    guard let first = run.first else { return nil }
    if ASCII.isSpace(first) { return .space }
    let text = String(decoding: run, as: UTF8.self)
    guard ASCII.isDigit(first) else { return .word(text.lowercased()) }
    return Int(text).map { .number($0, digits: run.count) }
  }

  var isAtEnd: Bool { tokens.isEmpty }

  var isAtNumber: Bool {
    if case .number? = tokens.first { true } else { false }
  }

  /// Tries to read; on failure the position is restored.
  mutating func attempt<Value>(_ body: (inout DateTokens) -> Value?) -> Value? {
    let before = self
    if let value = body(&self) { return value }
    self = before
    return nil
  }

  mutating func skipSpace() {
    if tokens.first == .space { tokens.removeFirst() }
  }

  mutating func sign(_ characters: StaticString) -> UInt8? {
    guard case .sign(let byte)? = tokens.first,
      characters.withUTF8Buffer({ $0.contains(byte) })
    else { return nil }
    tokens.removeFirst()
    return byte
  }

  mutating func number(digits: ClosedRange<Int>) -> Int? {
    guard case .number(let value, let count)? = tokens.first, digits.contains(count) else {
      return nil
    }
    tokens.removeFirst()
    lastDigits = count
    return value
  }

  mutating func word() -> String? {
    guard case .word(let word)? = tokens.first else { return nil }
    tokens.removeFirst()
    return word
  }

  mutating func word(among words: Set<String>) -> Bool {
    attempt { $0.word().flatMap { words.contains($0) ? true : nil } } ?? false
  }
}

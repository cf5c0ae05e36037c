import Journal

/// A line that consists of a date, in whatever form people write one.
///
/// The date may be in emphasis, brackets or rules, after the signs of a heading, a list mark or a word
/// such as `Date:`, and may have a weekday and a time. A quoted line (`> 2024-01-05`) is a quotation.
struct DayLook {
  /// The date; ``DateReading/other`` in a form that is not read, such as `6.1.24` and `6 Jan`.
  let reading: DateReading
  /// The line with its digits, names of months and of weekdays as signs: lines of one form have the
  /// same.
  let shape: [UInt8]

  /// The most bytes of such a line.
  static let length = 96

  /// Reads a line, or the text of a heading; `nil` if it consists of anything else.
  init?(_ line: ArraySlice<UInt8>, _ order: DateOrder? = nil) {
    guard line.count <= DayLook.length, line.contains(where: ASCII.isDigit),
      let (date, isPointed) = DayLook.undressed(String(decoding: line, as: UTF8.self))
    else { return nil }
    let found = DayLook.read(date, order)
    guard found != .other || DateWords(date).areDate(isPointed: isPointed) else { return nil }
    reading = found
    shape = DayLook.shape(of: line)
  }

  /// The day, if it is known.
  var day: Day? { if case .date(let time, _, _) = reading { time.day } else { nil } }

  /// Whether it can be read, but for its order of day and month.
  var isReadable: Bool {
    switch reading {
    case .date, .ambiguous: true
    case .impossible, .other: false
    }
  }

  private static func read(_ date: Substring, _ order: DateOrder?) -> DateReading {
    for text in [String(date), withColon(date)].compactMap(\.self) {
      let bytes = Array(text.utf8)[...]
      var found = DateText.read(bytes, order: order)
      if found == .other,
        let heading = NotePieces.DayHeading(bytes, .init(range: 0..<0, number: 0), order),
        heading.title.isEmpty
      {
        found = heading.reading
      }
      // Other numbers have eight digits, too.
      if bytes.allSatisfy(ASCII.isDigit) {
        guard case .date(let time, _, _) = found, (1900..<2100).contains(time.day.year) else {
          return .other
        }
      }
      if found != .other, found != .impossible || text == withColon(date) ?? text { return found }
    }
    return .other
  }

  /// A date whose time has a point or an `h`, `2024-01-05 21.30`, with a colon.
  private static func withColon(_ date: Substring) -> String? {
    var words = date.split(separator: " ")
    guard words.count > 1, let last = words.popLast(),
      let sign = last.firstIndex(where: { $0 == "." || $0 == "h" })
    else { return nil }
    let (hour, minute) = (last[..<sign], last[last.index(after: sign)...])
    guard (1...2).contains(hour.utf8.count), minute.utf8.count == 2,
      (hour + minute).utf8.allSatisfy(ASCII.isDigit)
    else { return nil }
    if words.last == "kl." { words.removeLast() }
    return words.joined(separator: " ") + " \(hour):\(minute)"
  }

  /// The date without what is around it, and whether it ends with a point; `nil` for a quotation.
  private static func undressed(_ line: String) -> (Substring, isPointed: Bool)? {
    var text = stripped(line[...])
    guard line.first(where: { !$0.isWhitespace }) != ">" else { return nil }
    // The box of a task.
    if text.hasPrefix("x] ") { text = stripped(text.dropFirst(3)) }
    if let colon = text.prefix(24).firstIndex(of: ":") {
      let words = text[..<colon].split(separator: " ")
      let rest = text[text.index(after: colon)...]
      if let word = words.first?.lowercased(), labels.contains(word), rest.first == " ",
        words.count == 1 || words.count == 2 && words[1].utf8.allSatisfy(ASCII.isDigit)
      {
        text = stripped(rest)
      }
    }
    guard !text.isEmpty else { return nil }
    let isPointed = text.endIndex < line.endIndex && line[text.endIndex] == "."
    return (text, isPointed)
  }

  /// Words before a date, as the fields of diaries have them.
  private static let labels = FieldBlocks.dates.union(["day", "tag", "dia", "día", "jour", "entry"])

  private static func stripped(_ text: Substring) -> Substring {
    let isPart = { (character: Character) in character.isLetter || character.isNumber }
    let rest = text.drop { !isPart($0) }
    guard let last = rest.lastIndex(where: isPart) else { return "" }
    // `2024-01-05 (Fri)`
    let end = rest.index(after: last)
    let isBracketed = rest[end...].first == ")" && rest[...last].contains("(")
    return isBracketed ? rest[...end] : rest[...last]
  }

  /// The shape of a line: `**Friday, 5 January 2024**` is `**w, 0 m 0**`.
  static func shape(of line: ArraySlice<UInt8>) -> [UInt8] {
    var shape: [UInt8] = []
    var rest = ASCII.trimmed(line)
    while let first = rest.first {
      let isNumber = ASCII.isDigit(first)
      let run = rest.prefix {
        isNumber ? ASCII.isDigit($0) : ASCII.isLetter($0) || $0 >= 0x80
      }
      guard !run.isEmpty else {
        if !ASCII.isSpace(first) {
          shape.append(first)
        } else if shape.last != 0x20 {
          shape.append(0x20)
        }
        rest.removeFirst()
        continue
      }
      rest = rest[run.endIndex...]
      let word = String(decoding: run, as: UTF8.self).lowercased()
      if isNumber {
        shape.append(UInt8(ascii: "0"))
      } else if DateFields.month(named: Folding.fold(word)) != nil {
        shape.append(UInt8(ascii: "m"))
      } else if DateText.isWeekday(word) {
        shape.append(UInt8(ascii: "w"))
      } else if shape.last != UInt8(ascii: "0") || !DateWords.ordinals.contains(word) {
        shape += word.utf8
      }
    }
    return shape
  }
}

/// The numbers and words of a text that may be a date in a form that is not read.
private struct DateWords {
  /// The endings of ordinal numbers.
  static let ordinals: Set = ["st", "nd", "rd", "th"]

  private var numbers: [(value: Int, digits: Int)] = []
  private var months = 0
  /// The place of the only other word, in the order of the numbers.
  private var others: [Int] = []
  private var isOfWeek = false
  /// Whether there was a time, which the name of a zone may follow.
  private var hasTime = false
  /// The signs between the numbers.
  private var signs: Set<Character> = []

  /// Reads the words; times, offsets, weekdays and zones are left out.
  init(_ text: Substring) {
    var rest = text
    var sign: Character?
    while let first = rest.first {
      let isNumber = first.isASCII && first.isNumber
      let run = rest.prefix {
        isNumber ? $0.isASCII && $0.isNumber : $0.isLetter && !$0.isNumber
      }
      guard !run.isEmpty else {
        rest.removeFirst()
        if !first.isWhitespace { sign = first }
        continue
      }
      let before = run.startIndex > text.startIndex ? text[text.index(before: run.startIndex)] : " "
      rest = rest[run.endIndex...]
      if isNumber {
        if rest.first == ":" {
          rest = rest.drop { $0 == ":" || $0.isNumber }
          hasTime = true
        } else if before != "+" {
          if !numbers.isEmpty { signs.insert(sign ?? " ") }
          numbers.append((Int(run) ?? 0, run.utf8.count))
        }
        sign = nil
        continue
      }
      add(run)
    }
  }

  private mutating func add(_ run: Substring) {
    let word = Folding.fold(String(run))
    if DateFields.month(named: word) != nil {
      months += 1
    } else if word == "w" {
      isOfWeek = true
    } else if !DateText.isWeekday(word), !DateWords.small.contains(word),
      run.count > 1 || word.utf8.count == 1,
      !(hasTime && (2...4).contains(run.count) && run.allSatisfy { $0.isASCII && $0.isUppercase })
    {
      others.append(numbers.count)
    }
  }

  /// Words that say nothing of the day.
  private static let small = ordinals.union(DateVocabulary.between).union(DateVocabulary.before)
    .union(DateVocabulary.joints).union(["am", "pm", "uhr", "er", "h", "z"])

  /// Whether they are a date.
  ///
  /// - Parameter isPointed: whether a point follows them, as in `06.01.`
  func areDate(isPointed: Bool) -> Bool {
    guard numbers.count <= 3 else { return false }
    let small = numbers.filter { $0.digits <= 2 && (1...31).contains($0.value) }
    let years = numbers.filter { $0.digits == 4 && (1900..<2100).contains($0.value) }
    if isOfWeek {
      return months == 0 && others.isEmpty && numbers.count == 3 && years.count == 1
    }
    if months == 1 {
      return others.isEmpty && !small.isEmpty && numbers.count <= 2
        && (numbers.count == 1 || small.count + years.count == 2 || numbers[1].digits == 2)
    }
    guard months == 0 else { return false }
    // The name of a month in a language that is not known.
    if others == [1] { return numbers.count == 2 && small.count == 1 && years.count == 1 }
    guard others.isEmpty, signs.count == 1, let sign = signs.first, "./- ".contains(sign),
      small.contains(where: { $0.value <= 12 })
    else { return false }
    if numbers.count == 2 { return isPointed && sign == "." && small.count == 2 }
    guard numbers.count == 3, small.count >= 2 else { return false }
    return years.count == 1 || numbers.allSatisfy { $0.digits <= 2 } && sign != " "
  }
}

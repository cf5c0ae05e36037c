/// How the entries of a file of jrnl begin, found by looking at all of it once.
struct JrnlForm {
  /// Whether dates stand in brackets, as they do since jrnl 2.
  private(set) var isBracketed = false
  /// The order of day and month where dates are written with slashes.
  private(set) var order: DateOrder?

  /// Looks through the lines of a file.
  init(_ lines: TextLines) {
    var lines = lines
    while let line = lines.next() {
      let content = lines.bytes[line.range]
      guard let parts = JrnlHeading.bracketed(content) else { continue }
      if order == nil { order = DateText.order(of: parts.date) }
      if !isBracketed, DateText.read(parts.date) != .other { isBracketed = true }
      if isBracketed, order != nil { return }
    }
  }
}

/// The first line of an entry of jrnl.
enum JrnlHeading {
  /// When, and what follows the date.
  case entry(WallTime, rest: ArraySlice<UInt8>)
  /// It would be one, were its date a date; and why not.
  case problem(String)

  /// Reads a line; nothing when it belongs to the text of an entry.
  init?(_ line: ArraySlice<UInt8>, _ form: JrnlForm) {
    guard form.isBracketed else {
      guard let heading = JrnlHeading.bare(line) else { return nil }
      self = heading
      return
    }
    guard let parts = JrnlHeading.bracketed(line) else { return nil }
    let date = String(decoding: parts.date, as: UTF8.self)
    switch DateText.read(parts.date, order: form.order) {
    case .date(let time, _, _): self = .entry(time, rest: parts.rest)
    case .ambiguous:
      self = .problem("the date \(date) may be two days; write it as 2024-01-05")
    case .impossible: self = .problem("there is no date \(date)")
    case .other: return nil
    }
  }

  /// Whether a line is such as a file of jrnl begins with.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    bracketed(line).map { DateText.read($0.date) != .other } ?? (bare(line) != nil)
  }

  /// The date and the rest of `[date] rest`.
  static func bracketed(
    _ line: ArraySlice<UInt8>
  ) -> (date: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    guard line.first == UInt8(ascii: "["),
      let end = line.prefix(66).firstIndex(of: UInt8(ascii: "]")), end + 1 < line.endIndex,
      line[end + 1] == UInt8(ascii: " ")
    else { return nil }
    return (line[(line.startIndex + 1)..<end], line[(end + 2)...])
  }

  /// `2014-01-05 14:30 Title`, the form of jrnl 1.
  private static func bare(_ line: ArraySlice<UInt8>) -> JrnlHeading? {
    let head = line.prefix(16)
    guard head.count == 16, head.first.map(ASCII.isDigit) == true,
      line.count == 16 || ASCII.isSpace(line[head.endIndex])
    else { return nil }
    switch DateText.read(head) {
    case .date(let time, true, _): return .entry(time, rest: line[head.endIndex...])
    case .impossible:
      return .problem("there is no date \(String(decoding: head, as: UTF8.self))")
    default: return nil
    }
  }
}

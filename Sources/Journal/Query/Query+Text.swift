extension Query: CustomStringConvertible {
  /// The query as it could be typed; it reads back as the same query.
  public var description: String {
    switch self {
    case .everything: ""
    case .and(let parts): parts.map(\.grouped).joined(separator: " ")
    case .or(let parts): parts.map(\.conjunct).joined(separator: " OR ")
    case .not(let part): "-" + part.grouped
    case .word(let word): word
    case .prefix(let word): word + "*"
    case .phrase(let words, let isPrefix):
      "\"" + words.joined(separator: " ") + (isPrefix ? "\"*" : "\"")
    case .tag(let key): Tag.typed(key)
    case .tagPrefix(let key): Tag.typed(key) + "*"
    default: fieldText
    }
  }

  private var fieldText: String {
    switch self {
    case .flag(let flag): "is:\(flag.rawValue)"
    case .since(let day): "since:\(day)"
    case .until(let day): "until:\(day)"
    case .on(let days): "on:\(Query.text(of: days))"
    case .everyYear(let month, let day): "on:*-\(Digits.padded(month))-\(Digits.padded(day))"
    case .words(let range): "words:\(WordCountRange.text(range))"
    case .id(let number): "id:\(number)"
    default: ""
    }
  }

  /// As a part of a conjunction or behind a negation.
  private var grouped: String {
    switch self {
    case .and, .or: "(\(self))"
    default: description
    }
  }

  /// As one of several alternatives.
  private var conjunct: String {
    if case .or = self { "(\(self))" } else { description }
  }

  private static func text(of days: ClosedRange<Day>) -> String {
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == last { return first.description }
    if Day.month(first.monthKey) == days { return first.monthKey }
    if Day.year(first.yearKey) == days { return first.yearKey }
    return "\(first)..\(last)"
  }
}

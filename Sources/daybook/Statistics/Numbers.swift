import Journal

/// Numbers for people.
enum Numbers {
  /// Digits in groups of three: `12,345`.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// A count with its noun: `1 entry`, `1,234 entries`.
  static func counted(_ number: Int, _ one: String, _ many: String) -> String {
    "\(grouped(number)) \(number == 1 ? one : many)"
  }

  static func entries(_ number: Int) -> String { counted(number, "entry", "entries") }
  static func words(_ number: Int) -> String { counted(number, "word", "words") }
  static func days(_ number: Int) -> String { counted(number, "day", "days") }
}

extension Rate {
  /// A share of the most, scaled so that the most is `whole`; the counts may be of any size.
  static func scaled(_ count: Int, of most: Int, to whole: Int) -> Int {
    let (high, low) = count.multipliedFullWidth(by: whole)
    return most.dividingFullWidth((high, low)).quotient
  }
}

/// Displayed numbers.
package enum Numbers {
  /// Digits in groups of three: `12,345`.
  package static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// A count with its noun: `1 entry`, `1,234 entries`.
  package static func counted(_ number: Int, _ one: String, _ many: String) -> String {
    "\(grouped(number)) \(number == 1 ? one : many)"
  }

  package static func entries(_ number: Int) -> String { counted(number, "entry", "entries") }
  package static func words(_ number: Int) -> String { counted(number, "word", "words") }
  package static func days(_ number: Int) -> String { counted(number, "day", "days") }
}

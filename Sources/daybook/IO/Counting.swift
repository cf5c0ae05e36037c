/// Numbers of things, as people read them.
enum Counting {
  /// `1 entry`, `30,000 entries`.
  static func entries(_ count: Int) -> String {
    count == 1 ? "1 entry" : "\(grouped(count)) entries"
  }

  /// `1 problem`, `12 problems`.
  static func problems(_ count: Int) -> String {
    count == 1 ? "1 problem" : "\(grouped(count)) problems"
  }

  /// `30,000`.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}

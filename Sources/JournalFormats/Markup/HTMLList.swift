/// A list of HTML that is open.
struct HTMLList {
  let isNumbered: Bool
  private let isTasks: Bool
  /// The number of the next item.
  private(set) var next: Int
  /// The last item's marker.
  private(set) var marker = "-"
  private(set) var hasItems = false

  init(_ name: String, _ attributes: [String: String]) {
    isNumbered = name == "ol"
    isTasks = attributes["style"].map { HTMLStyle($0).isTaskList } ?? false
    next = Self.number(attributes["start"]) ?? 1
  }

  /// The marker of the next item.
  mutating func nextMarker(_ attributes: [String: String]) -> String {
    hasItems = true
    if isNumbered {
      let number = Self.number(attributes["value"]) ?? next
      next = number < 999_999_999 ? number + 1 : 1
      marker = "\(number)."
    }
    return marker
  }

  /// The box of an item of a list of tasks.
  func box(_ attributes: [String: String]) -> String? {
    if let checked = attributes["data-checked"] { return checked == "true" ? "[x]" : "[ ]" }
    guard isTasks else { return nil }
    return attributes["style"].map { HTMLStyle($0).isChecked } == true ? "[x]" : "[ ]"
  }

  private static func number(_ text: String?) -> Int? {
    text.flatMap { Int($0) }.flatMap { (0...999_999_999).contains($0) ? $0 : nil }
  }
}

import CReadline
import Glibc

extension Readline {
  /// The words for readline: what they share first, then each, then nil; all from `malloc`.
  func complete(
    _ text: UnsafePointer<CChar>?, start: Int32
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    daybook_readline_completion_is_final()
    guard let text else { return nil }
    let word = String(cString: text)
    let found = completions(word, Int(start), line).filter { !$0.isEmpty && !$0.contains("\0") }
    guard let first = found.first else { return nil }
    var words = [found.count == 1 ? first : Self.shared(found, atLeast: word)]
    if found.count > 1 { words += found }
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: words.count + 1)
    for (index, word) in words.enumerated() { list[index] = strdup(word) }
    list[words.count] = nil
    return list
  }

  /// The characters that all words begin with.
  ///
  /// Words may match without case: what they share can then be less than what was typed, and
  /// that must not be cut.
  private static func shared(_ words: [String], atLeast typed: String) -> String {
    var common = words.first ?? ""
    for word in words.dropFirst() {
      let length = zip(common, word).prefix { $0 == $1 }.count
      common = String(common.prefix(length))
    }
    return common.count >= typed.count ? common : typed
  }

  /// Called by readline with the words that it would list: from the second entry on.
  func show(
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, count: Int32
  ) {
    guard let list, count > 0 else { return }
    matches = (1...Int(count)).compactMap { list[$0].map { String(cString: $0) } }
  }
}

import CReadline
import Glibc

extension Readline {
  /// The words for readline: what they share first, then each, then nil; all from `malloc`.
  func complete(
    _ text: UnsafePointer<CChar>?, start: Int32
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    daybook_readline_completion_is_final(0)
    guard let text else { return nil }
    let word = String(cString: text)
    let found = completions(word, Int(start), line)
    labels = found.labels
    let choices = found.words.filter { !$0.isEmpty && !$0.contains("\0") }
    guard let first = choices.first else { return nil }
    daybook_readline_completion_is_final(found.isFinished ? 0x20 : 0)
    var words = [choices.count == 1 ? first : Self.shared(choices, atLeast: word)]
    if choices.count > 1 { words += choices }
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

  /// Called by readline when there are several words to choose from.
  func show() {
    matches = labels
  }
}

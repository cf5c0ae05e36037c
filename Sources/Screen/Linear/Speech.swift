import TextLayout

/// Requests to repeat something on a screen that is read out.
package struct SpeechState: Equatable, Sendable {
  /// A request to hear something that was said before.
  package enum Request: Equatable, Sendable {
    /// The place: the selected row, line or cell.
    case place
    /// All that a drawn screen would show now.
    case all
  }

  /// The last request.
  package private(set) var request = Request.place
  /// The number of requests: each is answered once.
  package private(set) var requests = 0
  /// The number of keys: one that changes nothing is answered too, by what is there.
  package private(set) var presses = 0

  mutating func ask(_ request: Request) {
    self.request = request
    requests += 1
  }

  mutating func notePress() { presses += 1 }

  /// Forgets the key that ends the program: nobody needs to hear where that was.
  mutating func forgetPress() { presses -= 1 }
}

/// Hearing again, where one does not see the screen.
enum SpeechAction { case place, again }

extension State {
  /// Says the place, or all of it, once more; a drawn screen shows both.
  mutating func speak(_ action: SpeechAction) -> [Effect] {
    guard environment.isLinear else {
      status = .done("this is for daybook --linear, which says where you are")
      return []
    }
    speech.ask(action == .place ? .place : .all)
    return []
  }

  /// The columns of texts: those of the screen, or enough for every paragraph where lines are read out.
  var textWidth: Int {
    environment.isLinear ? Environment.spokenColumns : environment.size.columns
  }

  /// The columns of an entry's text.
  var readingColumns: Int {
    environment.isLinear ? Environment.spokenColumns : layout.textColumns
  }
}

/// A sentence made of parts, as `row 3 of 12, 19:45: Potato soup`.
enum Spoken {
  /// The parts that are not empty, with commas.
  static func list(_ parts: [String]) -> String {
    parts.filter { !$0.isBlank }.joined(separator: ", ")
  }

  /// A head and what it is about; only one of them if the other is empty.
  static func head(_ head: String, _ text: String) -> String {
    [head, text].filter { !$0.isBlank }.joined(separator: ": ")
  }

  /// Keys as one says them: `Control D or PageDown` for `^D PageDown`.
  static func keys(_ keys: String) -> String {
    // The second key of `^X f` belongs to the first.
    let whole = keys.hasPrefix("^X ") ? keys.replacing(" ", with: "") : keys
    return whole.split(separator: " ").map { key(String($0)) }.joined(separator: " or ")
  }

  /// A key or a sequence of keys.
  private static func key(_ keys: String) -> String {
    var rest = keys[...]
    var words: [String] = []
    var isPlain = false
    while let first = rest.popFirst() {
      if first == "^", let letter = rest.first, letter.isUppercase || letter == "]" {
        words.append("Control \(rest.removeFirst())")
        isPlain = false
      } else if let name = names[first] {
        words.append(name)
        isPlain = false
      } else if isPlain {
        words[words.count - 1].append(first)
      } else {
        words.append(String(first))
        isPlain = true
      }
    }
    return words.joined(separator: " ")
  }

  /// Signs that many readers skip, in words.
  private static let names: [Character: String] = [
    "?": "question mark", "/": "slash", ":": "colon", ",": "comma", ".": "full stop",
    "'": "apostrophe", "|": "bar", "*": "star", "=": "equals", "{": "left brace",
    "}": "right brace", "<": "less", ">": "greater",
  ]

  /// A choice with its key: `n: newest first, this is it now`.
  static func choice(_ item: Choices.Item) -> String {
    let word = list([item.word, item.isCurrent ? "this is it now" : ""])
    return head(item.word.isEmpty ? item.keys : keys(item.keys), word)
  }

  /// Signs of the screen that say something.
  private static let signs: [UInt32: String] = [
    0x2605: "starred", 0x2610: "open task:", 0x2611: "done task:",
  ]

  /// Whether a scalar is a line, a block, a dot of a plot, or a mark of the screen.
  private static func isDecoration(_ scalar: UInt32) -> Bool {
    0x2500...0x25FF ~= scalar || 0x2800...0x28FF ~= scalar
      || [0x203A, 0x2022, 0xB7].contains(scalar)
  }

  /// A drawn line without the signs that are there for the eye.
  static func undecorated(_ text: String) -> String {
    var words = ""
    for character in text {
      guard let scalar = character.unicodeScalars.first else { continue }
      words += signs[scalar.value] ?? (isDecoration(scalar.value) ? " " : String(character))
    }
    return words.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }

  /// The whole lines that some text covers, drawn, without decoration.
  static func drawn(
    columns: Int, lines: Int, _ draw: (CanvasRect, inout Canvas) -> Void
  ) -> [String] {
    var canvas = Canvas(width: columns, height: lines)
    draw(CanvasRect(column: 0, row: 0, width: columns, height: lines), &canvas)
    return canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false)
      .map { undecorated(String($0)) }
  }
}

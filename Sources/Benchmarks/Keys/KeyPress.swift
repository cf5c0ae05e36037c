import Screen

/// A key of row 26, and how to reach the place where it is pressed.
struct KeyPress: Hashable {
  /// The page or the prompt, in words.
  let page: String
  /// The key, in words.
  let name: String
  /// The keys to the place, each pressed when the program is at rest.
  let path: [String]
  let key: String

  /// The key with its page, as a figure names it.
  var words: String { "\(page): \(name)" }

  /// Every action of the catalog on every page where it works, by its first key there.
  ///
  /// A new action is measured without being named here.
  static let actions: [KeyPress] = MeasuredPage.allCases.flatMap { page in
    Action.allCases.compactMap { action in
      KeyTable.standard.sequences(for: action, in: page.context).first.map { sequence in
        let keys = MeasuredPage.bytes(of: sequence)
        return KeyPress(
          page: page.rawValue, name: "\(KeyTable.display(sequence)), \(action.rawValue)",
          path: page.path + keys.dropLast(), key: keys.last ?? "")
      }
    }
  }

  /// Whether a key is asked for by words that name it or its page, or its prompt.
  func isNamed(by words: String) -> Bool { "prompt of \(self.words)".contains(words) }

  /// Every kind of letter in the prompt that this key opens, alone and after another one.
  var letters: [KeyPress] {
    let way = path + [key]
    return TypedKey.allCases.flatMap { typed in
      [nil, "w"].map { before in
        KeyPress(
          page: "prompt of \(words)", name: typed.rawValue + (before.map { " after \($0)" } ?? ""),
          path: way + [before].compactMap(\.self), key: typed.key)
      }
    }
  }
}

/// A kind of key in a prompt.
enum TypedKey: String, CaseIterable {
  case letter = "e"
  case rareLetter = "q"
  case digit = "7"
  case ideograph = "健"
  case cyrillic = "ж"
  case arabic = "ك"
  case accented = "é"
  case emoji = "🎂"
  case space = "Space"
  case sign = "#"
  case minus = "-"
  case quote = "\""
  case backspace = "Backspace"
  case tab = "Tab"
  case paste = "a pasted line"
  case pastedLines = "pasted lines"
  case deletion = "^U"
  case up = "Up"
  case enter = "Enter"

  /// The bytes that the terminal sends.
  var key: String {
    switch self {
    case .space: " "
    case .backspace: "\u{7f}"
    case .tab: "\t"
    case .paste: "\u{1b}[200~we walked along the river\u{1b}[201~"
    case .pastedLines:
      "\u{1b}[200~\(Array(repeating: "bread and letters", count: 50).joined(separator: "\r"))\u{1b}[201~"
    case .deletion: "\u{15}"
    case .up: "\u{1b}[A"
    case .enter: "\r"
    case .letter, .rareLetter, .digit, .ideograph, .cyrillic, .arabic, .accented, .emoji, .sign,
      .minus, .quote:
      rawValue
    }
  }
}

/// The times of a key, in milliseconds.
struct KeyTimes {
  /// From the key to the first output, or without any to the end of the work.
  var first: Double
  /// From the key to the end of its work.
  var rest: Double
  /// From another key, pressed after that output, until it is shown; `nil` if there was no work left.
  var next: Double?
  /// Whether the key opened a prompt.
  var opensPrompt = false
}

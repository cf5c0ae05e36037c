/// A terminal's side of a conversation: what is on, by the bytes that it got, and its answers.
///
/// It knows the sequences of this program and of its terminfo description, and no text.
package struct AnsweringTerminal {
  /// The kinds of terminals, with what each answers.
  package enum Kind: String, CaseIterable, Sendable {
    case xterm, kitty, foot, ghostty, wezterm, tmux, silent

    /// The states of modes by number, as DECRPM numbers them; the others are unknown (0).
    fileprivate var modes: [Int: Int] {
      switch self {
      case .xterm: [1004: 2, 2004: 2]
      case .kitty: [1004: 2, 2026: 2, 2031: 2]
      case .foot: [1004: 2, 2026: 2, 2027: 1, 2031: 2]
      case .ghostty: [1004: 2, 2026: 2, 2027: 1, 2031: 2]
      case .wezterm: [1004: 2, 2026: 2, 2027: 3]
      case .tmux, .silent: [:]
      }
    }

    /// Whether it knows DECRQM at all.
    fileprivate var reportsModes: Bool { self != .tmux && self != .silent }
    /// Whether it takes pictures of kitty's protocol, and whether it has placeholders for them.
    package var takesPictures: Bool { hasPlaceholders || self == .wezterm }
    package var hasPlaceholders: Bool { self == .kitty || self == .ghostty }
    /// Whether it draws sixels.
    package var hasSixels: Bool { self == .foot }
    /// Whether it draws files of iTerm2's protocol.
    package var takesFiles: Bool { self == .wezterm }
    /// Its name as it says it.
    fileprivate var version: String {
      switch self {
      case .kitty: "kitty(0.35.2)"
      case .ghostty: "ghostty 1.1.0"
      case .wezterm: "WezTerm 20240203-110809-5046fc22"
      case .xterm: "XTerm(379)"
      case .foot: "foot(1.16.2)"
      case .tmux: "tmux 3.4"
      case .silent: ""
      }
    }
    /// Whether it has kitty's keyboard protocol.
    package var hasKeyboard: Bool { [.kitty, .foot, .ghostty].contains(self) }
    /// Whether it tells that its colours changed.
    package var hasScheme: Bool { [.kitty, .foot, .ghostty].contains(self) }
    /// The modes that are on before the program starts.
    fileprivate var isOn: Set<Int> { Set(modes.filter { $0.value == 1 }.keys).union([7, 25]) }
  }

  /// The kind.
  package let kind: Kind
  /// The private modes that are on.
  package private(set) var modes: Set<Int>
  /// The depth of the stack of keyboard flags, on the main screen and on the alternate one.
  package private(set) var keyboards = [0, 0]
  /// How often the title was saved and not restored.
  package private(set) var titles = 0
  /// Whether progress is shown.
  package private(set) var isInProgress = false
  /// The number of frames that were shown as a whole.
  package private(set) var frames = 0
  /// Sequences that begin what another one of the same kind had begun, such as a second keyboard.
  package private(set) var faults: [String] = []
  /// The pictures of kitty's protocol.
  package private(set) var graphics = KittyGraphics()
  /// The sixels that were drawn, each with what it says of its size.
  package private(set) var sixels: [String] = []
  /// The files of iTerm2's protocol that were drawn, each with what is said of it.
  package private(set) var files: [String] = []
  private var rest = ""

  package init(_ kind: Kind) {
    self.kind = kind
    modes = kind.isOn
  }

  /// What is not as it was before the program started; empty if all is.
  package var leftOver: [String] {
    let changed = modes.symmetricDifference(kind.isOn).subtracting([12]).sorted()
    return changed.map { "mode \($0)" }
      + keyboards.indices.filter { keyboards[$0] != 0 }.map {
        "keyboard \($0)"
      } + graphics.images.keys.sorted().map { "image \($0)" } + graphics.faults
      + (titles == 0 ? [] : ["title"]) + (isInProgress ? ["progress"] : []) + faults
  }

  /// Whether the keyboard protocol is on, so that keys have its form.
  package var hasKeyboardOn: Bool { keyboards[modes.contains(1049) ? 1 : 0] > 0 }

  /// Takes bytes of the program.
  ///
  /// - Returns: the answers, one for each question, in their order.
  package mutating func take(_ text: String) -> [String] {
    var answers: [String] = []
    rest += text
    while let start = rest.unicodeScalars.firstIndex(of: "\u{1B}") {
      graphics.takeText(rest[..<start])
      guard let (sequence, end) = Self.sequence(in: rest[start...]) else {
        rest = String(rest[start...])
        return answers
      }
      if sequence.hasPrefix("\u{1B}["), sequence.hasSuffix("m") {
        graphics.takeAttributes(sequence.dropFirst(2).dropLast())
      }
      answers += answer(sequence)
      rest = String(rest[end...])
    }
    graphics.takeText(rest[...])
    rest = ""
    return answers
  }

  /// The first sequence of a text, and its end; nil if it is incomplete.
  private static func sequence(in text: Substring) -> (String, String.Index)? {
    let scalars = text.unicodeScalars
    var index = scalars.index(after: scalars.startIndex)
    guard index < scalars.endIndex else { return nil }
    let kind = scalars[index]
    index = scalars.index(after: index)
    switch kind {
    case "[":
      while index < scalars.endIndex {
        defer { index = scalars.index(after: index) }
        if (0x40...0x7E).contains(scalars[index].value) {
          let end = scalars.index(after: index)
          return (String(text[..<end]), end)
        }
      }
      return nil
    case "]", "_", "P":
      while index < scalars.endIndex {
        let scalar = scalars[index]
        index = scalars.index(after: index)
        if scalar == "\u{07}" { return (String(text[..<index]), index) }
        if scalar == "\u{1B}" {
          guard index < scalars.endIndex else { return nil }
          index = scalars.index(after: index)
          return (String(text[..<index]), index)
        }
      }
      return nil
    case "(", ")":
      guard index < scalars.endIndex else { return nil }
      index = scalars.index(after: index)
      return (String(text[..<index]), index)
    default: return (String(text[..<index]), index)
    }
  }

  private mutating func answer(_ sequence: String) -> [String] {
    let isSilent = kind == .silent
    switch sequence {
    case "\u{1B}[c":
      return isSilent
        ? [] : [kind == .tmux ? "\u{1B}[?1;2c" : "\u{1B}[?62;\(kind.hasSixels ? "4;" : "")22c"]
    case "\u{1B}]11;?\u{1B}\\": return isSilent ? [] : ["\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{1B}\\"]
    case "\u{1B}[>q": return isSilent ? [] : ["\u{1B}P>|\(kind.version)\u{1B}\\"]
    case "\u{1B}[?1;1;0S": return kind.hasSixels ? ["\u{1B}[?1;0;64S"] : []
    case "\u{1B}[16t": return kind.takesPictures || kind.hasSixels ? ["\u{1B}[6;20;10t"] : []
    case "\u{1B}[?996n": return kind.hasScheme ? ["\u{1B}[?997;1n"] : []
    case "\u{1B}[?u": return kind.hasKeyboard ? ["\u{1B}[?\(hasKeyboardOn ? 1 : 0)u"] : []
    case "\u{1B}[>1u":
      keyboards[modes.contains(1049) ? 1 : 0] += 1
      if hasKeyboardOn, keyboards[modes.contains(1049) ? 1 : 0] > 1 {
        faults.append("two keyboards")
      }
    case "\u{1B}[<u":
      let screen = modes.contains(1049) ? 1 : 0
      // Popping an empty stack does nothing.
      keyboards[screen] = max(0, keyboards[screen] - 1)
    case "\u{1B}[22;2t": titles += 1
    case "\u{1B}[23;2t": titles = max(0, titles - 1)
    default: return mode(sequence)
    }
    return []
  }

  /// A mode that is set, reset or asked for, and progress.
  private mutating func mode(_ sequence: String) -> [String] {
    if sequence.hasPrefix("\u{1B}]9;4;") {
      isInProgress = !sequence.hasPrefix("\u{1B}]9;4;0")
      return []
    }
    if sequence.hasPrefix("\u{1B}_G") {
      return [graphics.take(sequence.dropFirst(3).dropLast(2), answers: kind.takesPictures)]
        .compactMap(\.self)
    }
    if sequence.hasPrefix("\u{1B}]1337;File=") {
      if !kind.takesFiles { faults.append("a file") }
      files.append(String(sequence.dropFirst(12).dropLast()))
      return []
    }
    if sequence.hasPrefix("\u{1B}P0;1;0q") {
      if !kind.hasSixels { faults.append("a sixel") }
      sixels.append(String(sequence.dropFirst(8).dropLast(2)))
      return []
    }
    guard sequence.hasPrefix("\u{1B}[?") else { return [] }
    let body = sequence.dropFirst(3)
    if body.hasSuffix("$p"), let number = Int(body.dropLast(2)) {
      guard kind.reportsModes else { return [] }
      let state = kind.modes[number] ?? 0
      let now = state == 1 || state == 2 ? modes.contains(number) ? 1 : 2 : state
      return ["\u{1B}[?\(number);\(now)$y"]
    }
    let numbers = body.dropLast().split(separator: ";").compactMap { Int($0) }
    for number in numbers where sequence.last == "h" || sequence.last == "l" {
      // A terminal ignores a mode that it does not know, and a permanent one.
      if [2026, 2027, 2031, 1004].contains(number), ![1, 2].contains(kind.modes[number]) {
        faults.append("mode \(number) was not offered")
      }
      if sequence.last == "h" { modes.insert(number) } else { modes.remove(number) }
      if number == 2026, sequence.last == "h" { frames += 1 }
    }
    return []
  }
}

import Glibc

/// Decodes bytes into keys, from a terminal or a pipe.
///
/// Feed it the bytes as they are read, in pieces of any size: the keys do not depend on the
/// boundaries of the pieces. A sequence that is not a key (mouse, focus, a terminal's response) is
/// consumed completely, so that its bytes never act as keys.
///
/// `ESC` followed by a byte is Alt and that byte. Only a timeout identifies a lone Esc: while
/// ``isWaiting``, call ``timeOut()`` when ``escapeDelay`` has passed without input. A pipe needs no
/// timeout: bytes after `ESC` belong to it, and ``finish()`` ends it.
package struct KeyDecoder: Sendable {
  /// The timeout after a lone `ESC`: 25 milliseconds, or the value of `ESCDELAY`, up to a second.
  package static var escapeDelay: Duration {
    guard let text = getenv("ESCDELAY"), let number = Int(String(cString: text)), number > 0 else {
      return .milliseconds(25)
    }
    return .milliseconds(min(number, 1_000))
  }

  /// The kind of the incomplete sequence.
  enum State: Equatable {
    case ground
    /// After one `ESC`, or two (rxvt's Alt).
    case escape
    case control
    case singleShift
    case console
    /// The number of missing bytes of an X10 mouse report.
    case mouse(Int)
    /// After `ESC ]`, `ESC P` or `ESC _`: a key with Alt or the start of a terminal's response.
    case stringStart(UInt8)
    case string
    case stringEscape
    case paste
  }

  /// Whether the terminal was asked for something, so that `ESC ]` and `ESC [` begin its answer and not
  /// a key with Alt, however late the next bytes come.
  package var expectsAnswer = false

  var state = State.ground
  /// The missing rest of the start of a paste, if bytes that a timeout took for Esc or for Alt and `[` began
  /// one.
  var lateStart: [UInt8] = []
  /// The bytes of the incomplete sequence.
  var held: [UInt8] = []
  /// The maximum length of a key's parameters; longer ones are consumed but not kept.
  static let parameterLimit = 32
  var parameters: [UInt8] = []
  var table: EscapeSequences
  var text = UTF8Assembler()
  var pasted: [UInt8] = []
  /// The length of the prefix of ``pasteEnd`` at the end of `pasted`.
  var matched = 0
  var events: [KeyEvent] = []

  static let escape: UInt8 = 0x1B
  static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Makes a decoder for the sequences of all common terminals.
  package init() {
    table = EscapeSequences()
  }

  /// Makes a decoder with additional sequences of the current terminal, as name to bytes.
  ///
  /// Only sequences that begin with `ESC [` or `ESC O` are used: others could be text.
  package init(terminalKeys: [String: [UInt8]]) {
    table = EscapeSequences()
    for (name, bytes) in terminalKeys where bytes.count > 2 && bytes[0] == Self.escape {
      guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { continue }
      table.extra[bytes] = name
    }
  }

  /// Whether the input may be complete, and only a timeout can decide: a lone `ESC`, `ESC [`.
  package var isWaiting: Bool {
    switch state {
    case .stringStart where expectsAnswer: return false
    case .escape, .stringStart: return true
    case .control: return parameters.isEmpty && !expectsAnswer
    case .singleShift: return parameters.isEmpty
    default: return false
    }
  }

  /// Decodes bytes and returns the complete keys.
  ///
  /// Linear in the number of bytes, even for a paste of megabytes.
  package mutating func feed(_ bytes: [UInt8]) -> [KeyEvent] {
    for byte in bytes[beginLatePaste(bytes)...] {
      while !consume(byte) { continue }
    }
    return takeEvents()
  }

  /// Returns the keys that are complete after a timeout.
  package mutating func timeOut() -> [KeyEvent] {
    guard isWaiting else { return [] }
    switch state {
    case .stringStart(let byte): emitAlt(byte)
    case .control:
      emitAlt(UInt8(ascii: "["))
      lateStart = Array("200~".utf8)
    case .singleShift: emitAlt(UInt8(ascii: "O"))
    default:
      for _ in held { emit(.escape) }
      lateStart = Array("[200~".utf8)
    }
    reset()
    return takeEvents()
  }

  /// Returns the remaining keys at the end of the input.
  ///
  /// They are a lone Esc, an unfinished paste, U+FFFD for an incomplete character; an unfinished
  /// sequence is dropped.
  package mutating func finish() -> [KeyEvent] {
    defer { reset() }
    if state == .paste {
      events.append(.paste(pasted))
      pasted = []
    } else if text.isPartial {
      text.reset()
      emit(.replacement)
    } else {
      return timeOut()
    }
    return takeEvents()
  }

  private mutating func takeEvents() -> [KeyEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  mutating func reset() {
    state = .ground
    held.removeAll(keepingCapacity: true)
    parameters.removeAll(keepingCapacity: true)
    matched = 0
  }

  /// Whether the current sequence began with two `ESC`.
  var isDoubled: Bool { held.count > 1 && held[1] == Self.escape }

  /// The current sequence with one `ESC`.
  var sequence: [UInt8] { isDoubled ? Array(held.dropFirst()) : held }

  mutating func emit(_ stroke: KeyStroke) {
    events.append(.stroke(stroke))
  }

  /// Emits Alt and an ASCII byte; with two `ESC` before it the first was Esc itself.
  mutating func emitAlt(_ byte: UInt8) {
    if isDoubled { emit(.escape) }
    let name = KeyNames.character(Unicode.Scalar(byte), .alt)
    emit(KeyStroke(name: name, bytes: [Self.escape, byte]))
  }
}

extension KeyDecoder {
  /// The place after the last `^C` in some bytes, as one byte or as a key of kitty's protocol; nil
  /// without one.
  package static func endOfInterrupt(in bytes: [UInt8]) -> Int? {
    let start = Array("\u{1B}[99;".utf8)
    return bytes.indices.reversed().lazy.compactMap { place -> Int? in
      if bytes[place] == 0x03 { return place + 1 }
      guard bytes[place] == Self.escape, bytes[place...].starts(with: start) else { return nil }
      let digits = bytes[(place + start.count)...].prefix(while: Self.isDigit)
      guard digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "u"),
        let parameter = Int(String(decoding: digits, as: UTF8.self)), parameter < 1_000,
        KeyModifiers(parameter: parameter) == .control
      else { return nil }
      return digits.endIndex + 1
    }.first
  }
}

extension KeyDecoder {
  /// Consumes one byte; false if the state changed and the byte must be processed again.
  mutating func consume(_ byte: UInt8) -> Bool {
    switch state {
    case .ground: return ground(byte)
    case .escape: return afterEscape(byte)
    case .control: return control(byte)
    case .singleShift: return singleShift(byte)
    case .console:
      finishSequence(table.consoleFunction(final: byte, bytes: sequence + [byte]))
    case .mouse(let left):
      if left > 1 { state = .mouse(left - 1) } else { reset() }
    case .stringStart(let introducer): return stringStart(introducer, byte)
    case .string: return string(byte)
    case .stringEscape:
      // Any byte except the terminator ST begins a new sequence.
      if byte == UInt8(ascii: "\\") {
        finishString()
        return true
      }
      reset()
      held = [Self.escape]
      state = .escape
      return false
    case .paste: paste(byte)
    }
    return true
  }

  private mutating func ground(_ byte: UInt8) -> Bool {
    if byte == Self.escape, !text.isPartial {
      held = [byte]
      state = .escape
      return true
    }
    switch text.push(byte) {
    case .more: return true
    case .scalar(let scalar):
      let name = KeyNames.character(scalar, held.isEmpty ? [] : .alt)
      let bytes = Array(String(Character(scalar)).utf8)
      emit(KeyStroke(name: name, bytes: held + (byte < 0x80 ? [byte] : bytes)))
      held.removeAll(keepingCapacity: true)
      return true
    case .illFormed(let again):
      held.removeAll(keepingCapacity: true)
      emit(.replacement)
      return !again
    }
  }

  private mutating func afterEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case Self.escape:
      if isDoubled { emit(.escape) } else { held.append(byte) }
      return true
    case UInt8(ascii: "["): enter(.control, byte)
    case UInt8(ascii: "O"): enter(.singleShift, byte)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"): state = .stringStart(byte)
    default:
      if isDoubled { emit(.escape) }
      // The text state decodes the character, of one or more bytes, with Alt.
      state = .ground
      held = [Self.escape]
      return ground(byte)
    }
    return true
  }

  private mutating func enter(_ next: State, _ byte: UInt8) {
    state = next
    held.append(byte)
  }

  private mutating func control(_ byte: UInt8) -> Bool {
    switch byte {
    // rxvt ends Shift with a number by a byte that is an intermediate byte elsewhere.
    case UInt8(ascii: "$") where !parameters.isEmpty && parameters.allSatisfy(Self.isDigit):
      finishControl(byte)
    case 0x20...0x3F: keep(byte)
    case UInt8(ascii: "[") where parameters.isEmpty:
      held.append(byte)
      state = .console
    case UInt8(ascii: "M") where parameters.isEmpty: state = .mouse(3)
    case 0x40...0x7E: finishControl(byte)
    default:
      // The sequence was cut off, and this byte begins a new one.
      reset()
      return false
    }
    return true
  }

  private mutating func singleShift(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3B: keep(byte)
    case 0x40...0x7E:
      let key = table.singleShift(parameters: parameters, final: byte, bytes: sequence + [byte])
      finishSequence(key)
    default:
      reset()
      return false
    }
    return true
  }

  private mutating func keep(_ byte: UInt8) {
    guard parameters.count < Self.parameterLimit else { return }
    parameters.append(byte)
    held.append(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= 0x30 && byte <= 0x39
  }

  private mutating func finishControl(_ final: UInt8) {
    guard final == UInt8(ascii: "~"), parameters == Array("200".utf8) else {
      if let mouse = MouseEvent(parameters: parameters, final: final) {
        events.append(.mouse(mouse))
        return reset()
      }
      let bytes = sequence + [final]
      if table.extra[bytes] == nil,
        let report = TerminalReport(parameters: parameters, final: final)
      {
        // Esc was pressed just before.
        if isDoubled { emit(.escape) }
        events.append(.report(report))
        if case .attributes = report { expectsAnswer = false }
        return reset()
      }
      let key = table.controlSequence(parameters: parameters, final: final, bytes: bytes)
      return finishSequence(key)
    }
    if isDoubled { emit(.escape) }
    reset()
    state = .paste
  }

  /// Ends a sequence with its key, if it is one; a second `ESC` before it was Alt (rxvt).
  private mutating func finishSequence(_ key: KeyStroke?) {
    if let key { emit(isDoubled ? KeyNames.addingAlt(to: key) : key) }
    reset()
  }
}

extension KeyDecoder {
  private mutating func stringStart(_ introducer: UInt8, _ byte: UInt8) -> Bool {
    guard Self.startsAnswer(introducer, byte) else {
      emitAlt(introducer)
      reset()
      return false
    }
    if isDoubled { emit(.escape) }
    held = [Self.escape, introducer]
    parameters = [byte]
    state = .string
    return true
  }

  /// Ends a terminal's response; of an OSC the background is known.
  private mutating func finishString() {
    let introducer = held.last ?? 0
    let report =
      introducer == UInt8(ascii: "]")
      ? TerminalReport(answer: parameters)
      : TerminalReport(string: parameters, introducer: introducer)
    if let report { events.append(.report(report)) }
    reset()
  }

  /// Whether a byte after `ESC ]`, `ESC P` or `ESC _` begins a terminal's response.
  ///
  /// Responses begin with a number (OSC), a number or a punctuation mark (DCS), `G` (kitty's
  /// graphics); all others are keys with Alt.
  private static func startsAnswer(_ introducer: UInt8, _ byte: UInt8) -> Bool {
    switch introducer {
    case UInt8(ascii: "]"): return isDigit(byte)
    case UInt8(ascii: "P"): return isDigit(byte) || ">$|!+".utf8.contains(byte)
    default: return byte == UInt8(ascii: "G")
    }
  }

  private mutating func string(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x07: finishString()
    case Self.escape: state = .stringEscape
    case 0x00..<0x20:
      // Responses contain no control characters: this one was cut off, and the input continues.
      reset()
      return false
    case _ where parameters.count < Self.parameterLimit: parameters.append(byte)
    case _ where parameters.starts(with: TerminalReport.backgroundAnswer):
      // The answer was cut off: keys that follow are not its end.
      reset()
    default: break
    }
    return true
  }

  private mutating func paste(_ byte: UInt8) {
    pasted.append(byte)
    // The end marker contains its first byte only once, so a failed match restarts at most there.
    if byte == Self.pasteEnd[matched] {
      matched += 1
    } else {
      matched = byte == Self.escape ? 1 : 0
    }
    guard matched == Self.pasteEnd.count else { return }
    pasted.removeLast(matched)
    events.append(.paste(pasted))
    pasted = []
    reset()
  }
}

import Glibc

/// Turns bytes into keys, the same way for a terminal and for a pipe.
///
/// Feed it whatever has been read, in pieces of any size: the keys do not depend on where the
/// pieces are cut. A sequence that is known not to be a key (mouse, focus, a terminal's answer)
/// is swallowed whole, so that its bytes never run as keys.
///
/// `ESC` followed by a byte is Alt and that byte. Only time tells a lone Esc: while
/// ``isWaiting``, call ``timeOut()`` when ``escapeDelay`` has passed with no input. Of a pipe no
/// time is asked: what follows `ESC` there belongs to it, and ``finish()`` ends it.
public struct KeyDecoder: Sendable {
  /// How long to wait for what may follow a lone `ESC`: 25 milliseconds, unless `ESCDELAY` says
  /// otherwise, up to a second.
  public static var escapeDelay: Duration {
    guard let text = getenv("ESCDELAY"), let number = Int(String(cString: text)), number > 0 else {
      return .milliseconds(25)
    }
    return .milliseconds(min(number, 1_000))
  }

  /// What the bytes seen so far are the beginning of.
  enum State: Equatable {
    case ground
    /// After one `ESC`, or two (rxvt's Alt).
    case escape
    case control
    case singleShift
    case console
    /// The bytes of an X10 mouse report that are still to come.
    case mouse(Int)
    /// After `ESC ]`, `ESC P` or `ESC _`: a key with Alt or the start of a terminal's answer.
    case stringStart(UInt8)
    case string
    case stringEscape
    case paste
  }

  var state = State.ground
  /// The bytes of the sequence that is not whole yet.
  var held: [UInt8] = []
  /// Parameters longer than this are no key's; they are swallowed but not kept.
  static let parameterLimit = 32
  var parameters: [UInt8] = []
  var table: KeyTable
  var text = UTF8Assembler()
  var pasted: [UInt8] = []
  /// How much of ``pasteEnd`` stands at the end of `pasted`.
  var matched = 0
  var events: [KeyEvent] = []

  static let escape: UInt8 = 0x1B
  static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Makes a decoder for the sequences that every common terminal sends.
  public init() {
    table = KeyTable()
  }

  /// Makes a decoder that also knows sequences of the terminal at hand, as name to bytes.
  ///
  /// Only sequences that begin `ESC [` or `ESC O` are taken: others cannot be told from text.
  public init(terminalKeys: [String: [UInt8]]) {
    table = KeyTable()
    for (name, bytes) in terminalKeys where bytes.count > 2 && bytes[0] == Self.escape {
      guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { continue }
      table.extra[bytes] = name
    }
  }

  /// Whether what has come may be whole, and only time can tell: a lone `ESC`, `ESC [`.
  public var isWaiting: Bool {
    switch state {
    case .escape, .stringStart: return true
    case .control, .singleShift: return parameters.isEmpty
    default: return false
    }
  }

  /// Takes bytes and gives the keys that are whole.
  ///
  /// Linear in the number of bytes, also for a paste of megabytes.
  public mutating func feed(_ bytes: [UInt8]) -> [KeyEvent] {
    for byte in bytes {
      while !consume(byte) { continue }
    }
    return takeEvents()
  }

  /// Gives the keys that are whole if nothing more comes, because nothing came in time.
  public mutating func timeOut() -> [KeyEvent] {
    guard isWaiting else { return [] }
    switch state {
    case .stringStart(let byte): emitAlt(byte)
    case .control: emitAlt(UInt8(ascii: "["))
    case .singleShift: emitAlt(UInt8(ascii: "O"))
    default:
      for _ in held { emit(.escape) }
    }
    reset()
    return takeEvents()
  }

  /// Gives what is left at the end of the input.
  ///
  /// That is a lone Esc, a cut paste, U+FFFD for a cut character; an unfinished sequence is
  /// dropped.
  public mutating func finish() -> [KeyEvent] {
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

  /// Whether the sequence at hand began with two `ESC`.
  var isDoubled: Bool { held.count > 1 && held[1] == Self.escape }

  /// The sequence at hand with one `ESC`.
  var sequence: [UInt8] { isDoubled ? Array(held.dropFirst()) : held }

  mutating func emit(_ stroke: KeyStroke) {
    events.append(.stroke(stroke))
  }

  /// The key Alt and an ASCII byte; with two `ESC` before it the first was Esc itself.
  mutating func emitAlt(_ byte: UInt8) {
    if isDoubled { emit(.escape) }
    let name = KeyNames.character(Unicode.Scalar(byte), .alt)
    emit(KeyStroke(name: name, bytes: [Self.escape, byte]))
  }
}

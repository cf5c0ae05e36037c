extension KeyDecoder {
  /// Takes one byte; false when the state changed and the byte must be looked at again.
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
      // Anything but the terminator ST begins something new.
      reset()
      if byte == UInt8(ascii: "\\") { return true }
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
      // The text state names the character, of one byte or more, with Alt.
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
    // rxvt ends Shift with a number by what everyone else takes for an intermediate byte.
    case UInt8(ascii: "$") where !parameters.isEmpty && parameters.allSatisfy(Self.isDigit):
      finishControl(byte)
    case 0x20...0x3F: keep(byte)
    case UInt8(ascii: "[") where parameters.isEmpty:
      held.append(byte)
      state = .console
    case UInt8(ascii: "M") where parameters.isEmpty: state = .mouse(3)
    case 0x40...0x7E: finishControl(byte)
    default:
      // No byte of a sequence: it was cut off, and this byte begins something else.
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
      let key = table.controlSequence(parameters: parameters, final: final, bytes: bytes)
      return finishSequence(key)
    }
    if isDoubled { emit(.escape) }
    reset()
    state = .paste
  }

  /// Ends a sequence with its key, if it is one; the second `ESC` before it was Alt (rxvt).
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
    state = .string
    return true
  }

  /// Whether a byte behind `ESC ]`, `ESC P` or `ESC _` makes it a terminal's answer.
  ///
  /// Answers begin with a number (OSC), a number or a mark (DCS), `G` (kitty's graphics);
  /// everything else was a key with Alt.
  private static func startsAnswer(_ introducer: UInt8, _ byte: UInt8) -> Bool {
    switch introducer {
    case UInt8(ascii: "]"): return isDigit(byte)
    case UInt8(ascii: "P"): return isDigit(byte) || ">$|!+".utf8.contains(byte)
    default: return byte == UInt8(ascii: "G")
    }
  }

  private mutating func string(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x07: reset()
    case Self.escape: state = .stringEscape
    case 0x00..<0x20:
      // No answer holds a control character: this one never ended, and the input goes on.
      reset()
      return false
    default: break
    }
    return true
  }

  private mutating func paste(_ byte: UInt8) {
    pasted.append(byte)
    // The mark's first byte stands in it only once, so a failed match restarts at most there.
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

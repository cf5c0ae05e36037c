import Journal
import TestSupport

/// Random values, and random ways to write them.
struct RandomJSON {
  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func value(depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth > 4 ? 4 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .number(number())
    case 3: return .string(text())
    case 4: return .array((0..<few()).map { _ in value(depth: depth + 1) })
    default:
      return .object((0..<few()).map { _ in JSONMember(text(), value(depth: depth + 1)) })
    }
  }

  private mutating func few() -> Int { Int.random(in: 0...4, using: &generator) }

  private mutating func number() -> String {
    let numbers = [
      "0", "-0", "1", "-17", "3.25", "1e9", "1E-2", "-0.5e+10", "123456789012345678901234567890",
    ]
    return numbers.randomElement(using: &generator) ?? "0"
  }

  mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{8}", "\u{1F}", "\u{7F}",
      "é", "e", "\u{301}", "\u{2028}", "\u{2029}", "\u{202E}", "日", "\u{FFFD}", "\u{FFFF}", "🌸",
      "\u{FEFF}",
      "\u{10FFFF}",
      "\u{1F468}", "\u{200D}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...20, using: &generator) {
      text.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
    }
    return text
  }

  /// The value's JSON, with white space and escapes where JSON allows them.
  mutating func written(_ value: JSONValue, spaces: [String] = ["", "", " ", "\n", "\t", "\r\n"])
    -> String
  {
    func space() -> String { spaces.randomElement(using: &generator) ?? "" }
    switch value {
    case .null: return space() + "null" + space()
    case .bool(let bool): return space() + "\(bool)" + space()
    case .number(let number): return space() + number + space()
    case .string(let text): return space() + written(text) + space()
    case .array(let values):
      let parts = values.map { written($0, spaces: spaces) }
      return space() + "[" + space() + parts.joined(separator: ",") + space() + "]" + space()
    case .object(let members):
      let parts = members.map {
        space() + written($0.name) + space() + ":" + written($0.value, spaces: spaces)
      }
      return space() + "{" + space() + parts.joined(separator: ",") + space() + "}" + space()
    }
  }

  private mutating func written(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if mustEscape || Int.random(in: 0..<5, using: &generator) == 0 {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// The bytes of a value, for comparisons byte by byte.
func bytes(of value: JSONValue) -> [UInt8] {
  switch value {
  case .null: Array("n".utf8)
  case .bool(let bool): Array("\(bool)".utf8)
  case .number(let number): Array("#\(number)".utf8)
  case .string(let text): Array("\(text.utf8.count):\(text)".utf8)
  case .array(let values): Array("[\(values.count)".utf8) + values.flatMap(bytes)
  case .object(let members):
    Array("{\(members.count)".utf8)
      + members.flatMap { bytes(of: .string($0.name)) + bytes(of: $0.value) }
  }
}

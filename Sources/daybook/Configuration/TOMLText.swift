/// Writing TOML.
enum TOMLText {
  /// A text in quotes.
  static func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    quoted.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted.append("\\")
        quoted.append(scalar)
      case "\t": quoted.append(contentsOf: "\\t".unicodeScalars)
      case "\n": quoted.append(contentsOf: "\\n".unicodeScalars)
      case "\r": quoted.append(contentsOf: "\\r".unicodeScalars)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        quoted.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
      default: quoted.append(scalar)
      }
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// A key, in quotes only where it needs them.
  static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    return isBare ? name : quoted(name)
  }
}

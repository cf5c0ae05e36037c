/// The kind of the last line of a text, in Markdown, for words that are appended to it.
///
/// It knows lines, not the whole of Markdown: where it errs, a tag is on a line of its own.
enum LastLine {
  /// Whether words may follow on the last line: a paragraph, a list item, a quote or a heading.
  ///
  /// Not after code, a table, a formula, a link definition, HTML, a rule or a field (`place:: Vienna`),
  /// which words at their ends would break. Blank lines at the end do not count.
  ///
  /// - Complexity: linear in the bytes of the text.
  static func takesWords(_ text: String) -> Bool {
    Utf8.withBytes(of: text) { bytes in
      var state = State()
      for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        state.read(line)
      }
      return state.takesWords
    }
  }

  private struct State {
    /// The sign and the length of an open fence.
    private var fence: (sign: UInt8, count: Int)?
    private var isInFormula = false
    /// Whether a delimiter row of a table is among the lines since the last blank one.
    private var isInTable = false
    private(set) var takesWords = true

    mutating func read(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
      let text = line.drop { $0 == 0x20 }
      let isBlank = text.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      if let fence {
        let closing = text.prefix { $0 == fence.sign }.count
        let rest = text.dropFirst(closing)
        if closing >= fence.count, rest.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
          self.fence = nil
        }
        takesWords = false
        return
      }
      if isBlank {
        isInTable = false
        return
      }
      let indent = line.count - text.count
      if isFormula(text) { return }
      if indent > 3 || line.first == 0x09 {
        takesWords = false
      } else if let sign = text.first, sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~"),
        case let count = text.prefix(while: { $0 == sign }).count, count > 2,
        sign == UInt8(ascii: "~") || !text.dropFirst(count).contains(sign)
      {
        fence = (sign, count)
        takesWords = false
      } else {
        isInTable = isInTable || isDelimiterRow(text)
        takesWords =
          !isInTable && text.first != UInt8(ascii: "|")
          && text.first != UInt8(ascii: "<") && !isDefinition(text) && !isRule(text)
          && !isField(text)
      }
    }

    /// Reads a line of a formula between `$$`.
    private mutating func isFormula(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
      let marks = text.starts(with: "$$".utf8)
      guard marks || isInFormula else { return false }
      if marks {
        let isWhole = !isInFormula && text.dropFirst(2).contains(UInt8(ascii: "$"))
        isInFormula = !isInFormula && !isWhole
      }
      takesWords = false
      return true
    }

    private func isDelimiterRow(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
      text.contains(UInt8(ascii: "|")) && text.contains(UInt8(ascii: "-"))
        && text.allSatisfy(Self.isOfDelimiterRow)
    }

    private static func isOfDelimiterRow(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "|"), UInt8(ascii: "-"), UInt8(ascii: ":"), 0x20, 0x09, 0x0D: true
      default: false
      }
    }

    /// `[name]: target`, also a footnote.
    private func isDefinition(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
      guard text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")),
        end + 1 < text.endIndex
      else { return false }
      return text[end + 1] == UInt8(ascii: ":") && end - text.startIndex > 1
    }

    /// `name:: value`, where the name is a word.
    private func isField(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
      guard let colon = text.prefix(64).firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
        colon + 2 < text.endIndex, text[colon + 1] == UInt8(ascii: ":"), text[colon + 2] == 0x20
      else { return false }
      return text[..<colon].allSatisfy { $0 >= 0x80 || "-_".utf8.contains($0) || isWordByte($0) }
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// A thematic break, or the underline of a heading.
    private func isRule(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
      let signs = text.filter { $0 != 0x20 && $0 != 0x0D }
      guard let sign = signs.first, "-*_=".utf8.contains(sign), signs.allSatisfy({ $0 == sign })
      else { return false }
      return signs.count > 2
    }
  }
}

import Journal

/// A field whose value is being typed: in a text `mood:: hap`, in a query `mood:hap`.
package struct FieldBeingTyped: Equatable {
  /// The name as typed.
  package var name: String
  /// The letters of the value before the cursor.
  package var typed: String
  /// The offset of their first byte in the line.
  var start: Int

  /// The longest value in bytes.
  private static let longest = 100

  /// Finds the field in a text; the values of other fields and words before it make no difference.
  package init?(in text: String, endingAt point: Int) {
    let before = Array(text.utf8.prefix(max(0, point)))
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let line = before[lineStart...].suffix(Self.longest + FieldBeingTyped.longestName)
    guard
      let colon = line.indices.dropLast(2).last(where: {
        line[$0] == UInt8(ascii: ":") && line[$0 + 1] == UInt8(ascii: ":")
          && (line[$0 + 2] == 0x20 || line[$0 + 2] == 0x09)
      })
    else { return nil }
    let name = line[..<colon].reversed().prefix { !" \t([".utf8.contains($0) }.reversed()
    let value = line[(colon + 2)...].drop { $0 == 0x20 || $0 == 0x09 }
    guard let name = String(validating: Array(name), as: UTF8.self),
      let typed = String(validating: Array(value), as: UTF8.self), Field.isKey(Folding.fold(name)),
      value.count <= Self.longest, !value.contains(where: { "])".utf8.contains($0) })
    else { return nil }
    (self.name, self.typed, start) = (name, typed, value.startIndex)
  }

  /// Finds the field in a word of a query; none for the fields of the query language.
  init?(inQuery word: String) {
    let word = word.drop { $0 == "-" || $0 == "!" }
    guard let colon = word.firstIndex(of: ":") else { return nil }
    let name = String(word[..<colon])
    let typed = word[word.index(after: colon)...]
    guard Field.isKey(Folding.fold(name)), !QueryField.all.contains(where: { $0.name == name }),
      typed.first.map({ !"<>=\"".contains($0) }) ?? true
    else { return nil }
    (self.name, self.typed, start) = (name, String(typed), 0)
  }

  private static let longestName = 80
}

extension Completer {
  /// The field whose values ``CompletionWords/values`` must have for a completion; `nil` in any other place.
  package func field(in line: String, at point: Int, for purpose: PromptPurpose) -> FieldBeingTyped?
  {
    let context = CompletionContext(purpose)
    if context == .text { return FieldBeingTyped(in: line, endingAt: point) }
    guard context == .query else { return nil }
    return FieldBeingTyped(inQuery: CompletionWord(in: line, endingAt: point).text)
  }

  /// The values of the field that is being typed in a text.
  func values(of field: FieldBeingTyped) -> Completion {
    let range = field.start..<field.start + field.typed.utf8.count
    return Completion(
      range: range,
      candidates: words.values.prefix(Self.limit).map { CompletionCandidate($0, isOpen: true) })
  }

  /// The values of the field that is being typed in a query, in quotation marks where they need them.
  func queryValues() -> [CompletionCandidate] {
    // No query can name a value with quotation marks.
    words.values.filter { !$0.contains("\"") }.map { value in
      let isWord = !value.contains { $0.isWhitespace || "()|".contains($0) }
      return CompletionCandidate(isWord ? value : "\"\(value)\"")
    }
  }
}

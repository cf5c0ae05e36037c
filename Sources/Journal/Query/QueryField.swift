/// The fields of the query language, each listed once: the name before the colon, and what may follow it.
///
/// The parser, completion and the hints for misspelt names read this list. Any other name is that of a field
/// in texts (``FieldTest``). Fields of ``EntrySchema`` with
/// the use ``EntrySchema/Uses/query`` follow at its end, and are parsed, completed, matched and turned
/// into SQL by their type.
package struct QueryField: Sendable {
  /// The name, without the colon.
  package let name: String
  /// The kind of the value after the colon.
  package let value: Value

  /// The kinds of values after a colon.
  package enum Value: Sendable {
    /// A property of an entry: ``Query/Flag``.
    case state
    /// A date, from which on entries count.
    case start
    /// A date, up to which entries count.
    case end
    /// A date, up to which entries count, itself excluded.
    case before
    /// A date, from which on entries count, itself excluded.
    case after
    /// A tag, with or without its sign.
    case tag
    /// A date, a range of dates, or a day of every year.
    case days
    /// A number of words, or a range of such numbers.
    case wordCount
    /// The number of an entry.
    case number
    /// A value of a stored field, by its place in ``EntrySchema/fields``.
    case stored(Int)
    /// The target of links: a title, a day or a month.
    case target
    /// The number of an entry that entries link to.
    case entry
    /// The title of an entry with links.
    case source
    /// The name of a field in texts.
    case field
    case fileKind
    /// The name or the size of a file.
    case file
  }

  /// All fields, in the order in which they are offered.
  package static let all: [QueryField] =
    [
      QueryField(name: "is", value: .state), QueryField(name: "since", value: .start),
      QueryField(name: "until", value: .end), QueryField(name: "on", value: .days),
      QueryField(name: "words", value: .wordCount), QueryField(name: "id", value: .number),
      QueryField(name: "links", value: .target), QueryField(name: "linksto", value: .entry),
      QueryField(name: "linked", value: .source),
      QueryField(name: "field", value: .field), QueryField(name: "has", value: .fileKind),
      QueryField(name: "file", value: .file),
      QueryField(name: "before", value: .before), QueryField(name: "after", value: .after),
      QueryField(name: "date", value: .days), QueryField(name: "tag", value: .tag),
    ]
    + EntrySchema.fields.enumerated().filter { $1.uses.contains(.query) }.map { place, field in
      QueryField(name: field.name, value: .stored(place))
    }

  /// Names of other programs, with the fields that mean the same here.
  static let synonyms: [String: [String]] = [
    "from": ["since"], "to": ["until"], "in": ["on"], "day": ["on"], "month": ["on"],
    "year": ["on"],
  ]

  /// The values that can be listed; empty where there are too many, or dates.
  package var choices: [String] {
    switch value {
    case .state: Query.Flag.allCases.map(\.rawValue)
    case .fileKind: FileTest.kinds
    case .stored(let place):
      if case .flag = EntrySchema.fields[place].kind { StoredTest.answers } else { [] }
    case .start, .end, .before, .after, .days, .wordCount, .number, .target, .entry, .source,
      .field, .file,
      .tag:
      []
    }
  }
}

/// The condition of a query on a stored field: `mood:calm`.
package struct StoredTest: Hashable, Codable, Sendable {
  /// The field, by its place in ``EntrySchema/fields``: closures cannot be compared.
  package let place: Int
  /// The condition on the field.
  package let value: Value

  /// A condition on a field.
  package enum Value: Hashable, Codable, Sendable {
    /// This number.
    case integer(Int64)
    /// This text, without case and accents.
    case text(String)
    /// A text that begins like this, and is not empty.
    case prefix(String)
    /// This answer.
    case flag(Bool)
  }

  /// The field that is asked about.
  package var field: EntrySchema.Field { EntrySchema.fields[place] }

  /// The answers that a flag has: it is so, it is not.
  static let answers = ["yes", "no"]

  /// Whether an entry has the value.
  ///
  /// - Complexity: linear in the bytes of the field.
  package func holds(for entry: Entry) -> Bool {
    switch (field.kind, value) {
    case (.integer(let access), .integer(let number)): return access.get(entry) == number
    case (.flag(let access), .flag(let answer)): return access.get(entry) == answer
    case (.text(let access), .text(let text)): return Folding.fold(access.get(entry)) == text
    case (.text(let access), .prefix(let start)):
      let text = access.get(entry)
      return !text.isEmpty && Folding.fold(text).utf8.starts(with: start.utf8)
    case (.integer, _), (.flag, _), (.text, _), (.day, _), (.moment, _), (.optionalMoment, _):
      return false
    }
  }
}

extension StoredTest {
  /// Reads what follows the colon; a `*` at its end asks for a beginning.
  ///
  /// - Parameter isTyped: whether somebody is still typing the value.
  init(_ place: Int, _ text: String, isTyped: Bool) throws(QueryError.Problem) {
    let field = EntrySchema.fields[place]
    let value: Value
    switch field.kind {
    case .integer:
      guard let number = Int64(text) else { throw .number(field: field.name, value: text) }
      value = .integer(number)
    case .flag:
      guard let answer = StoredTest.answers.firstIndex(of: text.lowercased()) else {
        throw .answer(field: field.name, value: text)
      }
      value = .flag(answer == 0)
    case .text, .day, .moment, .optionalMoment:
      let hasStar = text.last == "*"
      let folded = Folding.fold(hasStar ? String(text.dropLast()) : text)
      value = hasStar || isTyped ? .prefix(folded) : .text(folded)
    }
    self.init(place: place, value: value)
  }
}

extension StoredTest: CustomStringConvertible {
  /// The test as it is typed: `mood:calm`, `mood:"quite calm"`.
  package var description: String {
    let text =
      switch value {
      case .integer(let number): String(number)
      case .flag(let answer): StoredTest.answers[answer ? 0 : 1]
      case .text(let text): text
      case .prefix(let start): start + "*"
      }
    let isWord = !text.isEmpty && !text.contains { $0.isWhitespace || "()|".contains($0) }
    return isWord ? "\(field.name):\(text)" : "\(field.name):\"\(text)\""
  }
}

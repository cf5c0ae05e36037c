/// The value of a field of front matter, in whichever language it was written.
enum FieldValue: Hashable, Sendable {
  /// A string, a number or a date, as the file spells it.
  case text(String)
  /// A list.
  case list([FieldValue])
  /// Fields inside the field.
  case table([String: FieldValue])

  /// The text of a single value.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The texts of a value or a list; nothing of tables.
  var texts: [String] {
    switch self {
    case .text(let text): text.isEmpty ? [] : [text]
    case .list(let values): values.flatMap(\.texts)
    case .table: []
    }
  }

  /// Whether fields stand inside it, which are no texts.
  var hasTable: Bool {
    switch self {
    case .text: false
    case .list(let values): values.contains(where: \.hasTable)
    case .table: true
    }
  }

  /// Whether nothing is lost with the value: it is empty, or `false`.
  var saysNothing: Bool {
    switch self {
    case .text(let text): text.isEmpty || text.lowercased() == "false"
    case .list(let values): values.allSatisfy(\.saysNothing)
    case .table(let fields): fields.values.allSatisfy(\.saysNothing)
    }
  }
}

/// A field of front matter.
struct Field {
  /// Its name as the file spells it.
  var name: String
  /// Its value.
  var value: FieldValue
}

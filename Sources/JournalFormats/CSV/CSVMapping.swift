import Journal

/// The columns of a table that entries are made of.
///
/// A mapping is written as `date=Datum,text=Notiz,field:mood=Stimmung`: a role, `=`, and the name of
/// a column, or its number from 1 if no column has that name. Texts, titles and tags may have several
/// columns, which are joined; any other role has one. A backslash before a comma is part of a name.
package struct CSVMapping: Hashable, Sendable {
  /// What a column is for.
  package enum Role: Hashable, Sendable {
    case date
    case time
    case text
    case title
    case tags
    case star
    case uuid
    case modified
    /// A field with this name.
    case field(String)

    /// The role with a name: `date`, `field:mood`; `nil` for an unknown one.
    init?(_ name: String) {
      switch name {
      case "date": self = .date
      case "time": self = .time
      case "text": self = .text
      case "title": self = .title
      case "tags", "tag": self = .tags
      case "star", "starred": self = .star
      case "uuid": self = .uuid
      case "modified": self = .modified
      case _ where name.hasPrefix("field:"):
        let field = ImportedField.name(String(name.dropFirst(6)))
        guard field.contains(where: \.isLetter) else { return nil }
        self = .field(field)
      default: return nil
      }
    }
  }

  /// The roles with the names of their columns, in order.
  package let columns: [Column]

  /// A role with the name of its column.
  package struct Column: Hashable, Sendable {
    package let role: Role
    package let name: String
  }

  /// Parses a mapping.
  ///
  /// - Throws: ``FormatError`` with the wrong part.
  package init(_ text: String) throws(FormatError) {
    var columns: [Column] = []
    for part in CSVMapping.parts(of: text) {
      guard let sign = part.firstIndex(of: "=") else {
        throw FormatError("the mapping \"\(part.excerpt)\" has no =; write date=COLUMN,text=COLUMN")
      }
      let name = OneLine.text(String(part[..<sign])).lowercased()
      guard let role = Role(name) else {
        throw FormatError(
          "\"\(name.excerpt)\" is no role of a column; roles are date, time, text, title, tags, star, "
            + "uuid, modified and field:NAME")
      }
      let isShared = [.text, .title, .tags].contains(role)
      guard isShared || !columns.contains(where: { $0.role == role }) else {
        throw FormatError("two columns are mapped to \(name.excerpt); only texts and tags may be")
      }
      columns.append(
        Column(role: role, name: OneLine.text(String(part[part.index(after: sign)...]))))
    }
    guard columns.contains(where: { $0.role == .date }) else {
      throw FormatError("the mapping has no date; write date=COLUMN")
    }
    // A table of moods may have no text but fields.
    let hasText = columns.contains { column in
      if case .field = column.role { true } else { column.role == .text || column.role == .title }
    }
    guard hasText else { throw FormatError("the mapping has no text; write text=COLUMN") }
    self.columns = columns
  }

  private init(_ columns: [Column]) { self.columns = columns }

  private static func parts(of text: String) -> [String] {
    var parts = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        if character != "," { parts[parts.count - 1].append("\\") }
        parts[parts.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "," {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    if isEscaped { parts[parts.count - 1].append("\\") }
    return parts.filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// The mapping of a table whose columns have the names of roles, or the usual ones.
  ///
  /// - Returns: `nil` without a date and a text.
  static func guessed(_ names: [String]) -> CSVMapping? {
    var columns: [Column] = []
    for name in names {
      let key = OneLine.text(name).lowercased()
      let usual = usual[key.replacing(" ", with: "_")]
      let field = technical.contains(key) ? nil : Role("field:\(name)")
      guard let role = usual ?? field else { continue }
      guard role == .text || !columns.contains(where: { $0.role == role }) else { continue }
      columns.append(Column(role: role, name: name))
    }
    let roles = Set(columns.map(\.role))
    let hasText = roles.contains(.text) || roles.contains(.title)
    return roles.contains(.date) && hasText ? CSVMapping(columns) : nil
  }

  /// The names of columns that are usual, in the languages of most tables.
  private static let usual: [String: Role] = {
    let names: [(Role, String)] = [
      (.date, "date datetime timestamp created created_at datum fecha data day entry_date"),
      (.time, "time uhrzeit zeit heure hora"),
      (
        .text,
        "text note notes content body entry description comment comments journal diary message notiz"
          + " notizen eintrag inhalt beschreibung texte contenu texto nota notas contenido"
      ), (.title, "title subject titel betreff titre título titulo"),
      (.tags, "tags tag labels categories schlagwörter etiquetas"),
      (.star, "star starred favorite favourite pinned"), (.uuid, "uuid"),
      (.modified, "modified updated updated_at geändert"),
    ]
    return Dictionary(
      names.flatMap { role, words in words.split(separator: " ").map { (String($0), role) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// What a table has for its program alone.
  private static let technical: Set = ["id", "number", "nr", "#", "checksum", "hash"]

  /// The roles of a table's columns by their numbers, from 0.
  ///
  /// - Throws: ``FormatError`` for a column that the table lacks.
  func roles(in names: [String]) throws(FormatError) -> [(role: Role, index: Int)] {
    var roles: [(role: Role, index: Int)] = []
    for column in columns {
      // Columns of one name are taken in their order.
      let same = names.indices.filter { names[$0] == column.name }
      let exact = same.first { index in !roles.contains { $0.index == index } } ?? same.first
      let folded = Folding.fold(column.name)
      let numbered = Int(column.name).flatMap {
        (1...max(names.count, 1)).contains($0) ? $0 - 1 : nil
      }
      guard
        let index = exact ?? names.firstIndex(where: { Folding.fold($0) == folded }) ?? numbered
      else {
        throw FormatError(
          "has no column \"\(column.name.excerpt)\"; its columns are \(CSVMapping.list(names))")
      }
      roles.append((column.role, index))
    }
    return roles
  }

  /// The names of columns in a message.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).map { "\"\($0.excerpt)\"" }.joined(separator: ", ")
    return names.count > 12 ? "\(shown) and \(names.count - 12) others" : shown
  }
}

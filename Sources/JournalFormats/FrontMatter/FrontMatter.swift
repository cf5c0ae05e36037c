import Journal

/// The fields at the start of a Markdown file: YAML between `---`, or TOML between `+++`.
///
/// Names are compared without case, with `_` equal to `-` and spaces. Fields in the tables `time`,
/// `entry` and `taxonomies`, as in Notema and Zola, count, too. Unused fields are ``unkept``, so
/// that an import can list them.
struct FrontMatter {
  private var fields: [String: FieldValue] = [:]
  /// The names in the order of the file, each in its original and its normalised form.
  private var names: [(spelling: String, name: String)] = []
  private var taken: Set<String> = []
  /// All fields at the top in the order of the file.
  private(set) var all: [Field] = []
  /// The lines between the fences, without their ends.
  private(set) var content: [ArraySlice<UInt8>] = []
  /// Whether it is TOML.
  private(set) var isTOML = false
  /// Whether the text is not valid for its fence, so that each field was parsed separately.
  private(set) var isRepaired = false

  /// Removes the front matter from the lines of a file; `nil`, with the lines unchanged, if there
  /// is none.
  ///
  /// A thematic break looks like a fence: the lines between two are front matter if they are a list
  /// of fields, and either one field is known here or there is no blank line after the first fence.
  init?(_ lines: inout TextLines) {
    var ahead = lines
    guard let opening = ahead.next() else { return nil }
    let fence = FrontMatter.trimmedEnd(lines.bytes[opening.range])
    let isTOML = fence.elementsEqual("+++".utf8)
    guard isTOML || fence.elementsEqual("---".utf8) else { return nil }
    var content: [ArraySlice<UInt8>] = []
    var isClosed = false
    while !isClosed, let line = ahead.next() {
      let bytes = lines.bytes[line.range]
      let end = FrontMatter.trimmedEnd(bytes)
      isClosed = end.elementsEqual(fence) || (!isTOML && end.elementsEqual("...".utf8))
      if !isClosed { content.append(bytes) }
    }
    // An unclosed fence is a text that begins with a thematic break.
    guard isClosed else { return nil }
    guard let read = FrontMatter.read(content, isTOML: isTOML) else { return nil }
    // Headings of a text are comments in YAML.
    if read.fields.isEmpty, !content.allSatisfy({ $0.allSatisfy(ASCII.isSpace) }) { return nil }
    isRepaired = read.isRepaired
    (all, self.content, self.isTOML) = (read.fields, content, isTOML)
    for field in read.fields { add(field) }
    let isSpaced = content.first.map { $0.allSatisfy(ASCII.isSpace) } ?? false
    let isOdd = isSpaced || names.contains { $0.spelling.contains(" ") }
    if isOdd, !names.contains(where: { FrontMatter.known.contains($0.name) }), !names.isEmpty {
      return nil
    }
    lines = ahead
  }

  /// Makes the front matter of fields that are elsewhere in a file.
  init(_ fields: [Field]) {
    all = fields
    for field in fields { add(field) }
  }

  /// The fields that entries can store.
  private static let known = Set(
    Note.dates + Note.changes + [
      "title", "tags", "tag", "id", "uuid", "draft", "aliases", "categories", "layout", "slug",
      "body", "starred", "entry", "taxonomies", "keywords", "author", "description",
    ])
  /// Tables whose fields count as top-level fields.
  private static let tables = ["time", "entry", "taxonomies"]

  private static func trimmedEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = line.lastIndex { !ASCII.isSpace($0) }
    return line[line.startIndex..<(end.map { $0 + 1 } ?? line.startIndex)]
  }

  private mutating func add(_ field: Field) {
    let name = FrontMatter.name(field.name)
    if case .table(let inner) = field.value, isFlat(field.name) {
      for (key, value) in inner.sorted(by: { $0.key < $1.key }) {
        add(Field(name: key, value: value))
      }
      return
    }
    switch (fields[name], field.value) {
    case (nil, _):
      fields[name] = field.value
      names.append((field.name, name))
    case (let old?, let new) where name == "tags":
      fields[name] = .list([old, new])
    case (let old?, let new):
      // The first of duplicate names counts; another one is dropped, unless it has the same value.
      guard old != new else { return }
      let other = "\(name)#\(names.count)"
      fields[other] = new
      names.append((field.name, other))
    }
  }

  /// The name by which fields are compared.
  static func name(_ spelling: String) -> String {
    String(spelling.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
  }

  /// Whether the fields of a table with this name count as top-level fields.
  func isFlat(_ spelling: String) -> Bool {
    FrontMatter.tables.contains(FrontMatter.name(spelling))
  }

  /// Whether a line is a comment, or seems to end with one.
  var hasComments: Bool { content.contains(where: FrontMatter.hasComment) }

  /// Whether a line has a number sign after a space, or at its beginning, outside quotes.
  private static func hasComment(_ line: ArraySlice<UInt8>) -> Bool {
    var quote: UInt8?
    var before = UInt8(ascii: " ")
    for byte in line {
      defer { before = before == UInt8(ascii: "\\") && byte == before ? 0 : byte }
      if let open = quote {
        let isEscaped = open == UInt8(ascii: "\"") && before == UInt8(ascii: "\\")
        if byte == open && !isEscaped { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        // An apostrophe in a word quotes nothing; two in a quoted text are one.
        let opens = ASCII.isSpace(before) || "[{,:'".utf8.contains(before)
        quote = opens ? byte : nil
      } else if byte == UInt8(ascii: "#") && ASCII.isSpace(before) {
        return true
      }
    }
    return false
  }

  /// Whether a field was used.
  func isTaken(_ spelling: String) -> Bool { taken.contains(FrontMatter.name(spelling)) }
}

extension FrontMatter {
  /// Takes the first of these fields with a text that `accepts` allows.
  mutating func take(
    _ names: [String], where accepts: (String) -> Bool = { _ in true }
  ) -> String? {
    for name in names {
      guard let text = fields[name]?.texts.first, accepts(text) else { continue }
      take(name: name)
      return text
    }
    return nil
  }

  /// Takes all texts of the first of these fields with any, joined.
  mutating func takeTexts(_ names: [String], separator: String) -> String? {
    takeValues(names)?.texts.joined(separator: separator)
  }

  /// The texts of these fields, each with its name, without marking them as used.
  func texts(_ names: [String]) -> [(name: String, text: String)] {
    names.compactMap { name in fields[name]?.texts.first.map { (name, $0) } }
  }

  /// Marks a field as used, unless it has further texts.
  mutating func take(name: String) {
    guard let value = fields[name], value.texts.count <= 1, !value.hasTable else { return }
    taken.insert(name)
  }

  /// Takes the values of the first of these fields with any.
  mutating func takeValues(_ names: [String]) -> FieldValue? {
    for name in names {
      guard let value = fields[name], !value.texts.isEmpty else { continue }
      if !value.hasTable { taken.insert(name) }
      return value
    }
    return nil
  }

  /// Takes boolean fields, and returns whether one is true.
  mutating func takeFlag(_ names: [String]) -> Bool {
    var isTrue = false
    for name in names {
      guard let text = fields[name]?.text?.lowercased() else { continue }
      if ["true", "yes", "1", "on"].contains(text) {
        taken.insert(name)
        isTrue = true
      } else if ["false", "no", "0", "off", ""].contains(text) {
        taken.insert(name)
      }
    }
    return isTrue
  }

  /// Takes the unused fields that have one short value, such as `mood` and `place`.
  ///
  /// - Parameter others: the names of fields that are not for people, and of dates.
  mutating func takeFields(except others: Set<String>) -> [ImportedField] {
    let dates = Set(Note.dates + Note.changes)
    let said = Set(taken.compactMap { fields[$0] })
    var found: [ImportedField] = []
    for (spelling, name) in names where !taken.contains(name) && !others.contains(name) {
      guard !dates.contains(name), !name.contains("#"), let value = fields[name],
        !value.saysNothing || value.text?.lowercased() == "false",
        !said.contains(value) || value.saysNothing,
        !value.hasTable
      else { continue }
      let text = value.texts.joined(separator: ", ")
      guard text.utf8.count <= 300, !text.contains(where: \.isNewline), !isRepaired,
        let field = ImportedField(named: spelling, text)
      else { continue }
      found.append(field)
      taken.insert(name)
    }
    return found
  }

  /// The original names of non-empty unused fields, without duplicates of used ones.
  var unkept: [String] {
    let said = Set(taken.compactMap { fields[$0] })
    return names.filter { spelling, name in
      guard !taken.contains(name), let value = fields[name], !value.saysNothing else {
        return false
      }
      return !said.contains(value)
    }.map(\.spelling)
  }
}

extension FrontMatter {
  /// The fields of the lines between the fences; `nil` if they are not fields at all.
  private static func read(
    _ content: [ArraySlice<UInt8>], isTOML: Bool
  ) -> (fields: [Field], isRepaired: Bool)? {
    let text = String(decoding: Array(content.joined(separator: [0x0A])), as: UTF8.self) + "\n"
    do throws(FormatError) {
      if isTOML { return (try TOMLFields.read(text), false) }
      guard let fields = try YAMLFields.read(text) else { return nil }
      return (fields, false)
    } catch {
      return RepairedFields(content, isTOML: isTOML).map { ($0.fields, true) }
    }
  }
}

/// The value of a field in any format of front matter.
enum FieldValue: Hashable, Sendable {
  /// A string, a number or a date, spelled as in the file.
  case text(String)
  /// A list.
  case list([FieldValue])
  /// Nested fields.
  case table([String: FieldValue])

  /// The text of a single value.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The texts of a value or a list; none for tables.
  var texts: [String] {
    switch self {
    case .text(let text): text.isEmpty ? [] : [text]
    case .list(let values): values.flatMap(\.texts)
    case .table: []
    }
  }

  /// Whether it has nested fields, which are not texts.
  var hasTable: Bool {
    switch self {
    case .text: false
    case .list(let values): values.contains(where: \.hasTable)
    case .table: true
    }
  }

  /// Whether the value is empty or `false`, so that dropping it loses no data.
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
  /// Its name, spelled as in the file.
  var name: String
  /// Its value.
  var value: FieldValue
}

/// The fields of broken front matter, each parsed separately, so that one invalid line costs no
/// other field: `title: Day 3: the lake` is not YAML, and tabs cannot indent YAML.
struct RepairedFields {
  /// The fields; the value of an unparsable one is its raw text.
  private(set) var fields: [Field] = []
  private let isTOML: Bool

  /// Parses lines; `nil` if the first non-blank one does not begin a field.
  init?(_ content: [ArraySlice<UInt8>], isTOML: Bool) {
    self.isTOML = isTOML
    var table: String?
    var chunk: [ArraySlice<UInt8>] = []
    for line in content {
      if isTOML, let name = RepairedFields.table(line) {
        take(chunk, in: table)
        (chunk, table) = ([], name)
      } else if RepairedFields.key(line, isTOML: isTOML) != nil {
        take(chunk, in: table)
        chunk = [line]
      } else if !chunk.isEmpty {
        chunk.append(line)
      } else if fields.isEmpty, table == nil, !RepairedFields.saysNothing(line) {
        return nil
      }
    }
    take(chunk, in: table)
  }

  private static func saysNothing(_ line: ArraySlice<UInt8>) -> Bool {
    let text = ASCII.trimmed(line)
    return text.isEmpty || text.first == UInt8(ascii: "#")
  }

  /// The name of the field that a line at the margin begins, and the start of its value.
  static func key(
    _ line: ArraySlice<UInt8>, isTOML: Bool
  ) -> (name: String, value: ArraySlice<UInt8>)? {
    guard let first = line.first, !ASCII.isSpace(first), first != UInt8(ascii: "#"),
      let sign = line.prefix(200).firstIndex(of: UInt8(ascii: isTOML ? "=" : ":"))
    else { return nil }
    let value = line[(sign + 1)...]
    guard isTOML || value.isEmpty || value.first.map(ASCII.isSpace) == true else { return nil }
    let quotes = Array("\"'".utf8)
    let name = ASCII.trimmed(line[..<sign]).filter { !quotes.contains($0) }
    guard let letter = name.first, letter != UInt8(ascii: "-"), letter != UInt8(ascii: "[") else {
      return nil
    }
    return (String(decoding: name, as: UTF8.self), value)
  }

  /// The name of `[table]`.
  private static func table(_ line: ArraySlice<UInt8>) -> String? {
    let text = ASCII.trimmed(line)
    guard line.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") else { return nil }
    return String(decoding: text.filter { !"[] \"".utf8.contains($0) }, as: UTF8.self)
  }

  private mutating func take(_ chunk: [ArraySlice<UInt8>], in table: String?) {
    guard let first = chunk.first, let key = RepairedFields.key(first, isTOML: isTOML) else {
      return
    }
    var value = read(chunk)
    if value == nil, isTOML, chunk.count > 1, let first = read([first]) {
      // The lines below belong to no field; the line itself is their name.
      value = first
      for line in chunk.dropFirst() where !RepairedFields.saysNothing(line) {
        let text = String(decoding: ASCII.trimmed(line).prefix(200), as: UTF8.self).excerpt
        fields.append(Field(name: text, value: .text(text)))
      }
    }
    let field = Field(name: key.name, value: value ?? .text(raw(key.value, chunk.dropFirst())))
    guard let table else { return fields.append(field) }
    fields.append(Field(name: table, value: .table([field.name: field.value])))
  }

  /// The value of a field, if it is valid alone.
  private func read(_ chunk: [ArraySlice<UInt8>]) -> FieldValue? {
    let lines = chunk.map(RepairedFields.withoutTabs)
    let text = String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self) + "\n"
    if isTOML { return (try? TOMLFields.read(text))?.first?.value }
    return (try? YAMLFields.read(text))??.first?.value
  }

  /// A line whose leading tabs are replaced by two spaces each.
  private static func withoutTabs(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let indent = line.prefix { $0 == 0x09 || $0 == 0x20 }
    return indent.flatMap { $0 == 0x09 ? [0x20, 0x20] : [$0] } + line[indent.endIndex...]
  }

  /// The raw text, without surrounding quotes.
  private func raw(_ value: ArraySlice<UInt8>, _ more: ArraySlice<ArraySlice<UInt8>>) -> String {
    let lines = ([value] + more).map { ASCII.trimmed($0) }.filter { !$0.isEmpty }
    var text = Array(lines.joined(separator: [0x0A]))
    if let quote = text.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      text.count > 1, text.last == quote
    {
      text = Array(text.dropFirst().dropLast())
    }
    return String(decoding: text, as: UTF8.self)
  }
}

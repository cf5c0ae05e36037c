import Journal

/// The fields in front of a Markdown file: YAML between `---`, or TOML between `+++`.
///
/// Names are told apart without case, and with `_` for `-` and spaces. Those of the tables `time`,
/// `entry` and `taxonomies`, where Notema and Zola keep them, count too. Fields that nobody took are
/// ``unkept``, so that an import can name them.
struct FrontMatter {
  private var fields: [String: FieldValue] = [:]
  /// The names in the order of the file, each as the file spells it and as it is looked up.
  private var names: [(spelling: String, name: String)] = []
  private var taken: Set<String> = []
  /// Whether the text is not what its fence says, and each field was read by itself.
  private(set) var isMended = false

  /// Takes the front matter off the lines of a file; nothing, and nothing taken, when there is none.
  ///
  /// A rule of Markdown looks like a fence: what stands between two is front matter when it is a list
  /// of fields, and either one of them is known here or there is no blank line below the first fence.
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
    // What is not closed is a text that begins with a rule.
    guard isClosed else { return nil }
    guard let read = FrontMatter.read(content, isTOML: isTOML) else { return nil }
    // Headings of a text are comments of YAML.
    if read.fields.isEmpty, !content.allSatisfy({ $0.allSatisfy(ASCII.isSpace) }) { return nil }
    isMended = read.isMended
    for field in read.fields { add(field) }
    let isSpaced = content.first.map { $0.allSatisfy(ASCII.isSpace) } ?? false
    let isOdd = isSpaced || names.contains { $0.spelling.contains(" ") }
    if isOdd, !names.contains(where: { FrontMatter.known.contains($0.name) }), !names.isEmpty {
      return nil
    }
    lines = ahead
  }

  /// Fields that entries have a place for.
  private static let known: Set<String> = [
    "date", "created", "created_at", "updated", "modified", "title", "tags", "tag", "id", "uuid",
    "time", "draft", "aliases", "categories", "layout", "slug", "body", "starred", "entry",
    "taxonomies", "keywords", "author", "description",
  ]
  /// Tables whose fields count as those of the file.
  private static let tables = ["time", "entry", "taxonomies"]

  private static func trimmedEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = line.lastIndex { !ASCII.isSpace($0) }
    return line[line.startIndex..<(end.map { $0 + 1 } ?? line.startIndex)]
  }

  private mutating func add(_ field: Field) {
    let name = FrontMatter.name(field.name)
    if case .table(let inner) = field.value, FrontMatter.tables.contains(name) {
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
      // The first of a name counts; another one is not kept, unless it says the same.
      guard old != new else { return }
      let other = "\(name)#\(names.count)"
      fields[other] = new
      names.append((field.name, other))
    }
  }

  private static func name(_ spelling: String) -> String {
    String(spelling.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
  }
}

extension FrontMatter {
  /// Takes the first of these fields that has a single text which is accepted.
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

  /// Takes all texts of the first of these fields that has any, joined where they are several.
  mutating func takeTexts(_ names: [String], separator: String) -> String? {
    takeValues(names)?.texts.joined(separator: separator)
  }

  /// The texts of these fields, each with its name, without taking them.
  func texts(_ names: [String]) -> [(name: String, text: String)] {
    names.compactMap { name in fields[name]?.texts.first.map { (name, $0) } }
  }

  /// Marks a field as taken, unless it has more than the one text that was asked for.
  mutating func take(name: String) {
    guard let value = fields[name], value.texts.count <= 1, !value.hasTable else { return }
    taken.insert(name)
  }

  /// Takes the values of the first of these fields that has any.
  mutating func takeValues(_ names: [String]) -> FieldValue? {
    for name in names {
      guard let value = fields[name], !value.texts.isEmpty else { continue }
      if !value.hasTable { taken.insert(name) }
      return value
    }
    return nil
  }

  /// Takes fields that are true or false, and tells whether one is true.
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

  /// The names of the fields that say something and were not taken, as the file spells them; one that
  /// repeats a field that was taken has said nothing new.
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
  /// The fields of the lines between the fences; nothing where they are no fields at all.
  private static func read(
    _ content: [ArraySlice<UInt8>], isTOML: Bool
  ) -> (fields: [Field], isMended: Bool)? {
    let text = String(decoding: Array(content.joined(separator: [0x0A])), as: UTF8.self) + "\n"
    do throws(FormatError) {
      if isTOML { return (try TOMLFields.read(text), false) }
      guard let fields = try YAMLFields.read(text) else { return nil }
      return (fields, false)
    } catch {
      return MendedFields(content, isTOML: isTOML).map { ($0.fields, true) }
    }
  }
}

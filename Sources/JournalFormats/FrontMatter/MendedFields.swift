/// The fields of front matter that is broken, each read by itself, so that one wrong line costs no
/// other field: `title: Day 3: the lake` is no YAML, and tabs indent nothing there.
struct MendedFields {
  /// The fields, those that cannot be read even so as the text that stands there.
  private(set) var fields: [Field] = []
  private let isTOML: Bool

  /// Reads lines; nothing when the first one that says something begins no field.
  init?(_ content: [ArraySlice<UInt8>], isTOML: Bool) {
    self.isTOML = isTOML
    var table: String?
    var chunk: [ArraySlice<UInt8>] = []
    for line in content {
      if isTOML, let name = MendedFields.table(line) {
        take(chunk, in: table)
        (chunk, table) = ([], name)
      } else if MendedFields.key(line, isTOML: isTOML) != nil {
        take(chunk, in: table)
        chunk = [line]
      } else if !chunk.isEmpty {
        chunk.append(line)
      } else if fields.isEmpty, table == nil, !MendedFields.saysNothing(line) {
        return nil
      }
    }
    take(chunk, in: table)
  }

  private static func saysNothing(_ line: ArraySlice<UInt8>) -> Bool {
    let text = ASCII.trimmed(line)
    return text.isEmpty || text.first == UInt8(ascii: "#")
  }

  /// The name that a line at the margin gives a value to, and where the value begins.
  private static func key(
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
    guard let first = chunk.first, let key = MendedFields.key(first, isTOML: isTOML) else { return }
    var value = read(chunk)
    if value == nil, isTOML, chunk.count > 1, let first = read([first]) {
      // The lines below belong to nothing, and are named as what they are.
      value = first
      for line in chunk.dropFirst() where !MendedFields.saysNothing(line) {
        let text = String(decoding: ASCII.trimmed(line).prefix(200), as: UTF8.self).excerpt
        fields.append(Field(name: text, value: .text(text)))
      }
    }
    let field = Field(name: key.name, value: value ?? .text(raw(key.value, chunk.dropFirst())))
    guard let table else { return fields.append(field) }
    fields.append(Field(name: table, value: .table([field.name: field.value])))
  }

  /// The value of a field, where it is right by itself.
  private func read(_ chunk: [ArraySlice<UInt8>]) -> FieldValue? {
    let lines = chunk.map(MendedFields.withoutTabs)
    let text = String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self) + "\n"
    if isTOML { return (try? TOMLFields.read(text))?.first?.value }
    return (try? YAMLFields.read(text))??.first?.value
  }

  /// A line whose tabs at the margin are two spaces each.
  private static func withoutTabs(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let indent = line.prefix { $0 == 0x09 || $0 == 0x20 }
    return indent.flatMap { $0 == 0x09 ? [0x20, 0x20] : [$0] } + line[indent.endIndex...]
  }

  /// What stands there, without quotes around it.
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

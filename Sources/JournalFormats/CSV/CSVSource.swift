import Journal

/// Tables of Daybook, and of other programs by a mapping of their columns.
enum CSVFormat: ReadableFormat {
  static let name = "csv"
  static let guide = CSVSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool { CSVSource.isOwn(head) }

  static func accepts(_ head: [UInt8], path: String?) -> Bool {
    CSVSource.recognises(head, path: path)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".csv", ".tsv"]) {
      CSVSource($0, options: options)
    }
  }
}

/// Reads entries from a table: Daybook's own export, or any other with a mapping of its columns.
///
/// Daybook's export is read back byte by byte. Where ``CSVEncoder`` wrote it for spreadsheets, all
/// fields are in quotation marks, and the apostrophes before formulas are removed; an apostrophe that
/// was in a text before such a sign cannot be told from them.
///
/// In other tables a column that no role has is counted as not kept. Dates are read as everywhere
/// (``DateText``); the first rows show the order of day and month.
package struct CSVSource: EntrySource {
  private enum Reading {
    case own([String: Int])
    case mapped([(role: CSVMapping.Role, index: Int)])
  }

  private let table: CSVTable
  private let mapping: CSVMapping?
  private let options: ImportOptions
  private var reading: Reading?
  private var order: DateOrder?

  /// Makes a source of a stream.
  ///
  /// - Parameter mapping: the columns; `nil` for those of the options, else for Daybook's own export,
  ///   and tables whose columns have the usual names.
  package init(_ stream: ByteStream, mapping: CSVMapping? = nil, options: ImportOptions) {
    table = CSVTable(stream, options: options)
    self.mapping = mapping ?? options.mapping
    self.options = options
  }

  /// Whether a file is a table: by its ending, or since it is Daybook's own.
  package static func recognises(_ head: [UInt8], path: String?) -> Bool {
    if isOwn(head) { return true }
    let path = path?.lowercased() ?? ""
    return path.hasSuffix(".csv") || path.hasSuffix(".tsv")
  }

  /// Whether a file is Daybook's own export.
  package static func isOwn(_ head: [UInt8]) -> Bool {
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let line = head[mark...].prefix { $0 != 0x0A && $0 != 0x0D }.filter { $0 != UInt8(ascii: "\"") }
    return String(decoding: line, as: UTF8.self).hasPrefix("uuid,number,created,")
  }

  package static let guide = ImportGuide(
    files: "tables with names of columns in the first line (.csv, .tsv)",
    ways: [
      "Daybook: daybook export -o FILE.csv",
      "any other: daybook import FILE.csv --map date=COLUMN,text=COLUMN",
    ])

  /// The next entry or problem.
  package mutating func next() throws -> ImportItem? {
    let reading = try self.reading ?? open()
    self.reading = reading
    switch try table.next() {
    case nil: return nil
    case .report(let item)?: return item
    case .row(let row)?:
      do throws(FormatError) {
        switch reading {
        case .own(let columns): return .entry(try own(row, columns), row.place)
        case .mapped(let roles): return .entry(try mapped(row, roles), row.place)
        }
      } catch {
        return .problem(error, row.place)
      }
    }
  }

  private mutating func open() throws -> Reading {
    try table.open()
    let names = table.columns
    if mapping == nil, Set(names).isSuperset(of: ["uuid", "created", "text"]) {
      return .own(
        Dictionary(zip(names, names.indices)) { first, _ in first })
    }
    guard let mapping = mapping ?? CSVMapping.guessed(names) else {
      throw FormatError(
        "is a table whose columns need names: --map date=COLUMN,text=COLUMN; its columns are "
          + CSVMapping.list(names))
    }
    let roles = try mapping.roles(in: names)
    for role in roles where role.role == .date {
      let dates = try table.ahead(role.index)
      let orders = Set(dates.compactMap { DateText.order(of: Array($0.utf8.prefix(80))[...]) })
      order = orders.count == 1 ? orders.first : nil
    }
    return .mapped(roles)
  }
}

// MARK: Daybook's own

extension CSVSource {
  private func own(
    _ row: CSVTable.Row, _ columns: [String: Int]
  ) throws(FormatError) -> ImportedEntry {
    var hasFormulas = false
    func value(_ name: String) -> String {
      guard let index = columns[name], index < row.values.count else { return "" }
      guard table.isQuoted else { return row.values[index] }
      let (text, isChanged) = CSVApostrophes.removed(from: row.values[index])
      if isChanged, name == "text" { hasFormulas = true }
      return text
    }
    func date(_ name: String) throws(FormatError) -> Moment? {
      let text = value(name)
      guard !text.isEmpty else { return nil }
      if let moment = Moment(text) ?? InstantText.moment(text, options.clock) { return moment }
      throw FormatError("there is no \(name) \(text.excerpt)")
    }
    guard let created = try date("created") else { throw FormatError(entry: "has no date") }
    var entry = ImportedEntry(
      uuid: value("uuid"), created: created, modified: try date("modified"), text: value("text"))
    entry.isExact = true
    let day = value("day")
    entry.day = Day(day)
    if !day.isEmpty, entry.day == nil { throw FormatError("there is no day \(day.excerpt)") }
    for field in EntrySchema.optional where columns[field.name] != nil {
      try set(field, value(field.name), in: &entry.others)
    }
    if entry.uuid?.isEmpty == true { entry.uuid = nil }
    if hasFormulas { entry.remark("apostrophe before the sign of a formula is removed") }
    let known = Set(CSVEncoder.names)
    for (name, index) in columns where !known.contains(name) && !row.values[index].isEmpty {
      entry.unkept.append(name)
    }
    return entry
  }

  private func set(
    _ field: EntrySchema.Field, _ text: String, in entry: inout Entry
  ) throws(FormatError) {
    guard !text.isEmpty else { return }
    let error = FormatError(entry: "has \"\(text.excerpt)\" as \(field.name)")
    switch field.kind {
    case .integer(let access):
      guard let number = Int64(text) else { throw error }
      access.set(&entry, number)
    case .text(let access): access.set(&entry, text)
    case .flag(let access):
      guard let flag = Bool(text.lowercased()) else { throw error }
      access.set(&entry, flag)
    case .day(let access):
      guard let day = Day(text) else { throw error }
      access.set(&entry, day)
    case .moment(let access):
      guard let moment = Moment(text) else { throw error }
      access.set(&entry, moment)
    case .optionalMoment(let access):
      guard let moment = Moment(text) else { throw error }
      access.set(&entry, moment)
    }
  }
}

/// The apostrophes that ``CSVEncoder`` writes before what a spreadsheet takes for a formula.
enum CSVApostrophes {
  /// A text without them, and whether there were any.
  static func removed(from text: String) -> (text: String, isChanged: Bool) {
    guard text.utf8.contains(UInt8(ascii: "'")) else { return (text, false) }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var isStart = true
    for (index, byte) in bytes.enumerated() {
      let isAdded =
        isStart && byte == UInt8(ascii: "'") && index + 1 < bytes.count
        && CSVEncoder.formulaStarts.contains(bytes[index + 1])
      if !isAdded { result.append(byte) }
      isStart = byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\t")
    }
    return (String(decoding: result, as: UTF8.self), result.count < bytes.count)
  }
}

// MARK: Other tables

extension CSVSource {
  private func mapped(
    _ row: CSVTable.Row, _ roles: [(role: CSVMapping.Role, index: Int)]
  ) throws(FormatError) -> ImportedEntry {
    func values(_ role: CSVMapping.Role) -> [String] {
      roles.filter { $0.role == role }.map { row.values[$0.index] }.filter { !$0.isEmpty }
    }
    let date = try CSVDate(
      values(.date).first ?? "", time: values(.time).first ?? "", order: order,
      clock: options.clock)
    let note = NoteText(
      title: values(.title).joined(separator: " "), body: values(.text).joined(separator: "\n\n"))
    var entry = ImportedEntry(
      created: date.moment, wallTime: date.wall?.moment(offset: 0), day: date.day,
      text: note.joined)
    entry.keep(date.unread, as: "time")
    entry.tags = values(.tags).flatMap(CSVSource.tags)
    entry.starred = values(.star).contains(where: CSVSource.isTrue)
    let identity = values(.uuid).first
    entry.uuid = identity.flatMap(EntryUUID.canonical)
    if identity != nil, entry.uuid == nil { entry.unkept.append(name(of: .uuid, roles)) }
    if let text = values(.modified).first {
      entry.modified =
        EpochText.moment(text, options.clock) ?? InstantText.moment(text, options.clock)
      if entry.modified == nil { entry.unkept.append(name(of: .modified, roles)) }
    }
    for (role, index) in roles {
      if case .field(let name) = role { entry.keep(row.values[index], as: name) }
    }
    let used = Set(roles.map(\.index))
    for (index, value) in row.values.enumerated() where !used.contains(index) && !value.isEmpty {
      let name = index < table.columns.count ? table.columns[index] : ""
      entry.unkept.append(name.isEmpty ? "column \(index + 1)" : name)
    }
    guard !entry.text.isEmpty || !entry.tags.isEmpty || !entry.fields.isEmpty else {
      throw FormatError(entry: "has no text")
    }
    return entry
  }

  private func name(
    of role: CSVMapping.Role, _ roles: [(role: CSVMapping.Role, index: Int)]
  ) -> String {
    roles.first { $0.role == role }.map { table.columns[$0.index] } ?? ""
  }

  /// The tags of a cell: between commas, semicolons, bars or line ends, or else between spaces.
  private static func tags(_ cell: String) -> [String] {
    let isListed = cell.contains { ",;|".contains($0) || $0.isNewline }
    let parts = cell.split { character in
      isListed ? ",;|".contains(character) || character.isNewline : character.isWhitespace
    }
    return parts.map { part in
      let tag = OneLine.text(String(part))
      return tag.hasPrefix("#") ? String(tag.dropFirst()) : tag
    }.filter { !$0.isEmpty }
  }

  private static func isTrue(_ cell: String) -> Bool {
    let words: Set = ["1", "true", "yes", "y", "x", "*", "★", "☆", "on", "ja", "oui", "si", "sí"]
    return words.contains(OneLine.text(cell).lowercased())
  }
}

/// The date and time in the cells of a row.
private struct CSVDate {
  let moment: Moment
  /// The time on the wall, if the cells do not say where it is.
  var wall: WallTime?
  var day: Day?
  /// A time that is none, such as `25:00`.
  private(set) var unread = ""

  init(
    _ date: String, time: String, order: DateOrder?, clock: WallClock
  ) throws(FormatError) {
    let date = OneLine.text(date)
    guard !date.isEmpty else { throw FormatError(entry: "has no date") }
    let second = CSVDate.second(time)
    if second == nil { unread = time }
    if let instant = EpochText.moment(date, clock) {
      moment = instant
      return
    }
    switch DateText.read(date, order: order) {
    case .other where DayLook(Array(date.utf8)[...]) == nil: throw .noDate(date)
    case .ambiguous, .impossible, .other: throw .unread(date, DateText.read(date, order: order))
    case .date(var found, let hasTime, let offset):
      let isUniversal = DateText.isUniversal(Array(date.utf8)[...])
      if isUniversal, hasTime, found.second != 0 {
        moment = clock.moment(at: found.moment(offset: 0).seconds)
        return
      }
      if !hasTime || found.second == 0, let second { found.second = second }
      day = found.day
      let known = isUniversal ? nil : offset
      moment = found.moment(offset: known, clock)
      if known == nil { wall = found }
    }
  }

  private static func second(_ text: String) -> Int? {
    DateText.time(Array(OneLine.text(text).utf8.prefix(40))[...])
  }
}

import Journal

/// The items of an import, one by one: a bad record never hides the good ones.
package enum ImportItem: Hashable, Sendable {
  /// An entry, and its position in the file.
  case entry(ImportedEntry, ImportPlace)
  /// A record that is not an entry.
  case problem(FormatError)
  /// A line that was read, but perhaps otherwise than it was meant.
  case doubt(String, ImportPlace)
  /// A file that the format skips, with the reason under which it is counted.
  case passedBy(String, ImportPlace)
  /// Part of a directory that no reader of the format supports.
  case leftOut(LeftOutKind)
}

extension ImportItem {
  /// A record that is not an entry, with a reason that says all: `there is no date 30 February`.
  package static func problem(_ reason: String, _ place: ImportPlace) -> ImportItem {
    .problem(FormatError(reason, at: place))
  }

  /// A record that is not an entry, with what it is or has: `has no date`.
  package static func problem(entry reason: String, _ place: ImportPlace) -> ImportItem {
    .problem(FormatError(entry: reason, at: place))
  }

  /// A record that is not an entry, at another place than its error knows.
  static func problem(_ error: FormatError, _ place: ImportPlace) -> ImportItem {
    var error = error
    error.place = place
    return .problem(error)
  }

  /// The item with the name of its file in the imported directory or archive.
  func inFile(_ file: String) -> ImportItem {
    switch self {
    case .entry(let entry, var place):
      place.file = file
      return .entry(entry, place)
    case .problem(var error):
      error.place.file = file
      return .problem(error)
    case .doubt(let reason, var place):
      place.file = file
      return .doubt(reason, place)
    case .passedBy(let kind, var place):
      place.file = file
      return .passedBy(kind, place)
    case .leftOut: return self
    }
  }
}

/// The position of a record in a file, for messages.
package struct ImportPlace: Hashable, Sendable, CustomStringConvertible {
  /// The file in the imported directory or archive; `nil` for a single file.
  package var file: String?
  /// The line, from 1; `nil` without lines, as in a database.
  package var line: Int?
  /// The record's name, if there are no lines: `entry 12`.
  package var record: String?

  package init(file: String? = nil, line: Int? = nil, record: String? = nil) {
    self.file = file
    self.line = line
    self.record = record
  }

  /// `notes.md:12`, `12`, `entry 12`: the part after the name of the input and a colon.
  package var description: String {
    [file, line.map { String($0) }, record].compactMap(\.self).joined(separator: ":")
  }
}

/// Reads the entries of a file one by one, in the order of the file.
package protocol EntrySource {
  /// The files that the entries name; `nil` where there are none.
  var files: (any ImportedFiles)? { get }
  /// The next record, or `nil` at the end.
  ///
  /// - Throws: ``FormatError`` when the rest of the file is unreadable; a bad record alone is an
  ///   ``ImportItem/problem(_:)``.
  mutating func next() throws -> ImportItem?
}

extension EntrySource {
  /// Most sources have no files.
  package var files: (any ImportedFiles)? { nil }
}

/// A source that returns nothing any more once its work is given up: a reader inside may have ended
/// early.
struct CancellableSource: EntrySource {
  private var source: any EntrySource

  init(_ source: any EntrySource) { self.source = source }

  var files: (any ImportedFiles)? { source.files }

  /// The next record.
  ///
  /// - Throws: the errors of the source; `GivenUp`.
  mutating func next() throws -> ImportItem? {
    do {
      let item = try source.next()
      try GivenUp.check()
      return item
    } catch {
      // An error of what ended early says nothing.
      try GivenUp.check()
      throw error
    }
  }
}

/// The reason why a file cannot be read or written in a format.
package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error, without the name of the file.
  package var reason: String
  /// The position.
  package var place: ImportPlace
  /// Whether the reason goes on after the word "entry": `has no date`.
  package var isOfEntry = false

  package init(_ reason: String, at place: ImportPlace = ImportPlace()) {
    self.reason = reason
    self.place = place
  }

  /// Makes an error that says what an entry is or has: `has no date`.
  package init(entry reason: String, at place: ImportPlace = ImportPlace()) {
    self.init(reason, at: place)
    isOfEntry = true
  }

  /// The error for the text of a date that is empty, or no date.
  static func noDate(_ text: String) -> FormatError {
    text.isEmpty
      ? FormatError(entry: "has no date") : FormatError("there is no date \(text.excerpt)")
  }

  /// The error for a date that is not read, with the reason that its reading shows.
  static func unread(_ date: String, _ reading: DateReading) -> FormatError {
    switch reading {
    case .impossible: FormatError("there is no date \(date.excerpt)")
    case .ambiguous:
      FormatError("the date \(date.excerpt) is ambiguous; write it as 2024-01-05")
    case .date, .other: FormatError("the date \(date.excerpt) is not read; write it as 2024-01-05")
    }
  }

  /// The error for a text that no entry can hold.
  static func tooLong(_ bytes: Int) -> FormatError {
    let limit = Entry.textByteLimit >> 20
    let size = (bytes + 1 << 20 - 1) >> 20
    return FormatError(entry: "has a text of \(size) MiB; an entry holds \(limit) MiB: split it")
  }

  /// Refuses a text that no entry can hold, before it is converted or decoded.
  ///
  /// - Parameter bytes: its length in bytes of UTF-8.
  static func check(textOf bytes: Int) throws(FormatError) {
    if bytes > Entry.textByteLimit { throw tooLong(bytes) }
  }

  /// The position, if there is one, and the reason.
  package var description: String {
    let place = place.description
    return place.isEmpty ? reason : "\(place): \(reason)"
  }
}

extension StringProtocol {
  /// A part of a file for a message: its first line, up to a maximum length.
  var excerpt: String {
    let line = prefix { !$0.isNewline }.prefix(61)
    return line.count > 60 ? "\(line.prefix(60))…" : String(line)
  }
}

/// The data that an import dropped or changed, counted by kind and reported once at the end.
///
/// The text, date, tags and star of an entry are never dropped: a record without a required one is
/// a problem of its own.
package struct ImportNotes: Sendable {
  /// Counts in the order of their first occurrence; kinds beyond the limit are counted together.
  private struct Tally<Kind: Hashable & Sendable> {
    var counts: [(kind: Kind, count: Int)] = []
    private var places: [Kind: Int] = [:]
    var others = 0
    private let limit = 40

    mutating func add(_ kind: Kind) {
      if let place = places[kind] {
        counts[place].count += 1
      } else if counts.count < limit {
        places[kind] = counts.count
        counts.append((kind, 1))
      } else {
        others += 1
      }
    }

    var total: Int { counts.reduce(others) { $0 + $1.count } }
  }

  private var made = Tally<String>()
  private var fields = Tally<String>()
  private var remarks = Tally<String>()
  private var missing = Tally<String>()
  private var missingNames: [String: [String]] = [:]
  private var tags: [TagChange] = []
  private var seenTags: Set<TagChange> = []
  private var tagCount = 0
  private var passed = Tally<String>()
  private var passedFiles: [String: String] = [:]
  private var leftOut = Tally<LeftOutKind>()

  package init() {}

  /// Counts the losses of an added entry.
  package mutating func add(_ entry: ImportedEntry) {
    for field in entry.fields where field.line != nil {
      made.add(ImportNotes.short(ImportedField.name(field.name)))
    }
    addUnkept(of: entry)
    for remark in entry.remarks { remarks.add(remark) }
    for reason in Set(entry.missing.map(\.reason)).sorted() { missing.add(reason) }
    for file in entry.missing {
      let names = missingNames[file.reason, default: []]
      // One more than is shown says that there are more.
      if names.count <= ImportNotes.namesShown, !names.contains(file.name) {
        missingNames[file.reason, default: []].append(file.name)
      }
    }
    for change in entry.changedTags {
      tagCount += 1
      if tags.count < 40, seenTags.insert(change).inserted { tags.append(change) }
    }
  }

  /// Counts the fields that an entry has no place for.
  package mutating func addUnkept(of entry: ImportedEntry) {
    for field in entry.unkept { fields.add(ImportNotes.short(field)) }
  }

  /// Counts a file that the format skips.
  package mutating func addPassed(_ kind: String, _ place: ImportPlace) {
    passed.add(kind)
    if passedFiles[kind] == nil { passedFiles[kind] = place.description }
  }

  /// Counts part of a directory that no reader supports.
  package mutating func addLeftOut(_ kind: LeftOutKind) { leftOut.add(kind) }

  /// A line for each kind, in words: `not kept: 5 "location", 3 "weather" fields`.
  package var lines: [String] {
    var lines: [String] = []
    if made.total > 0 { lines.append("made: \(Self.phrase(made) { $0 })") }
    if fields.total > 0 { lines.append("not kept: \(Self.phrase(fields) { "\"\($0)\"" })") }
    if tagCount > 0 { lines.append(tagPhrase) }
    for (kind, count) in remarks.counts { lines.append("\(kind) (\(count))") }
    for (reason, count) in missing.counts {
      let shown = Self.shown(missingNames[reason] ?? [])
      lines.append("\(reason): \(shown) (in \(count) \(count == 1 ? "entry" : "entries"))")
    }
    for (kind, count) in passed.counts {
      let file = passedFiles[kind].flatMap { $0.isEmpty ? nil : $0 }
      let example = file.map { count == 1 ? ": \($0)" : ", such as \($0)" } ?? ""
      lines.append("\(count) \(count == 1 ? "file" : "files") \(kind)\(example)")
    }
    if leftOut.total > 0 { lines.append("left out: \(leftOutPhrase)") }
    return lines
  }

  private var leftOutPhrase: String {
    let named = leftOut.counts.sorted { $0.count > $1.count }.map { $0.kind.phrase($0.count) }
    let others = leftOut.others > 0 ? ["\(leftOut.others) of other kinds"] : []
    return (named + others).joined(separator: ", ")
  }

  /// `5 place, 3 weather fields`.
  private static func phrase(_ fields: Tally<String>, _ name: (String) -> String) -> String {
    let named = fields.counts.map { "\($0.count) \(name($0.kind))" }.joined(separator: ", ")
    let others = fields.others > 0 ? " and \(fields.others) other" : ""
    return "\(named)\(others) \(fields.total == 1 ? "field" : "fields")"
  }

  private var tagPhrase: String {
    let shown = tags.prefix(8).map { change in
      let from = ImportNotes.short(change.from)
      return change.to.map { "\"\(from)\" is \(Tag.typed($0))" } ?? "\"\(from)\" is no tag"
    }
    let more = tags.count > 8 ? ", and others" : ""
    let count = tagCount == 1 ? "1 tag" : "\(tagCount) tags"
    return "changed: \(count) (\(shown.joined(separator: ", "))\(more))"
  }

  /// The number of missing files that are named for each reason.
  fileprivate static let namesShown = 8

  /// The first of some names of files: `a.pdf, b.pdf and others`.
  fileprivate static func shown(_ names: [String]) -> String {
    let shown = names.prefix(namesShown).map(short).joined(separator: ", ")
    return shown + (names.count > namesShown ? " and others" : "")
  }

  private static func short(_ name: String) -> String {
    name.count > 40 ? "\(name.prefix(40))…" : name
  }
}

/// Counts the losses of an export by kind.
struct LossTally {
  private var counts: [(kind: String, count: Int)] = []
  /// The names of lost files of each kind, one more than is shown.
  private var names: [String: [String]] = [:]
  /// The fields that the format has no place for, with the words for their loss.
  private let lost: [(kind: String, field: EntrySchema.Field)]

  /// Makes a tally of a format.
  ///
  /// - Parameter kept: the fields that the format keeps beside those that every entry has. All other
  ///   fields of ``EntrySchema`` are counted where an entry has a value of its own.
  init(keeping kept: Set<String>) {
    let lost = EntrySchema.fields.filter { field in
      switch field.presence {
      case .local, .required, .unexported: false
      case .implied, .optional: !kept.contains(field.name)
      }
    }
    // The time of the last change, which most people miss least, comes last.
    let order = lost.filter { $0.name != "modified" } + lost.filter { $0.name == "modified" }
    self.lost = order.map { ("the \($0.lossNoun) of", $0) }
  }

  /// Counts an entry for a kind of loss: `the stars of`.
  ///
  /// - Parameter files: the names of the files that are lost.
  mutating func add(_ kind: String, if isLost: Bool = true, naming files: [String] = []) {
    guard isLost else { return }
    for file in files where !names[kind, default: []].contains(file) {
      if names[kind, default: []].count <= ImportNotes.namesShown {
        names[kind, default: []].append(file)
      }
    }
    if let index = counts.firstIndex(where: { $0.kind == kind }) {
      counts[index].count += 1
    } else {
      counts.append((kind, 1))
    }
  }

  /// An entry with line feeds alone, since other programs take every CR for a line end.
  mutating func withLineFeeds(_ entry: Entry) -> Entry {
    guard entry.text.utf8.contains(0x0D) else { return entry }
    add("the carriage returns in the text of")
    var entry = entry
    entry.text = LineEnds.unified(entry.text)
    return entry
  }

  /// Counts the fields that an entry loses.
  mutating func add(fieldsOf entry: Entry) {
    for (kind, field) in lost where field.hasOwnValue(in: entry) { add(kind) }
  }

  /// The kinds with their counts, in order of occurrence: `the star of 3 entries`.
  var phrases: [String] {
    counts.map { kind, count in
      let files = names[kind].map { " (\(ImportNotes.shown($0)))" } ?? ""
      return "\(kind) \(count) \(count == 1 ? "entry" : "entries")\(files)"
    }
  }
}

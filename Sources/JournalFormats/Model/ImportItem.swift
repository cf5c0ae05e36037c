import Journal

/// What an import meets, one thing after the other: one bad record never hides the good ones.
package enum ImportItem: Hashable, Sendable {
  /// An entry, and where the file has it.
  case entry(ImportedEntry, ImportPlace)
  /// A record that is no entry, with the reason: `has no date`.
  case problem(String, ImportPlace)
  /// A file that the format itself leaves out, with the kind it is counted by: `outside YYYY/MM/DD.txt`.
  case passedBy(String, ImportPlace)
  /// Something in a folder that no reader of the format looks at.
  case leftOut(LeftOutKind)
}

extension ImportItem {
  /// The item as one of a file of the folder or archive that is imported.
  func inFile(_ file: String) -> ImportItem {
    switch self {
    case .entry(let entry, var place):
      place.file = file
      return .entry(entry, place)
    case .problem(let reason, var place):
      place.file = file
      return .problem(reason, place)
    case .passedBy(let kind, var place):
      place.file = file
      return .passedBy(kind, place)
    case .leftOut: return self
    }
  }
}

/// Where in a file a record stands, as people look it up.
package struct ImportPlace: Hashable, Sendable, CustomStringConvertible {
  /// The file below the folder or archive that is imported; `nil` for the only one.
  package var file: String?
  /// The line, from 1; `nil` where lines mean nothing, as in a database.
  package var line: Int?
  /// What the record is called in the file, where lines mean nothing: `entry 12`.
  package var record: String?

  /// Makes a place.
  package init(file: String? = nil, line: Int? = nil, record: String? = nil) {
    self.file = file
    self.line = line
    self.record = record
  }

  /// `notes.md:12`, `12`, `entry 12`: what follows the name of what is imported and a colon.
  package var description: String {
    [file, line.map { String($0) }, record].compactMap(\.self).joined(separator: ":")
  }
}

/// Reads the entries of a file one at a time, in the order of the file.
package protocol EntrySource {
  /// The next record, or `nil` at the end.
  ///
  /// - Throws: ``FormatError`` when nothing more can be read, because the file as a whole is broken;
  ///   a bad record alone is an ``ImportItem/problem(_:_:)``.
  mutating func next() throws -> ImportItem?
}

/// Why a file cannot be read or written in a format.
package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, without the name of the file.
  package var reason: String
  /// Where.
  package var place: ImportPlace

  /// Makes an error.
  package init(_ reason: String, at place: ImportPlace = ImportPlace()) {
    self.reason = reason
    self.place = place
  }

  /// The place, where there is one, and the reason.
  package var description: String {
    let place = place.description
    return place.isEmpty ? reason : "\(place): \(reason)"
  }
}

extension StringProtocol {
  /// A piece of a file as a message can name it: its first line, and no more of that than fits.
  var excerpt: String {
    let line = prefix { !$0.isNewline }.prefix(61)
    return line.count > 60 ? "\(line.prefix(60))…" : String(line)
  }
}

/// What an import left out or changed, counted by kind and said once when it is over.
///
/// The text, date, tags and star of an entry are never among it: a record that lacks one of those it
/// needs is a problem of its own.
package struct ImportNotes: Sendable {
  /// Counts in the order of their first occurrence; beyond the limit kinds are counted together.
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

  private var fields = Tally<String>()
  private var remarks = Tally<String>()
  private var tags: [TagChange] = []
  private var seenTags: Set<TagChange> = []
  private var tagCount = 0
  private var passed = Tally<String>()
  private var passedFiles: [String: String] = [:]
  private var leftOut = Tally<LeftOutKind>()

  /// Makes notes of nothing.
  package init() {}

  /// Counts what an entry that was added lost.
  package mutating func add(_ entry: ImportedEntry) {
    for field in entry.unkept { fields.add(ImportNotes.short(field)) }
    for remark in entry.remarks { remarks.add(remark) }
    for change in entry.changedTags {
      tagCount += 1
      if tags.count < 40, seenTags.insert(change).inserted { tags.append(change) }
    }
  }

  /// Counts a file that the format leaves out.
  package mutating func addPassed(_ kind: String, _ place: ImportPlace) {
    passed.add(kind)
    if passedFiles[kind] == nil { passedFiles[kind] = place.description }
  }

  /// Counts what a folder has that no reader looks at.
  package mutating func addLeftOut(_ kind: LeftOutKind) { leftOut.add(kind) }

  /// A line for each kind, in words: `not kept: 5 "location", 3 "weather" fields`.
  package var lines: [String] {
    var lines: [String] = []
    if fields.total > 0 { lines.append("not kept: \(fieldPhrase)") }
    if tagCount > 0 { lines.append(tagPhrase) }
    for (kind, count) in remarks.counts { lines.append("\(kind) (\(count))") }
    for (kind, count) in passed.counts {
      let example = passedFiles[kind].map { count == 1 ? ": \($0)" : ", such as \($0)" } ?? ""
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

  private var fieldPhrase: String {
    let named = fields.counts.map { "\($0.count) \"\($0.kind)\"" }.joined(separator: ", ")
    let others = fields.others > 0 ? " and \(fields.others) other" : ""
    return "\(named)\(others) \(fields.total == 1 ? "field" : "fields")"
  }

  private var tagPhrase: String {
    let shown = tags.prefix(8).map { change in
      let from = ImportNotes.short(change.from)
      return change.to.map { "\"\(from)\" is \(Tag.typed($0))" } ?? "\"\(from)\" is none"
    }
    let more = tags.count > 8 ? ", and others" : ""
    let count = tagCount == 1 ? "1 tag" : "\(tagCount) tags"
    return "changed: \(count) (\(shown.joined(separator: ", "))\(more))"
  }

  private static func short(_ name: String) -> String {
    name.count > 40 ? "\(name.prefix(40))…" : name
  }
}

/// Counts what an export leaves behind, by kind.
struct LossTally {
  private var counts: [(kind: String, count: Int)] = []
  /// The fields that the format has no place for, with the words for their loss.
  private let lost: [(kind: String, field: EntrySchema.Field)]

  /// Makes a tally of a format.
  ///
  /// - Parameter kept: the fields that the format keeps beside those that every entry has. All other
  ///   fields of ``EntrySchema`` are counted where an entry has a value of its own.
  init(keeping kept: Set<String>) {
    let lost = EntrySchema.fields.filter { field in
      switch field.presence {
      case .local, .required: false
      case .implied, .optional: !kept.contains(field.name)
      }
    }
    // The time of the last change, which most people miss least, comes last.
    let order = lost.filter { $0.name != "modified" } + lost.filter { $0.name == "modified" }
    self.lost = order.map { ("the \($0.lossNoun) of", $0) }
  }

  /// Counts an entry for a kind of loss: `the stars of`.
  mutating func add(_ kind: String, if isLost: Bool = true) {
    guard isLost else { return }
    if let index = counts.firstIndex(where: { $0.kind == kind }) {
      counts[index].count += 1
    } else {
      counts.append((kind, 1))
    }
  }

  /// Counts the fields that an entry loses.
  mutating func add(fieldsOf entry: Entry) {
    for (kind, field) in lost where field.isTold(by: entry) { add(kind) }
  }

  /// The kinds with their counts, in the order they were met: `the star of 3 entries`.
  var phrases: [String] {
    counts.map { "\($0.kind) \($0.count) \($0.count == 1 ? "entry" : "entries")" }
  }
}

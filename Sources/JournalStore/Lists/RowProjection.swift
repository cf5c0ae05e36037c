import Journal
import SectionedResults

/// Converts an entry into the rows of a request: none if the filter rejects it, one per tag in a
/// list by tag.
struct RowProjection {
  let request: ResultsRequest<EntryRow>
  /// The keys of the fields whose values the rows have.
  let fieldKeys: Set<String>

  init(request: ResultsRequest<EntryRow>) {
    self.request = request
    fieldKeys = request.fieldKeys
  }

  /// - Parameter text: returns the entry's text; called only if the filter or a row depends on it.
  func rows(_ row: EntryRow, text: () throws -> String?) throws -> [EntryRow] {
    try matches(row, text: text) ? expanded(row, text: text) : []
  }

  /// A row with the values of the fields that the list is about.
  func valued(_ row: EntryRow, text: () throws -> String?) rethrows -> EntryRow {
    guard !fieldKeys.isEmpty, let text = try text() else { return row }
    var valued = row
    for field in Field.all(in: text) where fieldKeys.contains(field.key) {
      valued.fieldValues[field.key, default: []].append(field.value)
    }
    return valued
  }

  /// The rows of an entry that matches.
  func expanded(_ row: EntryRow, text: () throws -> String?) rethrows -> [EntryRow] {
    let row = try valued(row, text: text)
    guard request.isByTag else { return [row] }
    let keys = row.tags.isEmpty ? [""] : row.tags.map { Tag.key(of: $0) }
    return keys.map { key in
      var tagged = row
      tagged.id.tag = key
      return tagged
    }
  }

  func rows(_ entry: Entry) -> [EntryRow] {
    (try? rows(entry.row()) { entry.text }) ?? []
  }

  /// Whether an entry has the tag of its row, or lists have no tags.
  func hasTag(_ row: EntryRow) -> Bool {
    guard request.isByTag else { return row.id.tag.isEmpty }
    return row.tags.isEmpty
      ? row.id.tag.isEmpty : row.tags.contains { Tag.key(of: $0) == row.id.tag }
  }

  /// Whether an entry matches the filter.
  func matches(_ row: EntryRow, text: () throws -> String?) throws -> Bool {
    guard let filter = request.filter, filter != .everything else { return row.deleted == nil }
    if row.deleted != nil, !filter.wantsDeleted { return false }
    let text = filter.needsText ? try text() ?? "" : ""
    return filter.matches(row.entry(text: text))
  }
}

extension Query {
  /// Whether it tests words of the text, which only a full-text index finds fast.
  var needsWords: Bool {
    switch self {
    case .word, .prefix, .phrase: true
    case .and(let parts), .or(let parts): parts.contains(where: \.needsWords)
    case .not(let part): part.needsWords
    default: false
    }
  }

  /// Whether it tests links, fields or files, whose tables find the entries.
  var needsMarks: Bool {
    switch self {
    case .links, .linksTo, .linked, .field, .file, .flag(.orphan), .flag(.broken): true
    case .and(let parts), .or(let parts): parts.contains(where: \.needsMarks)
    case .not(let part): part.needsMarks
    default: false
    }
  }

  /// Whether its result depends on the text, so that a row is not enough.
  var needsText: Bool {
    switch self {
    case .word, .prefix, .phrase, .tag, .tagPrefix, .words, .flag(.untagged), .links, .field, .file:
      true
    case .and(let parts), .or(let parts): parts.contains(where: \.needsText)
    case .not(let part): part.needsText
    default: false
    }
  }
}

/// A line of a change log, with the fields that commits need.
protocol LogLine {
  var sequence: Int64 { get }
  var set: Int64? { get }
  var number: Int64 { get }
}

/// Makes commits from lines of a change log, from the newest line to the oldest.
///
/// In this direction, the state after a line is the state before the line of the same entry visited
/// earlier, or the entry's current state: one look-up per entry, regardless of the length of the
/// history.
struct NetChanges<Line: LogLine> {
  /// The rows of an entry before a line.
  let rowsBefore: (Line) throws -> [EntryRow]
  /// The current rows of an entry.
  let currentRows: (Int64) throws -> [EntryRow]
  /// The rows of each visited entry after the current line.
  private var later: [Int64: [EntryRow]] = [:]

  init(
    rowsBefore: @escaping (Line) throws -> [EntryRow],
    currentRows: @escaping (Int64) throws -> [EntryRow]
  ) {
    self.rowsBefore = rowsBefore
    self.currentRows = currentRows
  }

  /// The commits of lines in order; adjacent lines of the same set are one commit.
  mutating func commits(_ lines: [Line]) throws -> [StoreCommit<EntryRow>] {
    var commits: [StoreCommit<EntryRow>] = []
    var end = lines.endIndex
    while end > lines.startIndex {
      let set = lines[end - 1].set
      let start = (lines[..<end].lastIndex { $0.set != set } ?? -1) + 1
      let images = try images(lines[start..<end])
      if !images.isEmpty {
        let stamp = StoreStamp(sequence: lines[end - 1].sequence)
        commits.append(StoreCommit(stamp: stamp, changes: images))
      }
      end = start
    }
    return commits.reversed()
  }

  /// The net effect of the lines of one commit (rule 41).
  private mutating func images(_ lines: ArraySlice<Line>) throws -> [RowImages<EntryRow>] {
    var order: [Line] = []
    var seen: Set<Int64> = []
    for line in lines where seen.insert(line.number).inserted { order.append(line) }
    var images: [RowImages<EntryRow>] = []
    for line in order {
      let after = try later[line.number] ?? currentRows(line.number)
      let before = try rowsBefore(line)
      later[line.number] = before
      NetChanges.pair(before, after, into: &images)
    }
    return images
  }

  /// Rows before and after, matched by identity, without equal ones.
  static func pair(
    _ before: [EntryRow], _ after: [EntryRow], into images: inout [RowImages<EntryRow>]
  ) {
    for row in before where !after.contains(where: { $0.id == row.id }) {
      images.append(RowImages(id: row.id, before: row, after: nil))
    }
    for row in after {
      let old = before.first { $0.id == row.id }
      if old != row { images.append(RowImages(id: row.id, before: old, after: row)) }
    }
  }
}

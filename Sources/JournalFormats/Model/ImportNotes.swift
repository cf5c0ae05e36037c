import Journal

/// What an import left out or changed, counted by kind and said once when it is over.
///
/// The text, date, tags and star of an entry are never among it: a record that lacks one of those it
/// needs is a problem of its own.
public struct ImportNotes: Sendable {
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
  public init() {}

  /// Counts what an entry that was added lost.
  public mutating func add(_ entry: ImportedEntry) {
    for field in entry.unkept { fields.add(ImportNotes.short(field)) }
    for remark in entry.remarks { remarks.add(remark) }
    for change in entry.changedTags {
      tagCount += 1
      if tags.count < 40, seenTags.insert(change).inserted { tags.append(change) }
    }
  }

  /// Counts a file that the format leaves out.
  public mutating func addPassed(_ kind: String, _ place: ImportPlace) {
    passed.add(kind)
    if passedFiles[kind] == nil { passedFiles[kind] = place.description }
  }

  /// Counts what a folder has that no reader looks at.
  public mutating func addLeftOut(_ kind: LeftOutKind) { leftOut.add(kind) }

  /// A line for each kind, in words: `not kept: 5 "location", 3 "weather" fields`.
  public var lines: [String] {
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

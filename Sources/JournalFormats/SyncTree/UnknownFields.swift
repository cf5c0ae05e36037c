import Journal

/// The front matter of an entry's file that an entry has no place for, such as Obsidian's `aliases`.
///
/// It stays in the file when Daybook writes the entry again, after the fields of the entry: line by
/// line as somebody wrote it, with comments and in its order.
///
/// ```
/// ---
/// uuid: 01890a5d-ac96-774b-bcce-b302099a8057
/// created: 2026-11-21T09:15:00+01:00
/// modified: 2026-11-21T09:20:00+01:00
/// # for the graph
/// aliases:
///   - Bread
/// ---
/// ```
package struct UnknownFields: Hashable, Sendable {
  /// A field, or a comment after the last one.
  private struct Item: Hashable {
    /// The name, spelled as in the file, and how often it occurred before; `nil` for a comment.
    var key: Key?
    /// The lines, each with its line feed: the comments before the field, the field, blank lines.
    var lines: [UInt8]
  }

  private struct Key: Hashable {
    var name: String
    var index: Int
  }

  private var items: [Item] = []

  /// No field.
  package init() {}

  /// Whether there is neither a field nor a comment.
  package var isEmpty: Bool { items.isEmpty }

  /// The names of the fields, spelled as in the file.
  package var names: [String] { items.compactMap { $0.key?.name } }

  /// The lines, each with its line feed.
  package var bytes: [UInt8] { items.flatMap(\.lines) }

  /// Makes fields of their names and lines, in their order, with the comments after the last one.
  private init(_ fields: [(name: String, lines: [UInt8])], comments: [UInt8] = []) {
    var counts: [String: Int] = [:]
    for (name, lines) in fields {
      let index = counts[name, default: 0]
      counts[name] = index + 1
      items.append(Item(key: Key(name: name, index: index), lines: lines))
    }
    if !comments.isEmpty { items.append(Item(key: nil, lines: comments)) }
  }
}

// MARK: - Reading

extension UnknownFields {
  /// The fields of front matter that were not taken from it.
  ///
  /// - Parameter isTaken: whether a field became part of the entry.
  init(_ matter: FrontMatter, isTaken: (Field) -> Bool) {
    self.init()
    let fields = matter.all
    let kept = fields.map { !isTaken($0) && !Self.isReserved($0.name) }
    guard kept.contains(true) || Self.hasComment(matter.content) else {
      return
    }
    if !matter.isTOML, let chunks = Self.chunks(matter.content),
      chunks.fields.map(\.name) == fields.map(\.name)
    {
      self = Self.kept(chunks, kept)
      return
    }
    // Lines that are not one field each: what they mean stays, spelled in another way.
    guard !matter.isRepaired else { return }
    self = UnknownFields(
      zip(fields, kept).filter(\.1).map { field, _ in
        (field.name, Array("\(Self.scalar(field.name)): \(Self.flow(field.value))\n".utf8))
      })
  }

  /// Names that always are the entry's, or become part of its text.
  private static func isReserved(_ name: String) -> Bool {
    let name = FrontMatter.name(name)
    return ["title", "body", "tags", "tag", "keywords"].contains(name)
      || SyncHeader.fields.contains { $0.name == name }
  }

  private static func hasComment(_ lines: [ArraySlice<UInt8>]) -> Bool {
    lines.contains { $0.first == UInt8(ascii: "#") }
  }

  /// The lines of front matter by fields.
  private struct Chunks {
    var fields: [(name: String, comments: [UInt8], lines: [UInt8])] = []
    /// The comments after the last field.
    var rest: [UInt8] = []
  }

  /// Splits lines at the fields that begin at the margin; `nil` if other lines come first.
  ///
  /// Blank lines belong to the field before them, comments at the margin to the field after them.
  private static func chunks(_ content: [ArraySlice<UInt8>]) -> Chunks? {
    var chunks = Chunks()
    for line in content {
      let whole = line + [0x0A]
      if let name = RepairedFields.key(line, isTOML: false)?.name {
        chunks.fields.append((name, chunks.rest, Array(whole)))
        chunks.rest = []
      } else if line.first == UInt8(ascii: "#") {
        chunks.rest += whole
      } else if !chunks.fields.isEmpty {
        // A comment in the middle of a list belongs to the list.
        let isBlank = line.allSatisfy(ASCII.isSpace)
        if isBlank, !chunks.rest.isEmpty { continue }
        chunks.fields[chunks.fields.count - 1].lines += chunks.rest + whole
        chunks.rest = []
      } else if !line.allSatisfy(ASCII.isSpace) {
        return nil
      }
    }
    return chunks
  }

  private static func kept(_ chunks: Chunks, _ kept: [Bool]) -> UnknownFields {
    var fields: [(name: String, lines: [UInt8])] = []
    var comments: [UInt8] = []
    for (field, isKept) in zip(chunks.fields, kept) {
      comments += field.comments
      guard isKept else { continue }
      fields.append((field.name, comments + field.lines))
      comments = []
    }
    return UnknownFields(fields, comments: comments + chunks.rest)
  }

  // MARK: Other spellings

  /// A value of YAML on one line.
  private static func flow(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): return scalar(text)
    case .list(let values): return "[" + values.map(flow).joined(separator: ", ") + "]"
    case .table(let fields):
      let parts = fields.sorted { $0.key < $1.key }.map { "\(scalar($0.key)): \(flow($0.value))" }
      return "{" + parts.joined(separator: ", ") + "}"
    }
  }

  /// A word, a number or a date as it is, any other text in quotation marks.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      text.utf8.first.map { ASCII.isLetter($0) || ASCII.isDigit($0) } == true
      && text.utf8.allSatisfy { byte in
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_.".utf8.contains(byte)
      }
    return isPlain ? text : SyncHeader.quoted(text)
  }
}

extension FrontMatter {
  /// The fields that were not taken.
  var unknown: UnknownFields {
    UnknownFields(self) { field in
      if case .table(let inner) = field.value, isFlat(field.name) {
        return inner.keys.contains { isTaken($0) }
      }
      return isTaken(field.name)
    }
  }
}

// MARK: - Merging

extension UnknownFields {
  /// Merges field by field, three ways; the result depends on the three alone.
  ///
  /// A field that one side changed is that side's, in the order of `right` and then of `left`. Of a
  /// removal and a change the change stays, of two changes the one with the greater bytes. Comments
  /// belong to the field after them.
  package static func merge(
    base: UnknownFields, _ left: UnknownFields, _ right: UnknownFields
  ) -> UnknownFields {
    if left == base || left == right { return right }
    if right == base { return left }
    let (old, one) = (base.lines, left.lines)
    var result = UnknownFields()
    for item in right.items {
      let (before, here) = (old[item.key], one[item.key])
      guard let here else {
        // Removed on the left, unless it is new or changed on the right.
        if before != item.lines { result.items.append(item) }
        continue
      }
      var merged = item
      if item.lines == before {
        merged.lines = here
      } else if here != before {
        merged.lines = here.lexicographicallyPrecedes(item.lines) ? item.lines : here
      }
      result.items.append(merged)
    }
    let present = right.lines
    for item in left.items where present[item.key] == nil && old[item.key] != item.lines {
      result.items.append(item)
    }
    // A comment without a field is the last one, as it is read again.
    let comments = result.items.filter { $0.key == nil }
    result.items = result.items.filter { $0.key != nil } + comments
    return result
  }

  private var lines: [Key?: [UInt8]] {
    Dictionary(items.map { ($0.key, $0.lines) }) { first, _ in first }
  }
}

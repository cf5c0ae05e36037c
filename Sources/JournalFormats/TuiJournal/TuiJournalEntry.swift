import Journal

/// What an entry of tui-journal is here, whichever of its files it comes from.
///
/// Its title is the first line. Its priority is kept as a tag, `#priority/3`, which an export reads
/// back. Its date is a midnight in UTC that stands for a calendar day, and keeps that day in every zone;
/// so does a date with a time of day, which other programs may write, whatever clock shows its instant.
public enum TuiJournalEntry {
  /// The name of the tag of a priority: `priority/3`.
  static func tag(ofPriority priority: Int) -> String { "\(prefix)\(priority)" }

  /// The priority that a tag stands for.
  static func priority(ofTag name: String) -> Int? {
    let key = Tag.key(of: name)
    guard key.hasPrefix(prefix), let priority = UInt32(key.dropFirst(prefix.count)) else {
      return nil
    }
    return tag(ofPriority: Int(priority)) == key ? Int(priority) : nil
  }

  private static let prefix = "priority/"

  /// Makes an entry of its fields.
  ///
  /// - Parameters:
  ///   - date: as the file has it: `2024-03-04T00:00:00Z`.
  ///   - clock: the clock whose zone dates with a time of day are shown in.
  /// - Throws: ``FormatError`` when there is no such date, or no text.
  public static func make(
    date: String, title: String, content: String, tags: [String], priority: Int?, clock: WallClock
  ) throws(FormatError) -> ImportedEntry {
    let text = content.isEmpty ? title : title.isEmpty ? content : "\(title)\n\(content)"
    guard !text.isEmpty else { throw FormatError("has no text") }
    guard !date.isEmpty else { throw FormatError("has no date") }
    guard case .date(let time, _, let offset) = DateText.read(date) else {
      throw FormatError("there is no date \(date.excerpt)")
    }
    let moment = time.moment(offset: offset ?? 0)
    let shown = time.second == 0 ? moment : clock.moment(at: moment.seconds)
    let priority = priority.flatMap { $0 >= 0 ? tag(ofPriority: $0) : nil }
    return ImportedEntry(
      created: shown, day: time.day, text: text, tags: tags + (priority.map { [$0] } ?? []))
  }
}

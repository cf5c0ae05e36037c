import Journal
import Markdown

/// Writes entries as iCalendar (RFC 5545).
///
/// An entry is a `VJOURNAL` of its day: the first line is the summary, the text the description, its
/// tags are the categories. A task item with a date in its words is a `VTODO` that is due then.
struct ICalendarEncoder: EntryEncoder {
  private var tally = LossTally(keeping: ["modified", "day"])

  init() {}

  /// Appends the head of the calendar.
  mutating func begin(_ buffer: inout [UInt8]) {
    for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Daybook//Journal//EN"] {
      write(line, to: &buffer)
    }
  }

  /// Appends an entry, and its tasks with dates.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    let entry = tally.withLineFeeds(entry)
    tally.add(fieldsOf: entry)
    tally.add("the offset from UTC of", if: entry.created.offset != 0)
    let lines = PlainLines(entry.text)
    write("BEGIN:VJOURNAL", to: &buffer)
    write("UID:\(entry.uuid)", to: &buffer)
    writeTimes(of: entry, to: &buffer)
    write("DTSTART;VALUE=DATE:\(Self.date(entry.day))", to: &buffer)
    write("SUMMARY:\(Self.escaped(String(decoding: lines.title, as: UTF8.self)))", to: &buffer)
    write("DESCRIPTION:\(Self.escaped(entry.text))", to: &buffer)
    if !entry.tags.isEmpty {
      write("CATEGORIES:\(entry.tags.map(Self.escaped).joined(separator: ","))", to: &buffer)
    }
    write("END:VJOURNAL", to: &buffer)
    writeTasks(of: entry, to: &buffer)
  }

  /// Appends the end of the calendar.
  mutating func end(_ buffer: inout [UInt8]) { write("END:VCALENDAR", to: &buffer) }

  /// The data that a calendar leaves out.
  var losses: [String] { tally.phrases }

  private func writeTimes(of entry: Entry, to buffer: inout [UInt8]) {
    write("DTSTAMP:\(Self.instant(entry.modified))", to: &buffer)
    write("CREATED:\(Self.instant(entry.created))", to: &buffer)
    write("LAST-MODIFIED:\(Self.instant(entry.modified))", to: &buffer)
  }

  private func writeTasks(of entry: Entry, to buffer: inout [UInt8]) {
    guard entry.text.utf8.contains(UInt8(ascii: "[")) else { return }
    let document = Document(entry.text)
    for (index, item) in document.taskItems.enumerated() {
      let words = document.words(of: item)
      guard let due = Self.due(words) else { continue }
      write("BEGIN:VTODO", to: &buffer)
      write("UID:\(entry.uuid)-\(index + 1)", to: &buffer)
      writeTimes(of: entry, to: &buffer)
      write("DUE;VALUE=DATE:\(Self.date(due))", to: &buffer)
      write("SUMMARY:\(Self.escaped(words))", to: &buffer)
      write("STATUS:\(item.box.state == .done ? "COMPLETED" : "NEEDS-ACTION")", to: &buffer)
      write("RELATED-TO:\(entry.uuid)", to: &buffer)
      write("END:VTODO", to: &buffer)
    }
  }

  /// The first date `2024-01-05` among the words of a task.
  private static func due(_ words: String) -> Day? {
    let parts = words.utf8.split { !ASCII.isDigit($0) && $0 != UInt8(ascii: "-") }
    return parts.lazy.compactMap { Day(String(decoding: $0, as: UTF8.self)) }.first
  }

  /// `20240105`.
  private static func date(_ day: Day) -> String { "\(day)".filter { $0 != "-" } }

  /// `20240105T081500Z`.
  private static func instant(_ moment: Moment) -> String {
    let text = "\(Moment(seconds: moment.seconds, offset: 0))".prefix(19)
    return "\(text.filter { $0 != "-" && $0 != ":" })Z"
  }

  /// A text as a value: without control characters, on one line.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\\", ";", ",":
        result.unicodeScalars.append("\\")
        result.unicodeScalars.append(scalar)
      default:
        if scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Writes a line, folded at 75 bytes between characters.
  private func write(_ line: String, to buffer: inout [UInt8]) {
    var width = 0
    for scalar in line.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if width + bytes.count > 75 {
        buffer.append(contentsOf: [0x0D, 0x0A, 0x20])
        width = 1
      }
      buffer.append(contentsOf: bytes)
      width += bytes.count
    }
    buffer.append(contentsOf: [0x0D, 0x0A])
  }
}

import Foundation
import Journal

/// Writes archives of other programs with many entries, as those programs write them.
///
/// Each format has the same entries, with two paragraphs of plain words: one file with all of them,
/// or a directory with a file for each entry or day, where its program has that.
struct ForeignArchive {
  /// The name of the format for `--from`.
  let name: String
  /// The number of entries.
  let count: Int

  /// Writes the archive below a directory, and returns its path.
  func write(in directory: String) throws -> String {
    guard let writer = ForeignArchive.writer(of: name) else { throw CocoaError(.fileNoSuchFile) }
    let path = "\(directory)/\(name)"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let items = (0..<count).map { Item(index: $0, isLast: $0 == count - 1) }
    switch writer {
    case .file(let file, let head, let item, let separator, let tail):
      let text = head + items.map(item).joined(separator: separator) + tail
      try Data(text.utf8).write(to: URL(filePath: "\(path)/\(file)"))
      return "\(path)/\(file)"
    case .files(let file, let item):
      for (name, items) in Dictionary(grouping: items, by: { file($0) }) {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(items.map(item).joined().utf8).write(to: url)
      }
      return path
    }
  }

  /// An entry of an archive.
  struct Item {
    let index: Int
    let isLast: Bool

    /// Days of their own from 1900 on; their times differ.
    var day: Day { ForeignArchive.first.adding(days: index) }
    /// The seconds since 1970, where days are only 26 years.
    var seconds: Int { 946_684_800 + index * 8_191 }
    /// Two paragraphs; `text` ends without a line end.
    var title: String { "Morning walk \(index)" }
    var body: String {
      "We went along the river as far as the old mill and back, \(index) steps or so. "
        + "It was cold, and the ice was thin.\n\nThen coffee with Anna #walk"
    }
    var text: String { "\(title)\n\n\(body)" }
    /// `2024-01-05T10:00:00`.
    var time: String {
      let moment = Moment(seconds: Int64(seconds), offset: 0)
      let (hour, minute, second) = moment.localTime
      let digits = [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return "\(moment.localDay)T\(digits.joined(separator: ":"))"
    }
    /// `20240105T100000`.
    var compact: String { time.filter { $0 != "-" && $0 != ":" } }
    var clock: String { String(time.dropFirst(11).prefix(5)) }
    var date: String { String(time.prefix(10)) }
    /// 32 digits.
    var id: String {
      let digits = String(index, radix: 16)
      return String(repeating: "a", count: 32 - digits.count) + digits
    }
    /// The text for JSON, with its quotation marks.
    func json(_ text: String) -> String {
      var bytes: [UInt8] = []
      JSONText.append(text, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    /// The text for HTML.
    var html: String {
      let parts = body.replacing("\n\n", with: "\n").split(separator: "\n")
      return parts.map { "<p>\($0)</p>" }.joined()
    }
    var weekday: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][day.weekday - 1] }
    var month: String {
      let names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
      return String(names[Moment(seconds: Int64(seconds), offset: 0).localDay.month - 1])
    }
  }

  private static let first = Day("1900-01-01") ?? Moment(seconds: 0, offset: 0).localDay

  enum Writer {
    /// One file: its name, its head, each entry, what is between two, and its end.
    case file(
      String, head: String = "", (Item) -> String, separator: String = "",
      tail: String = "")
    /// The file of each entry, which may have several, and the text.
    case files((Item) -> String, (Item) -> String)
  }
}

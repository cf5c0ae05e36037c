import Journal
import JournalStore
import Screen
import TextLayout

/// The output of `daybook links`: as lines, and as JSON.
struct LinkPage {
  /// The lines, safe for a terminal.
  private(set) var lines: [String] = []
  private var members: [JSONMember] = []

  /// The links of an entry, each once, and the entries that link to it.
  ///
  /// - Throws: the errors of the store.
  init(of number: Int64, in store: any EntryStore) throws {
    let entry = try store.entry(number)
    var links: [JSONValue] = []
    for link in Self.links(in: entry.text) {
      let destination = try store.destination(of: link, in: number)
      var found: [JSONMember] = [JSONMember("target", .string(link.target))]
      switch destination {
      case .entry(let other):
        let title = try store.entry(other).title
        lines.append("\(Sanitizing.line(link.target)) → \(other) \(Self.shown(title))")
        found += [JSONMember("number", .number("\(other)")), JSONMember("title", .string(title))]
      case .days(let days):
        let text =
          days.lowerBound == days.upperBound
          ? days.lowerBound.description : days.lowerBound.monthKey
        lines.append("\(Sanitizing.line(link.target)) → \(text)")
        found.append(JSONMember("day", .string(text)))
      case .nothing: lines.append("\(Sanitizing.line(link.target)) → nothing")
      }
      links.append(.object(found))
    }
    var sources: [JSONValue] = []
    for source in try store.sources(leadingTo: number) {
      let title = try store.entry(source).title
      lines.append("← \(source) \(Self.shown(title))")
      sources.append(
        .object([JSONMember("number", .number("\(source)")), JSONMember("title", .string(title))]))
    }
    members = [
      JSONMember("number", .number("\(number)")), JSONMember("links", .array(links)),
      JSONMember("linkedFrom", .array(sources)),
    ]
  }

  /// The links of a text: of several to the same thing the first one.
  private static func links(in text: String) -> [Link] {
    var keys: Set<String> = []
    return Link.all(in: text).filter { keys.insert($0.key).inserted }
  }

  /// A title as lists show it: the words of its links.
  private static func shown(_ title: String) -> String { Sanitizing.line(Link.shown(in: title)) }

  /// The links of all entries that lead nowhere, each once an entry, with the entry's title, and the number
  /// of entries without a link to them.
  ///
  /// - Throws: the errors of the store.
  init(ofAll store: any EntryStore) throws {
    var broken: [JSONValue] = []
    for number in try store.numbers(matching: .flag(.broken)) {
      let entry = try store.entry(number)
      for link in Self.links(in: entry.text) {
        guard case .nothing(let target) = try store.destination(of: link, in: number) else {
          continue
        }
        lines.append(
          "\(number) \(Sanitizing.line(target)) → nothing, in \(Self.shown(entry.title))")
        broken.append(
          .object([
            JSONMember("number", .number("\(number)")), JSONMember("title", .string(entry.title)),
            JSONMember("target", .string(target)),
          ]))
      }
    }
    let orphans = try store.numbers(matching: .flag(.orphan)).count
    lines.append(
      Numbers.counted(broken.count, "broken link", "broken links")
        + ", \(Numbers.entries(orphans)) without a link to them")
    members = [
      JSONMember("broken", .array(broken)), JSONMember("orphans", .number("\(orphans)")),
    ]
  }

  /// The page as one line of JSON.
  var json: String {
    var bytes: [UInt8] = []
    JSONValue.object(members).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

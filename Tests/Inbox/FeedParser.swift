import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads the articles of an RSS 2.0 or Atom file.
final class FeedParser: NSObject, XMLParserDelegate {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private var feed = ""
  private var items: [NewItem] = []
  /// The texts of the elements of the article that is being read.
  private var fields: [String: String]?
  private var text = ""
  private let fallbackDate: Date

  private init(now: Date) { fallbackDate = now }

  /// Reads a file.
  ///
  /// - Parameter now: the date of articles without one.
  /// - Throws: the error of the file, or what is wrong with the XML and where.
  static func items(ofFile path: String, now: Date = Date()) throws -> [NewItem] {
    let xml = XMLParser(data: try Data(contentsOf: URL(filePath: path)))
    let reader = FeedParser(now: now)
    xml.delegate = reader
    guard xml.parse() else {
      throw Failure(description: "\(path):\(xml.lineNumber): not well-formed XML")
    }
    guard !reader.feed.isEmpty else { throw Failure(description: "\(path): no RSS or Atom feed") }
    return reader.items.map {
      var item = $0
      item.feed = reader.feed
      return item
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    text = ""
    if name == "item" || name == "entry" { fields = [:] }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    let value = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    text = ""
    if name == "item" || name == "entry" {
      finishItem()
    } else if fields != nil {
      fields?[name] = value
    } else if name == "title", feed.isEmpty {
      feed = value
    }
  }

  private func finishItem() {
    guard let fields else { return }
    self.fields = nil
    let title = fields["title"] ?? ""
    guard let guid = fields["guid"] ?? fields["id"] ?? fields["link"] ?? fields["title"] else {
      return
    }
    let date = fields["pubDate"] ?? fields["published"] ?? fields["updated"]
    items.append(
      NewItem(
        feed: "", guid: guid, title: title.isEmpty ? guid : title,
        published: date.flatMap(Self.date) ?? fallbackDate))
  }

  /// A date of RSS (RFC 822) or Atom (ISO 8601).
  private static func date(_ text: String) -> Date? {
    if let date = try? Date(text, strategy: .iso8601) { return date }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
    return formatter.date(from: text)
  }
}

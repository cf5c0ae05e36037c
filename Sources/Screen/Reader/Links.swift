import Journal
import Markdown
import TextLayout

/// The links of an entry: marked for terminals that open them by a click, and opened by a key.
extension State {
  /// Opens a link of the entry.
  ///
  /// While reading, the visible ones come first. A count chooses one; without it several are a menu. Of a selected
  /// link to a title the entries of that title are listed, if there are several.
  mutating func openLink(_ count: Int?) -> [Effect] {
    if pages.mode == .reading, let pane = pane.reading {
      if count == nil, case .link(let link)? = pane.stop {
        return [.read(.namesakes(link, in: pane.entry.number))]
      }
      let shown = pane.links(from: pane.offset, lines: layout.paneLines.count)
      return choose(from: shown.isEmpty ? pane.links : shown, count)
    }
    guard let target else {
      status = .failed("no entry selected")
      return []
    }
    return [.read(.links(target, count: count))]
  }

  /// Opens one of some links, or lists them in a menu.
  mutating func choose(from links: [DocumentLink], _ count: Int?) -> [Effect] {
    guard !links.isEmpty else {
      status = .failed("this entry has no links")
      return []
    }
    if let count {
      guard count <= links.count else {
        status = .failed(
          links.count == 1 ? "this entry has only one link" : "this entry has \(links.count) links")
        return []
      }
      return [.program(.openLink(links[count - 1].address))]
    }
    if links.count == 1 { return [.program(.openLink(links[0].address))] }
    open(
      Menu(
        title: "links",
        items: links.map { link in
          Menu.Item(
            link.text, detail: link.text == link.address || link.isFile ? "" : link.address,
            effect: .program(.openLink(link.address)))
        }))
    return []
  }
}

extension Reading {
  /// Finds the links of a text that can be opened: addresses, and files of the journal.
  ///
  /// Most texts have none, which is known without parsing them.
  package static func links(of text: String) -> [DocumentLink] {
    guard text.utf8.count <= MarkdownLayout.markdownLimit else { return [] }
    let addresses = mayHaveLinks(text) ? Document(text).links : []
    let files = FileLink.places(in: text).map { file in
      DocumentLink(
        range: file.range, text: file.link.name, address: FileLink.scheme + file.link.target)
    }
    guard !files.isEmpty else { return addresses }
    return (addresses + files).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether a text contains `://`, `@` or `mailto:`, without which no address is a link.
  private static func mayHaveLinks(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.indices.contains { index in
        if bytes[index] == UInt8(ascii: "@") { return true }
        guard bytes[index] == UInt8(ascii: ":") else { return false }
        let isURL =
          index + 2 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
          && bytes[index + 2] == UInt8(ascii: "/")
        return isURL || index >= 6 && bytes[index - 1] | 0x20 == UInt8(ascii: "o")
      }
    }
  }

  /// The links on some lines of the pane.
  func links(from line: Int, lines: Int) -> [DocumentLink] {
    guard !links.isEmpty else { return [] }
    let range = (max(line + 1, EntryBar.headLines)..<max(line + 1, line + lines))
    let shown = range.compactMap { $0 < self.lines ? textLine($0) : nil }
    return links.filter { link in shown.contains { $0.shows([link.range]) } }
  }

  /// The addresses on a line, each with the columns of the line that show it; a terminal cannot open the
  /// files of a journal.
  func linkPlaces(on line: StyledLine) -> [(columns: Range<Int>, address: String)] {
    guard !links.isEmpty else { return [] }
    var places: [(columns: Range<Int>, address: String)] = []
    var column = 0
    for cell in line.cells {
      let next = column + cell.cluster.columns
      defer { column = next }
      guard let source = cell.source, let link = links.first(where: { $0.range.contains(source) }),
        !link.isFile
      else { continue }
      if let last = places.last, last.columns.upperBound == column, last.address == link.address {
        places[places.count - 1].columns = last.columns.lowerBound..<next
      } else {
        places.append((column..<next, link.address))
      }
    }
    return places
  }
}

extension DocumentLink {
  /// Whether it names a file of the journal.
  var isFile: Bool { address.hasPrefix(FileLink.scheme) }
}

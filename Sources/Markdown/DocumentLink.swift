/// A link that a program may open: its place in a text, its words, and its address.
package struct DocumentLink: Equatable, Codable, Sendable {
  /// Its bytes in the text, from its words to its destination.
  package var range: Range<Int>
  /// The visible words; the address of a link without words.
  package var text: String
  /// The address: a web page, or an e-mail address after `mailto:`.
  package var address: String

  package init(range: Range<Int>, text: String, address: String) {
    (self.range, self.text, self.address) = (range, text, address)
  }
}

extension Document {
  /// The links with an address that is safe to open, in the order of the text.
  ///
  /// - Complexity: linear in the bytes.
  package var links: [DocumentLink] {
    blocks.flatMap { block -> [DocumentLink] in
      switch block.kind {
      case .blank, .fencedCode, .indentedCode, .thematicBreak: []
      case .paragraph, .heading: links(in: block.lines)
      case .table: block.lines.flatMap { cells(of: $0) }.flatMap { links(in: [$0]) }
      }
    }
  }

  private func links(in lines: [Block.Line]) -> [DocumentLink] {
    inlines(lines).links.compactMap { link in
      let address = address(of: link)
      guard Link.isSafe(address[...]) else { return nil }
      let name = String(decoding: address, as: UTF8.self)
      let start = min(link.text.lowerBound, link.destination.lowerBound)
      return DocumentLink(
        range: start..<max(link.text.upperBound, link.destination.upperBound),
        text: link.text.isEmpty || link.text == link.destination ? name : source(link.text),
        address: name)
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The address of a link, with `mailto:` before an e-mail address.
  package func address(of link: Link) -> [UInt8] {
    (link.isEmail ? Array("mailto:".utf8) : []) + bytes[link.destination]
  }
}

extension Link {
  /// Whether a program may open an address: a web page or e-mail address, never a script or a file.
  package static func isSafe(_ address: ArraySlice<UInt8>) -> Bool {
    let head = String(decoding: address.prefix(8), as: UTF8.self).lowercased()
    guard ["http://", "https://", "mailto:"].contains(where: head.hasPrefix) else { return false }
    return address.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}

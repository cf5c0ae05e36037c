import Markdown

/// The tags, links, fields and files of a text, found in one pass over its bytes and one look at its Markdown.
package struct Marks {
  /// The tags in order, each once, with their keys.
  package private(set) var tags: [(key: String, name: String)] = []
  /// The links in order.
  package private(set) var links: [Link] = []
  /// The fields in order.
  package private(set) var fields: [Field] = []

  /// The files in order.
  package private(set) var files: [FileLink] = []

  /// Finds them.
  ///
  /// - Complexity: linear in the bytes of the text.
  package init(_ text: String) {
    Utf8.withBytes(of: text) { find($0) }
  }

  private enum Found {
    case tag(Range<Int>)
    case link(Link)
    case field(FieldScanner.Place)

    var start: Int {
      switch self {
      case .tag(let range): range.lowerBound
      case .link(let link): link.range.lowerBound
      case .field(let place): place.name.lowerBound
      }
    }
  }

  private mutating func find(_ bytes: UnsafeBufferPointer<UInt8>) {
    var (found, hasFiles) = Self.found(bytes)
    if hasFiles { files = FileLink.all(in: Document(Array(bytes))) }
    guard !found.isEmpty else { return }
    if var prose = Prose(bytes) { found.removeAll { !prose.contains($0.start) } }
    var names = Tag.UniqueNames()
    var tagged: [Range<Int>] = []
    var places: [FieldScanner.Place] = []
    for mark in found {
      switch mark {
      case .tag(let range):
        names.add(Tag.name(bytes, range))
        tagged.append(range)
      case .link(let link): links.append(link)
      case .field(let place): places.append(place)
      }
    }
    tags = names.names
    fields = places.isEmpty ? [] : FieldScanner(bytes).fields(at: places, tags: tagged)
  }

  /// The candidates for marks, wherever they are, and whether the address of a file is anywhere.
  private static func found(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (marks: [Found], hasFiles: Bool) {
    let tags = TagScanner(bytes)
    let links = LinkScanner(bytes: bytes)
    var fields = FieldScanner(bytes)
    var found: [Found] = []
    var hasFiles = false
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "#"), UInt8(ascii: "@"):
        if let end = tags.end(ofWordAt: index) {
          found.append(.tag(index..<end))
          index = end
          continue
        }
      case UInt8(ascii: "["):
        if let link = links.link(at: index) {
          found.append(.link(link))
          fields.skip(to: link.range.upperBound)
          // A target may have tags.
          index += 2
          continue
        }
      case UInt8(ascii: ":"):
        if let place = fields.place(at: index) { found.append(.field(place)) }
        if !hasFiles { hasFiles = FileLink.isScheme(bytes, endingAt: index) }
      default: break
      }
      index += 1
    }
    return (found, hasFiles)
  }
}

extension Marks {
  /// A tag, a link or the name of a field in a text.
  package struct Place: Equatable, Sendable {
    package enum Kind: Sendable {
      case tag, link, field
    }

    package var kind: Kind
    /// Its bytes: of a link with its brackets, of a field the name and its colons.
    package var range: Range<Int>
  }

  /// The places of what has the form of a mark, in order, also in code.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func places(in text: String) -> [Place] {
    Utf8.withBytes(of: text) { bytes in
      found(bytes).marks.map { mark in
        switch mark {
        case .tag(let range): Place(kind: .tag, range: range)
        case .link(let link): Place(kind: .link, range: link.range)
        case .field(let place): Place(kind: .field, range: place.name.lowerBound..<place.value)
        }
      }
    }
  }

  /// Whether a text has any sign of a link, a field or a file, which is cheap to find out.
  package static func mayBeIn(_ text: String) -> Bool {
    Utf8.withBytes(of: text) { bytes in
      var last: UInt8 = 0
      for (index, byte) in bytes.enumerated() {
        if byte == last, byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[") { return true }
        if byte == UInt8(ascii: ":"), FileLink.isScheme(bytes, endingAt: index) { return true }
        last = byte
      }
      return false
    }
  }
}

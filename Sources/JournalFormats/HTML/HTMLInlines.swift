import Markdown

/// Converts inlines to HTML.
///
/// Runs are flat, so elements of one kind never nest. HTML in the text is escaped. Only
/// destinations that are ``Link/isSafe(_:)`` become links; others are shown after their text.
struct HTMLInlines {
  private enum Element: Equatable {
    case link(Int)
    /// A link to an entry or a day of the page.
    case anchor(Int)
    case strong, emphasis, deleted, code, tag, file
  }

  private let document: Document
  /// The tags after the present position.
  private var tags: ArraySlice<Range<Int>>
  private let anchored: AnchoredLinks
  /// The links before this one end before the present position.
  private var nextAnchor = 0
  private let files: EmbeddedFiles
  private var links: [Link] = []
  /// The element of each link to a file of the page, until it is written.
  private var elements: [[UInt8]?] = []
  /// The images in other links that are files of the page, with their bytes.
  private var inner: [(range: Range<Int>, index: Int)] = []
  /// Whether each link has a safe destination.
  private var isPage: [Bool] = []
  private var open: [Element] = []
  /// The last link with visible text, which can be clicked.
  private var shownLink: Int?

  init(
    _ document: Document, tags: [Range<Int>], anchored: AnchoredLinks = AnchoredLinks(),
    files: EmbeddedFiles = EmbeddedFiles()
  ) {
    self.document = document
    self.files = files
    self.anchored = anchored
    self.tags = tags[...]
  }

  /// The runs of a paragraph's lines; their links are kept until the next call.
  mutating func content(_ lines: [Block.Line]) -> [[Inline]] {
    let content = document.inlines(lines)
    links = content.links
    elements = links.map { files.element(of: $0, in: document) }
    let shown = Set(content.lines.joined().compactMap(\.link))
    inner = links.indices.compactMap { index in
      guard elements[index] != nil, !shown.contains(index) else { return nil }
      return document.range(ofInnerImage: links[index]).map { ($0, index) }
    }
    isPage = links.map { Link.isSafe(document.address(of: $0)[...]) }
    shownLink = nil
    return content.lines
  }

  /// Writes the runs of a line without leading and trailing white space.
  ///
  /// A link that continues in the next line stays open, so that its address is written once.
  mutating func write(_ runs: [Inline], to buffer: inout [UInt8]) {
    let start = runs.first?.range.lowerBound ?? 0
    let line = document.bytes[start..<(runs.last?.range.upperBound ?? start)]
    let text = ASCII.trimmed(line).indices
    for run in runs where run.range.overlaps(text) {
      write(run, document.bytes[run.range.clamped(to: text)], to: &buffer)
    }
    let lineEnd = line.endIndex
    let link = open.first.flatMap { element -> Element? in
      guard case .link(let index) = element, links[index].text.upperBound > lineEnd else {
        return nil
      }
      return element
    }
    enter(link.map { [$0] } ?? [], to: &buffer)
  }

  /// Closes the elements open at the end of a paragraph.
  mutating func end(_ buffer: inout [UInt8]) { enter([], to: &buffer) }

  private mutating func write(_ run: Inline, _ bytes: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    if let index = run.link, let element = self.elements[index] {
      enter([], to: &buffer)
      // Empty for the further runs of the link.
      buffer += element
      self.elements[index] = []
      return
    }
    if let image = inner.first(where: { $0.range.overlaps(run.range) }) {
      guard let element = self.elements[image.index], !element.isEmpty, let outer = run.link else {
        return
      }
      enter(isPage[outer] ? [.link(outer)] : [], to: &buffer)
      buffer += element
      self.elements[image.index] = []
      if isPage[outer] { shownLink = outer }
      return
    }
    var elements: [Element] = []
    let link = run.link.map { links[$0] }
    let leadsToPage = run.link.map { isPage[$0] } ?? false
    if let index = run.link, let link {
      let isTarget = run.kind == .linkTextEnd || run.kind == .destination
      let isOwnTarget = isTarget && !link.text.contains(run.range.lowerBound)
      if isOwnTarget, shownLink == index { return }
      if leadsToPage, !isOwnTarget { elements.append(.link(index)) }
      // The name of a file next to an export is better than no text.
      if !leadsToPage, link.isImage, link.text == link.destination { elements.append(.file) }
    }
    if run.styles.contains(.strong) { elements.append(.strong) }
    if run.styles.contains(.emphasis) { elements.append(.emphasis) }
    if run.styles.contains(.strikethrough) { elements.append(.deleted) }
    switch run.kind {
    case .delimiter, .tildes: return
    case .linkTextEnd:
      enter(elements, to: &buffer)
      buffer.append(0x20)
    case .destination:
      if !elements.contains(.file) { elements.append(.file) }
      enter(elements, to: &buffer)
      HTMLText.append(bytes, to: &buffer)
    case .code:
      enter(elements + [.code], to: &buffer)
      HTMLText.append(bytes, to: &buffer)
      if leadsToPage { shownLink = run.link }
    case .text where link == nil: writeLinked(bytes, elements, to: &buffer)
    case .text:
      enter(elements, to: &buffer)
      HTMLText.append(bytes, to: &buffer)
      if leadsToPage, !bytes.allSatisfy(ASCII.isSpace) { shownLink = run.link }
    }
  }

  /// Writes text with links to entries: what is shown of them, without their brackets.
  private mutating func writeLinked(
    _ bytes: ArraySlice<UInt8>, _ elements: [Element], to buffer: inout [UInt8]
  ) {
    guard nextAnchor < anchored.items.count else {
      return writeTagged(bytes, elements, to: &buffer)
    }
    var rest = bytes.indices
    while !rest.isEmpty {
      let part = anchored.part(of: rest, from: nextAnchor)
      if let index = part.item {
        if part.isShown {
          enter([.anchor(index)] + elements, to: &buffer)
          HTMLText.append(document.bytes[part.range], to: &buffer)
        }
        if part.range.upperBound == anchored.items[index].range.upperBound {
          nextAnchor = index + 1
        }
      } else {
        writeTagged(document.bytes[part.range], elements, to: &buffer)
      }
      rest = part.range.upperBound..<rest.upperBound
    }
  }

  private mutating func writeTagged(
    _ bytes: ArraySlice<UInt8>, _ elements: [Element], to buffer: inout [UInt8]
  ) {
    var start = bytes.startIndex
    while let tag = tags.first, tag.lowerBound < bytes.endIndex {
      let word = tag.clamped(to: start..<bytes.endIndex)
      if !word.isEmpty {
        enter(elements, to: &buffer)
        HTMLText.append(bytes[start..<word.lowerBound], to: &buffer)
        enter(elements + [.tag], to: &buffer)
        HTMLText.append(bytes[word], to: &buffer)
        start = word.upperBound
      }
      // The next run may contain the rest of a tag.
      if tag.upperBound > bytes.endIndex { break }
      tags.removeFirst()
    }
    enter(elements, to: &buffer)
    HTMLText.append(bytes[start...], to: &buffer)
  }

  /// Closes the elements that the next run does not have, and opens the missing ones.
  private mutating func enter(_ elements: [Element], to buffer: inout [UInt8]) {
    let kept = zip(open, elements).prefix { $0 == $1 }.count
    while open.count > kept, let element = open.popLast() {
      buffer.append(contentsOf: "</\(name(element))>".utf8)
    }
    for element in elements[kept...] {
      open.append(element)
      buffer.append(contentsOf: "<\(name(element))".utf8)
      switch element {
      case .link(let index): writeTarget(links[index], to: &buffer)
      case .anchor(let index):
        buffer.append(contentsOf: " href=\"".utf8)
        HTMLText.append(anchored.items[index].anchor.fragment.utf8, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
      case .tag: buffer.append(contentsOf: " class=\"tag\"".utf8)
      case .file: buffer.append(contentsOf: " class=\"file\"".utf8)
      case .strong, .emphasis, .deleted, .code: break
      }
      buffer.append(UInt8(ascii: ">"))
    }
  }

  private func writeTarget(_ link: Link, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: " rel=\"noopener noreferrer\" href=\"".utf8)
    HTMLText.append(document.address(of: link), to: &buffer)
    if let title = link.title {
      buffer.append(contentsOf: "\" title=\"".utf8)
      HTMLText.append(document.bytes[title], to: &buffer)
    }
    buffer.append(UInt8(ascii: "\""))
  }

  private func name(_ element: Element) -> String {
    switch element {
    case .link, .anchor: "a"
    case .strong: "strong"
    case .emphasis: "em"
    case .deleted: "del"
    case .code: "code"
    case .tag, .file: "span"
    }
  }
}

/// Makes clusters with looks of parts of a text, through the ``Sanitizer``.
struct TextStyler {
  let bytes: [UInt8]

  /// The clusters of a part as it is, without markup.
  func verbatim(_ range: Range<Int>, _ style: Style = Style()) -> [StyledCluster] {
    var cells: [StyledCluster] = []
    cells.reserveCapacity(range.count)
    forEachCluster(of: range) { cluster, offset in
      if cluster.columns > 0 { cells.append(StyledCluster(cluster, style: style, source: offset)) }
    }
    return cells
  }

  /// The clusters of lines that are one paragraph: emphasis may begin in one and end in another.
  func paragraph(_ lines: [MarkdownBlock.Line], _ style: Style = Style()) -> [[StyledCluster]] {
    var joined: [UInt8] = []
    for line in lines {
      joined += bytes[line.range]
      joined.append(0x0A)
    }
    let attributes = InlineParser.attributes(of: joined)
    var start = 0
    return lines.map { line in
      defer { start += line.range.count + 1 }
      return cells(of: line.range, attributes[start..<start + line.range.count], style)
    }
  }

  private func cells(
    of range: Range<Int>, _ attributes: ArraySlice<InlineAttributes>, _ style: Style
  ) -> [StyledCluster] {
    var cells: [StyledCluster] = []
    cells.reserveCapacity(range.count)
    let shift = attributes.startIndex - range.lowerBound
    forEachCluster(of: range) { cluster, offset in
      let first = attributes[offset + shift]
      if cluster.columns == 0 { return }
      if first.contains(.hidden) {
        // A sign that carries a mark is no bare sign, and stays.
        let parts = attributes[offset + shift..<offset + shift + cluster.sourceLength]
        if parts.allSatisfy({ $0.contains(.hidden) }) { return }
      }
      let shown = first.contains(.blank) ? TextLayout.space : cluster
      cells.append(StyledCluster(shown, style: first.style(in: style), source: offset))
    }
    return cells
  }

  /// Calls the body with each cluster of a line and the byte at which it begins.
  private func forEachCluster(of range: Range<Int>, _ body: (Cluster, Int) -> Void) {
    var options = SanitizerOptions()
    options.isBody = true
    var scanner = ClusterScanner(
      String(decoding: bytes[range], as: UTF8.self), options: options)
    var offset = range.lowerBound
    while case .cluster(let cluster) = scanner.next() {
      body(cluster, offset)
      offset += cluster.sourceLength
    }
  }
}

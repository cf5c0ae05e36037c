@testable import Terminal
@testable import TextLayout

/// The lines of a text at a width, as a picture without blanks at their ends.
func picture(_ text: String, _ columns: Int) -> String {
  picture(MarkdownLayout(text, columns: columns))
}

func picture(_ lines: some Sequence<StyledLine>) -> String {
  lines.map { line in
    let text = line.text.unicodeScalars
    return text.lastIndex { $0 != " " }.map { String(text[...$0]) } ?? ""
  }.joined(separator: "\n")
}

/// The texts of the neighbours that have a look for which a test holds.
func parts(_ text: String, where test: (Style) -> Bool) -> [String] {
  var parts: [String] = []
  for line in MarkdownLayout(text, columns: 200, isTitled: false) {
    var wasPart = false
    for cell in line.cells {
      let isPart = test(cell.style)
      if isPart, wasPart, let last = parts.indices.last {
        parts[last] += cell.cluster.text
      } else if isPart {
        parts.append(cell.cluster.text)
      }
      wasPart = isPart
    }
  }
  return parts
}

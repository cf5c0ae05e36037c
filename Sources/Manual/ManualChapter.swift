import Foundation
import Markdown

/// A chapter of the manual in Markdown, as text for a manual page.
///
/// Headings become sections, rows of a table terms with their explanation, fenced code examples.
struct ManualChapter {
  private let document: Document

  init(_ text: String) { document = Document(text) }

  /// Reads `NAME.md` of the manual's directory.
  ///
  /// - Throws: the error of reading the file.
  init(_ name: String, in directory: URL) throws {
    self.init(
      String(decoding: try Data(contentsOf: directory.appending(path: "\(name).md")), as: UTF8.self)
    )
  }

  /// The parts between headings: the first one has the chapter's title.
  struct Part {
    var title: String
    var lines: [String]
  }

  /// The parts of the chapter, without empty ones.
  var parts: [Part] {
    var parts: [Part] = []
    for block in document.blocks {
      if case .heading = block.kind {
        let title = block.lines.map { document.source($0.range) }.joined()
        parts.append(Part(title: title, lines: []))
      } else if !parts.isEmpty {
        parts[parts.count - 1].lines += lines(of: block)
      }
    }
    return parts.filter { !$0.lines.isEmpty }
  }

  private func lines(of block: Block) -> [String] {
    switch block.kind {
    case .blank, .heading, .thematicBreak: return []
    case .paragraph:
      guard let item = block.container.flatMap(document.item) else {
        return [".PP"] + Roff.filled(text(block.lines))
      }
      let marker =
        item.isNumbered ? ".IP \(document.source(item.marker)) 4" : ".IP \\(bu 2"
      return [marker] + Roff.filled(text(block.lines))
    case .fencedCode, .indentedCode:
      let code = block.lines.map { Roff.line(document.source($0.range)) }
      return [".PP", ".RS 4", ".nf"] + code + [".fi", ".RE"]
    case .table:
      return block.lines.dropFirst().flatMap { row in
        let cells = document.cells(of: row).map { text([$0]) }
        // Several terms of a row are separated only by blanks.
        let term = cells[0].replacing("\\fR \\fB", with: "\\fR, \\fB")
        return [".TP", term] + Roff.filled(cells.dropFirst().joined(separator: "; "))
      }
    }
  }

  /// The words of lines with their fonts; the destinations of links are left out.
  private func text(_ lines: [Block.Line]) -> String {
    document.inlines(lines).lines.map { runs in
      runs.map { run in
        // A bar inside a cell has a backslash before it.
        let text = document.source(run.range).replacing("\\|", with: "|")
        switch run.kind {
        case .delimiter, .linkTextEnd, .destination: return ""
        case .code: return Roff.bold(text)
        case .text, .tildes:
          if run.styles.contains(.strong) { return Roff.bold(text) }
          return run.styles.contains(.emphasis) ? Roff.italic(text) : Roff.plain(text)
        }
      }.joined()
    }.joined(separator: " ")
  }
}

/// A manual page made from chapters of the manual.
enum ReferencePage: String, CaseIterable {
  case config = "daybook-config.5"
  case queries = "daybook-queries.7"
  case sync = "daybook-sync.7"
  case sealed = "daybook-sealed.7"
  case mcp = "daybook-mcp.7"

  private var summary: String {
    switch self {
    case .config: "the configuration of Daybook"
    case .queries: "the query language and the dates of Daybook"
    case .sync: "one journal of Daybook on several devices"
    case .sealed: "journals of Daybook that nobody can read at rest"
    case .mcp: "a journal of Daybook for other programs, over the Model Context Protocol"
    }
  }

  private var chapters: [String] {
    switch self {
    case .config: ["configuration", "templates"]
    case .queries: ["queries"]
    case .sync: ["sync"]
    case .sealed: ["sealed"]
    case .mcp: ["mcp"]
    }
  }

  /// The page in the format of `man`.
  ///
  /// - Throws: the error of reading a chapter.
  func text(from directory: URL) throws -> String {
    let (name, section) = (rawValue.dropLast(2), rawValue.suffix(1))
    let volume = section == "5" ? "File Formats" : "Miscellaneous Information"
    var lines = [
      ".\\\" Made from the chapters of the manual: make man.",
      Roff.title(name.uppercased(), String(section), volume: volume),
      ".nh", ".ad l", ".SH NAME", "\(Roff.plain(String(name))) \\- \(summary)",
    ]
    for (index, chapter) in chapters.enumerated() {
      for (place, part) in try ManualChapter(chapter, in: directory).parts.enumerated() {
        let title = index + place == 0 ? "Description" : part.title
        lines += [".SH \(Roff.plain(title.uppercased()))"] + part.lines
      }
    }
    lines += [".SH SEE ALSO", ManualPage.references(without: rawValue)]
    return lines.joined(separator: "\n") + "\n"
  }
}

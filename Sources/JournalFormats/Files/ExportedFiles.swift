import Journal
import Markdown

/// The files of a journal, for an export that carries them.
package protocol ExportedFiles {
  /// The file that a link names; `nil` if the journal does not have it whole.
  func file(_ link: FileLink) throws -> StoredFile?

  /// Calls `body` with the bytes of a file, piece by piece.
  func read(_ file: StoredFile, _ body: ([UInt8]) throws -> Void) throws

  /// Calls `body` with the bytes of a file, and reports a damaged one.
  ///
  /// - Returns: whether it is whole.
  func isWhole(_ file: StoredFile, _ body: ([UInt8]) throws -> Void) throws -> Bool

  /// Notes that the export has the file of a link.
  func note(_ link: FileLink)
}

/// An encoder of a format that carries files.
package protocol FileCarryingEncoder: EntryEncoder {
  /// The files; `nil` to leave the links as they are.
  var files: (any ExportedFiles)? { get set }
}

extension FileLink {
  /// A text whose links to files lead elsewhere; what is in code stays.
  ///
  /// - Parameter address: the new address of a link, and whether other programs show it only as an image;
  ///   `nil` for a link that stays.
  /// - Complexity: linear in the bytes of the text.
  package static func text(
    _ text: String, leading address: (FileLink) throws -> (address: String, isShown: Bool)?
  ) rethrows -> String {
    guard mayBeIn(text) else { return text }
    let document = Document(text)
    var edits: [(range: Range<Int>, words: String)] = []
    for content in document.linkLines.map(document.inlines) {
      for link in content.links {
        guard let words = document.words(of: link), let file = FileLink(link, in: document),
          let new = try address(file)
        else { continue }
        let start = words.lowerBound - 1
        let holdsOther = content.links.contains {
          $0.text != link.text && link.text.contains($0.destination.lowerBound)
        }
        if new.isShown, !link.isImage, !holdsOther { edits.append((start..<start, "!")) }
        edits.append((link.destination, new.address))
      }
    }
    var (result, copied) = ([UInt8](), 0)
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += document.bytes[copied..<edit.range.lowerBound]
      result += edit.words.utf8
      copied = edit.range.upperBound
    }
    return String(decoding: result + document.bytes[copied...], as: UTF8.self)
  }
}

extension Document {
  /// The place of the words of a link, which may be empty; `nil` for an address without brackets.
  func words(of link: Markdown.Link) -> Range<Int>? {
    guard link.text == link.destination else { return link.text }
    var index = link.destination.lowerBound - 1
    while index > 0, " \n\t<".utf8.contains(bytes[index]) { index -= 1 }
    guard index > 1, bytes[index] == UInt8(ascii: "("), bytes[index - 1] == UInt8(ascii: "]") else {
      return nil
    }
    return index - 1..<index - 1
  }

  /// The lines that may have links, as far as one reaches: those of a paragraph together, each cell of a
  /// table by itself.
  var linkLines: [[Block.Line]] {
    blocks.flatMap { block -> [[Block.Line]] in
      switch block.kind {
      case .blank, .fencedCode, .indentedCode, .thematicBreak: []
      case .paragraph, .heading: [block.lines]
      case .table: block.lines.flatMap { cells(of: $0) }.map { [$0] }
      }
    }
  }
}

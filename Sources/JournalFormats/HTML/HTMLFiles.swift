import Foundation
import Journal
import Markdown

/// The files of a page, inside of it: pictures are shown, others can be saved.
///
/// A page of any size is one file. A large film in it would be of no use, so the size has a limit.
struct HTMLFiles {
  /// The largest file in bytes that a page holds.
  static let largest = 16 << 20

  private let files: any ExportedFiles

  init(_ files: any ExportedFiles) { self.files = files }

  /// The elements for the files that a text names.
  func elements(in text: String) throws -> EmbeddedFiles {
    var embedded = EmbeddedFiles()
    for link in FileLink.all(in: text) where embedded.elements[link] == nil {
      embedded.elements[link] = try element(link)
    }
    return embedded
  }

  private func element(_ link: FileLink) throws -> [UInt8]? {
    guard let file = try files.file(link), file.size <= Self.largest else { return nil }
    var bytes: [UInt8] = []
    guard try files.isWhole(file, { bytes += $0 }) else { return nil }
    files.note(link)
    let isShown = link.isPicture && MediaType.isPicture(file.type)
    var element = Array((isShown ? "<img alt=\"" : "<a class=\"attached\" download=\"").utf8)
    HTMLText.append((isShown ? link.words : link.name).utf8, to: &element)
    if isShown, let pixels = file.pixels {
      element += "\" width=\"\(pixels.width)\" height=\"\(pixels.height)".utf8
    }
    element += (isShown ? "\" src=\"data:" : "\" href=\"data:").utf8
    HTMLText.append(file.type.utf8, to: &element)
    element += ";base64,".utf8
    element += Data(bytes).base64EncodedData()
    element += "\">".utf8
    guard !isShown else { return element }
    HTMLText.append(link.name.utf8, to: &element)
    return element + "</a>".utf8
  }
}

/// The elements of a page for the files of a text.
struct EmbeddedFiles {
  fileprivate(set) var elements: [FileLink: [UInt8]] = [:]

  /// The element of a link; `nil` for one that is no file of the page.
  func element(of link: Markdown.Link, in document: Document) -> [UInt8]? {
    elements.isEmpty ? nil : FileLink(link, in: document).flatMap { elements[$0] }
  }
}

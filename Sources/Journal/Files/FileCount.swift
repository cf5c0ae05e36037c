/// How many files a text names, for a list that has no texts.
package struct FileCount: Hashable, Codable, Sendable {
  /// The number of links to files.
  package var all: Int
  /// How many of them show pictures.
  package var pictures: Int

  package init(all: Int = 0, pictures: Int = 0) { (self.all, self.pictures) = (all, pictures) }

  /// Counts the files that a text names.
  ///
  /// - Complexity: linear in the bytes of the text.
  package init(in text: String) {
    let links = FileLink.all(in: text)
    self.init(all: links.count, pictures: links.count { $0.isPicture })
  }

  package var isEmpty: Bool { all == 0 }

  /// The number in words: `with a picture`, `with 2 files`; empty without a file.
  package var words: String {
    if isEmpty { return "" }
    let noun = pictures == all ? "picture" : "file"
    return all == 1 ? "with a \(noun)" : "with \(Numbers.counted(all, noun, noun + "s"))"
  }
}

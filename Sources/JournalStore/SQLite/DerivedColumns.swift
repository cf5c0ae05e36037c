import GRDB
import Journal

/// What the columns that follow from a text hold.
struct DerivedColumns {
  let title: String
  let titleKey: String
  /// The tags as typed, separated by spaces, which no tag contains.
  let tags: String
  let words: Int
  let checksum: Int64
  /// Each tag folded, with its typed form; one empty pair for an entry without tags.
  let tagRows: [(key: String, typed: String)]

  init(text: String) {
    title = Entry.title(of: text)
    titleKey = Folding.fold(title)
    let names = Tag.names(in: text)
    tags = names.joined(separator: " ")
    words = Folding.wordCount(of: text)
    checksum = Entry.checksum(of: text)
    tagRows = names.isEmpty ? [("", "")] : names.map { (Tag.key(of: $0), $0) }
  }

  var arguments: [(any DatabaseValueConvertible)?] { [title, titleKey, tags, words, checksum] }
}

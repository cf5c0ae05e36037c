import Journal

/// Puts the texts an entry has had into versions.
struct EntryHistory {
  private var texts: [(text: String, written: Moment)] = []
  private var nextWritten: Moment

  /// Starts with the first text, written when the entry was.
  ///
  /// - Parameter created: the entry's first date: another date given to it later changes no text.
  init(created: Moment) {
    nextWritten = created
  }

  /// Notes that a text was replaced; texts equal to the one before are the same version.
  mutating func replaced(_ text: String, at moment: Moment) {
    add(text)
    nextWritten = moment
  }

  private mutating func add(_ text: String) {
    if let last = texts.last, last.text.isSame(as: text) { return }
    texts.append((text, nextWritten))
  }

  /// All versions, the present text last.
  func versions(endingWith text: String) -> [EntryVersion] {
    var all = self
    all.add(text)
    return all.texts.enumerated().map { index, version in
      EntryVersion(
        index: index + 1, written: version.written, text: version.text,
        isCurrent: index == all.texts.count - 1)
    }
  }
}

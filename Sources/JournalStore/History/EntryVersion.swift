import Journal

/// One text an entry has had.
package struct EntryVersion: Hashable, Sendable {
  /// Its place in the entry's history, from 1, oldest first.
  package var index: Int
  /// When this text was written.
  package var written: Moment
  /// The text.
  package var text: String
  /// Whether it is the entry's present text.
  package var isCurrent: Bool

  /// Makes a version.
  package init(index: Int, written: Moment, text: String, isCurrent: Bool) {
    self.index = index
    self.written = written
    self.text = text
    self.isCurrent = isCurrent
  }
}

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

extension EntryStore {
  /// Gives an entry the text of one of its versions, as one step, and takes it out of the trash.
  ///
  /// Nothing of the history is lost: the text becomes a new version.
  ///
  /// - Parameters:
  ///   - index: the version, from 1, as in ``EntryVersion/index``.
  ///   - number: the entry's number.
  ///   - base: the checksum of the text the entry is thought to have; when it has another one by now,
  ///     nothing is changed.
  /// - Returns: the entry as it stands now when it was changed; `nil` when it has the text already, or
  ///   there is no such version.
  /// - Throws: ``StoreError``: ``StoreError/Kind/conflict(number:)``,
  ///   ``StoreError/Kind/noSuchEntry(_:)``.
  @discardableResult
  package func putBack(
    version index: Int, of number: Int64, expecting base: Int64? = nil
  ) throws -> Entry? {
    try change(.edit) { writer in
      let old = try writer.existing(number)
      if let base, old.checksum != base {
        throw StoreError(
          .conflict(number: number), at: place,
          "entry \(number) was changed meanwhile; look at its versions again")
      }
      let version = try writer.versions(of: number).first { $0.index == index }
      guard let version else { return nil }
      return try writer.rewrite(old, clock) { entry in
        entry.text = version.text
        entry.deleted = nil
      }
    }
  }
}

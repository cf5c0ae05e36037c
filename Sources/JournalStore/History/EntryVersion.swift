import Journal

/// One text in the history of an entry.
package struct EntryVersion: Hashable, Sendable {
  /// Its position in the entry's history, from 1, oldest first.
  package var index: Int
  /// When this text was written.
  package var written: Moment
  package var text: String
  /// Whether it is the entry's current text.
  package var isCurrent: Bool
  /// The program that wrote it; `unknown` if the log does not say.
  package var source: ChangeSource
  /// The name of the program that wrote it; empty if the log does not say.
  package var program: String
  /// Whether an import wrote it.
  package var isImported = false

  package init(
    index: Int, written: Moment, text: String, isCurrent: Bool, source: ChangeSource = .unknown,
    program: String = ""
  ) {
    self.index = index
    self.written = written
    self.source = source
    self.program = program
    self.text = text
    self.isCurrent = isCurrent
  }
}

extension EntryVersion {
  /// The version that first had the lines which another text lacks; it wrote them.
  ///
  /// A sync writes merged texts, with words of several devices, and also the texts of this one again, and so does an
  /// import.
  ///
  /// - Parameters:
  ///   - versions: all versions of the entry, oldest first.
  ///   - other: the version that it is compared with; `nil` to look for the whole text.
  package func origin(among versions: [EntryVersion], against other: EntryVersion?) -> EntryVersion
  {
    guard source == .sync || isImported else { return self }
    let disputed = other.map { lines.subtracting($0.lines) } ?? []
    guard !disputed.isEmpty else { return versions.first { $0.text.isSame(as: text) } ?? self }
    return versions.first { disputed.isSubset(of: $0.lines) } ?? self
  }

  /// The lines as views of one copy of the text.
  private var lines: Set<ArraySlice<UInt8>> {
    Set(Array(text.utf8).split(separator: UInt8(ascii: "\n")))
  }
}

/// Collects the texts of an entry as versions.
struct EntryHistory {
  /// The writer of a text, and the time.
  struct Writing {
    var moment: Moment
    var source = ChangeSource.unknown
    var program = ""
    var isImport = false
  }

  private var texts: [(text: String, written: Writing)] = []
  private var next: Writing

  /// Starts with the first text, written at the entry's creation.
  ///
  /// - Parameter created: the entry's first date: a later change of the date changes no text.
  init(created: Moment) {
    next = Writing(moment: created)
  }

  /// Records who added the entry.
  mutating func added(by source: ChangeSource, _ program: String, isImport: Bool) {
    (next.source, next.program, next.isImport) = (source, program, isImport)
  }

  /// Records a replaced text, and what replaced it; a text equal to the one before is the same version.
  mutating func replaced(_ text: String, by writing: Writing) {
    add(text)
    next = writing
  }

  private mutating func add(_ text: String) {
    if let last = texts.last, last.text.isSame(as: text) { return }
    texts.append((text, next))
  }

  /// All versions, the current text last.
  func versions(endingWith text: String) -> [EntryVersion] {
    var all = self
    all.add(text)
    return all.texts.enumerated().map { index, version in
      var found = EntryVersion(
        index: index + 1, written: version.written.moment, text: version.text,
        isCurrent: index == all.texts.count - 1, source: version.written.source,
        program: version.written.program)
      found.isImported = version.written.isImport
      return found
    }
  }
}

extension EntryStore {
  /// Restores an entry's text from one of its versions, as one step, and restores it from the
  /// trash.
  ///
  /// The history stays complete: the text becomes a new version. It settles open conflicts, also if
  /// it is the current text; with a text that somebody compared, only the conflict between the two.
  ///
  /// - Parameters:
  ///   - index: the version, from 1, as in ``EntryVersion/index``.
  ///   - number: the entry's number.
  ///   - other: the version whose text was compared with it.
  ///   - base: the checksum of the expected current text; if the entry has another one, nothing
  ///     changes.
  /// - Returns: the changed entry; `nil` if it already has the text or the version does not exist.
  /// - Throws: ``StoreError``: ``StoreError/Kind/conflict(number:)``,
  ///   ``StoreError/Kind/noSuchEntry(_:)``.
  @discardableResult
  package func putBack(
    version index: Int, of number: Int64, comparedWith other: Int? = nil,
    expecting base: Int64? = nil
  ) throws -> Entry? {
    try change(.edit) { writer in
      let old = try writer.existing(number)
      if let base, old.checksum != base {
        throw StoreError(
          .conflict(number: number), at: path,
          "entry \(number) has changed; look at its versions again")
      }
      let versions = try writer.versions(of: number)
      guard let version = versions.first(where: { $0.index == index }) else { return nil }
      let seen = versions.first { $0.index == other }.map { [version.text, $0.text] }
      return try writer.rewrite(old, clock) { entry in
        entry.text = version.text
        entry.deleted = nil
        entry.conflicts = seen.map { EntryConflicts.unsettled(entry.conflicts, having: $0) } ?? ""
      }
    }
  }
}

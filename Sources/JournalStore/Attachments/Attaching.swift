import Journal

/// A file that an entry names, and what the journal has of it.
package struct Attachment: Hashable, Sendable {
  /// The words of the text.
  package var link: FileLink
  /// The file; `nil` if the journal does not have it.
  package var file: StoredFile?

  package init(link: FileLink, file: StoredFile?) { (self.link, self.file) = (link, file) }

  /// The name of the file on one line, with what is known of it: `Harbour  (JPEG, 4032×3024, 2.1 MB)`.
  package var words: String { "\(link.name)  (\(file?.details ?? "not in this journal"))" }

  /// The object of the file in JSON.
  package var json: JSONValue {
    .object(file?.members(named: link.name) ?? link.missingMembers)
  }
}

extension EntryReading {
  /// The files that a text names, in order.
  package func attachments(of text: String) throws -> [Attachment] {
    try FileLink.all(in: text).map { Attachment(link: $0, file: try file($0.target)) }
  }
}

extension EntryStore {
  /// Adds an entry whose text ends with links to files, and the files, as one step.
  ///
  /// - Parameters:
  ///   - new: the entry; its text may be empty.
  ///   - named: files that the text names by their paths, with a ``PathLink`` each, by the paths.
  ///   - step: called after each piece that was written, with its number of bytes; what it throws ends
  ///     everything.
  /// - Throws: ``StoreError``, ``FileContentError``; then nothing was added.
  package func add(
    _ new: NewEntry, attaching files: [FileContent] = [], naming named: [String: FileContent] = [:],
    step: (Int) throws -> Void = { _ in }
  ) throws -> Entry {
    try checkKeeping(files + named.values)
    return try change(.add) { writer in
      if let existing = try writer.entry(uuid: new.uuid) { return existing }
      var entry = new.entry
      entry.text = try writer.text(entry.text, naming: named, step)
      entry.text = FileLink.text(entry.text, appending: try writer.links(to: files, step))
      try check(entry.text)
      entry.number = try writer.insert(entry)
      return entry
    }
  }

  /// Appends links to files to the text of an entry, and adds the files, as one step.
  ///
  /// - Throws: ``StoreError``, ``FileContentError``; then nothing was changed.
  @discardableResult
  package func attach(
    _ files: [FileContent], to number: Int64, step: (Int) throws -> Void = { _ in }
  ) throws -> Entry {
    try checkKeeping(files)
    return try change(.edit) { writer in
      let old = try writer.existing(number)
      guard old.deleted == nil else {
        throw StoreError(
          .conflict(number: number), at: path, "entry \(number) is in the trash",
          remedy: "take it out with \(command: "restore \(number)")")
      }
      let links = try writer.links(to: files, step)
      let new = try writer.rewrite(old, clock) { entry in
        entry.text = FileLink.text(entry.text, appending: links)
        try check(entry.text)
      }
      return new ?? old
    }
  }

  func checkKeeping(_ files: [FileContent]) throws {
    if !files.isEmpty, !keepsFiles { throw StoreError.keepsNoFiles(at: path) }
  }

  /// Calls `body` with the bytes of a file, piece by piece, without a transaction in between.
  ///
  /// - Throws: ``StoreError/Kind/damaged`` at the end if they are not what was attached; the errors of
  ///   `body`.
  package func readFile(_ file: StoredFile, _ body: ([UInt8]) throws -> Void) throws {
    var hash = SHA256()
    let count = (file.size + FileContent.pieceSize - 1) / FileContent.pieceSize
    for index in 0..<count {
      guard let piece = try inspect({ try $0.piece(index, of: file) }) else {
        throw StoreError.damagedFile(file, at: path)
      }
      piece.withUnsafeBytes { hash.update($0) }
      try body(piece)
    }
    guard hash.hex() == file.hash else { throw StoreError.damagedFile(file, at: path) }
  }

  /// The files that an entry names, in order.
  package func attachments(of entry: Entry) throws -> [Attachment] {
    guard FileLink.mayBeIn(entry.text) else { return [] }
    return try inspect { try $0.attachments(of: entry.text) }
  }

  /// The files of the journal, in the order in which they came.
  package func files() throws -> [StoredFile] {
    try inspect { reader in
      var files: [StoredFile] = []
      try reader.forEachFile { files.append($0) }
      return files
    }
  }
}

extension EntryWriting {
  /// Adds files.
  ///
  /// - Returns: the links to them.
  fileprivate func links(
    to files: [FileContent], _ step: (Int) throws -> Void
  ) throws -> [FileLink] {
    try files.map { content in
      let file = try addFile(content, step)
      return content.link(try target(of: file))
    }
  }

  /// The text with links to files in place of those that name them by their paths; the files are added.
  ///
  /// - Parameter files: by the paths; links to other paths stay.
  func text(
    _ text: String, naming files: [String: FileContent], _ step: (Int) throws -> Void
  ) throws -> String {
    var addresses: [String: String] = [:]
    for (path, content) in files.sorted(by: { $0.key < $1.key }) {
      addresses[path] = content.link(try target(of: addFile(content, step))).address
    }
    return PathLink.replacing(addresses, in: text)
  }

  /// The shortest beginning of a file's hash, of at least 16 digits, that names no other file.
  func target(of file: StoredFile) throws -> String {
    var digits = FileLink.fewestDigits
    while digits < FileLink.digits {
      let target = String(file.hash.prefix(digits))
      if try self.file(target)?.hash == file.hash { return target }
      digits += 8
    }
    return file.hash
  }
}

extension StoreError {
  static func damagedFile(_ file: StoredFile, at path: String) -> StoreError {
    StoreError(
      .damaged, at: path, "damaged: the file \(file.name) (\(file.hash.prefix(16)))",
      remedy: "attach the same file again, or restore a copy with \(command: "backup --restore")")
  }
}

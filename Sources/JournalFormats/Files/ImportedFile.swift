import Journal

/// A file that an imported entry names, without its bytes unless its record has them.
package struct ImportedFile: Hashable, Sendable {
  /// Its path in the imported directory or archive; in a journal its hash.
  package var path: String
  /// Its name, where the path does not have it.
  package var name: String?
  /// The beginning of the hash of its bytes, where the text names it so already.
  package var digits: String?
  /// The bytes, where they are in the record of the entry; two files do not differ in them alone.
  package var enclosed: Enclosed?

  /// The bytes of a file in a record.
  package final class Enclosed: Hashable, Sendable {
    package let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func == (left: Enclosed, right: Enclosed) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
  }

  package init(path: String, name: String? = nil, digits: String? = nil) {
    (self.path, self.name, self.digits) = (path, name, digits)
  }

  /// Makes a file in the record of an entry.
  ///
  /// - Parameters:
  ///   - path: what distinguishes it from the other files of the import.
  ///   - name: its name, by which the text of the entry names it.
  init(path: String, name: String, enclosing bytes: [UInt8]) {
    (self.path, self.name, enclosed) = (path, name, Enclosed(bytes))
  }

  /// The file as a key, which does not hold its bytes.
  package var key: ImportedFile {
    var file = self
    if enclosed != nil { file.enclosed = Enclosed([]) }
    return file
  }

  /// Whether its name or its record has the hash that a link names.
  package func isNamed(by link: FileLink) -> Bool {
    if let digits { return digits.hasPrefix(link.target) || link.target.hasPrefix(digits) }
    return path.split(separator: "/").last?.hasPrefix(link.target) ?? false
  }
}

extension ByteStream {
  /// The bytes of a file, whose end is an error if they are not those that its name says.
  ///
  /// - Parameter digits: the beginning of their SHA-256.
  package func checked(beginning digits: String) -> ByteStream {
    var hash = SHA256()
    let checked = ByteStream { [self] in
      let piece = try piece()
      piece.withUnsafeBytes { hash.update($0) }
      guard piece.isEmpty else { return piece }
      var whole = hash
      guard whole.hex().hasPrefix(digits) else {
        throw FormatError("is not the file that its name says: its bytes were changed")
      }
      return []
    }
    checked.keepMark()
    return checked
  }
}

/// What the text of an entry is to say of a file that the journal has.
package struct NamedFile: Hashable, Sendable {
  /// The SHA-256 of its bytes.
  package var hash: String
  /// The number of digits that name it in the journal.
  package var digits: Int
  /// Whether texts show it as a picture.
  package var isPicture: Bool

  package init(hash: String, digits: Int, isPicture: Bool) {
    (self.hash, self.digits, self.isPicture) = (hash, digits, isPicture)
  }
}

/// The files of an import: where the bytes are, and how the texts name them.
package protocol ImportedFiles {
  /// Whether the files come one after another, as in an archive, so that the entries must be read first.
  var isSequential: Bool { get }

  /// Files in the order in which opening them is cheapest.
  func sorted(_ files: Set<ImportedFile>) -> [ImportedFile]

  /// The name of a file for the journal: `harbour.jpg`.
  func name(of file: ImportedFile) -> String

  /// The hash of the bytes, where it is known without reading them.
  func hash(of file: ImportedFile) -> String?

  /// The beginning of the hash of the bytes, where a name says it without reading them.
  func digits(of file: ImportedFile) -> String?

  /// Opens a file; the one that was open may end.
  ///
  /// - Throws: ``FormatError``, or the system's error, if it cannot be read.
  func open(_ file: ImportedFile) throws -> ByteStream

  /// The text of an entry with the targets that the journal understands.
  ///
  /// - Parameters:
  ///   - files: the files that the entry names.
  ///   - place: where the entry comes from.
  ///   - name: what the journal calls a file; `nil` for one that it did not get, whose link stays.
  func text(
    _ text: String, with files: [ImportedFile], at place: ImportPlace,
    naming name: (ImportedFile) -> NamedFile?
  ) -> String
}

extension ImportedFiles {
  package func hash(of file: ImportedFile) -> String? { nil }

  package func digits(of file: ImportedFile) -> String? { hash(of: file) }
}

extension ImportedEntry {
  /// Notes the files that the text names by their paths, for which nothing was looked: the entry comes from
  /// a single file.
  package mutating func noteFilesBeside() {
    for reference in FileReference.all(in: text) where reference.isOfFile {
      miss(reference.paths[0], "file that the text names was not looked for: import the directory")
    }
  }

  /// Notes a file that the text names in vain.
  ///
  /// - Parameter reason: what of it, in the words of a remark.
  package mutating func miss(_ name: String, _ reason: String) {
    let file = MissingFile(reason: reason, name: name)
    if !missing.contains(file) { missing.append(file) }
  }

  /// Takes back the remark that files are links to their paths: they are in the journal.
  package mutating func noteFilesAreAttached() {
    remarks.removeAll { $0 == AttachedFiles.remark }
  }
}

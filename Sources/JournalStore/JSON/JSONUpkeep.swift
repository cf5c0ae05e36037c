import Journal

/// Examines a JSON journal for all faults.
struct JSONExamination {
  private let file: JournalFile
  private let shownPath: String
  private let attendance: WorkAttendance

  init(_ file: JournalFile, _ shownPath: String, _ attendance: WorkAttendance) {
    self.file = file
    self.shownPath = shownPath
    self.attendance = attendance
  }

  /// - Throws: ``StoreError`` when the file cannot be read or belongs to another program; ``GivenUp``.
  func run() throws -> Examination {
    let bytes = try WholeFile.readJSON(file.path, shownPath: shownPath)
    do {
      let document = try JSONDocument(bytes, shownPath: shownPath, attendance)
      let live = document.items.count { $0.entry.deleted == nil }
      return Examination(
        findings: try JSONExamination.findings(document, attendance), entries: live)
    } catch let error as StoreError where [.notAJournal, .damaged].contains(error.kind) {
      return Examination(findings: [Finding(error.fault.inShell, .salvage)], entries: nil)
    }
  }

  /// Another program's changes are adopted as one step, which can be undone.
  ///
  /// - Throws: ``GivenUp``.
  static func findings(
    _ document: JSONDocument, _ attendance: WorkAttendance
  ) throws(GivenUp) -> [Finding] {
    var findings: [Finding] = []
    for (done, item) in document.items.enumerated() {
      try attendance.step("checksums", done + 1, document.items.count)
      guard item.isChecked, !item.isIntact else { continue }
      findings.append(
        Finding("entry \(item.entry.number): it does not match its checksum", .repair))
    }
    return findings
  }
}

/// Extracts the entries from a damaged JSON file.
///
/// Every object with a text and a date is an entry. The reader ignores the surroundings of an
/// object, so that a missing end or a gap in the middle loses only the entries there. Entries come
/// before the change log, so the first of several with one uuid is the current one.
struct JSONSalvage {
  /// The entries, without duplicates, with unique numbers.
  private(set) var entries: [Entry] = []
  /// The numbers of entries that the change log mentions and that were not found.
  private(set) var missing: [Int64] = []
  /// The numbers of entries that differ from their checksum.
  private(set) var altered: [Int64] = []

  /// - Throws: ``GivenUp``.
  init(_ bytes: [UInt8], _ attendance: WorkAttendance) throws(GivenUp) {
    var uuids: Set<String> = []
    var numbers: Set<Int64> = []
    var logged: [Int64: Bool] = [:]
    for object in try JSONSalvage.objects(bytes, attendance) {
      if let number = JSONSalvage.lineNumber(object) {
        logged[number] = true
        continue
      }
      guard let item = object.item() else { continue }
      var entry = item.entry
      // A before image in the change log has no checksum; a current entry has one.
      guard uuids.insert(entry.uuid).inserted else { continue }
      if entry.number == 0 || entry.number > JSONDocument.mostNumber
        || !numbers.insert(entry.number).inserted
      {
        entry.number = (numbers.max() ?? 0) + 1
        numbers.insert(entry.number)
      }
      if item.isChecked, !item.isIntact { altered.append(entry.number) }
      entries.append(entry)
    }
    entries.sort { $0.number < $1.number }
    missing = logged.keys.filter { !numbers.contains($0) }.sorted()
  }

  /// The entry number of a line of the change log.
  private static func lineNumber(_ object: StoredEntry) -> Int64? {
    let names = Set(object.extra.map(\.name))
    guard names.isSuperset(of: ["seq", "set"]), object.text == nil else { return nil }
    return object.number
  }

  /// The innermost objects that can be read, and the lines of the change log around them.
  ///
  /// A JSON string never contains a line feed, so a line feed ends an unterminated string.
  private static func objects(
    _ bytes: [UInt8], _ attendance: WorkAttendance
  ) throws(GivenUp) -> [StoredEntry] {
    var objects: [StoredEntry] = []
    var starts: [Int] = []
    var isInString = false
    var isEscaped = false
    for (index, byte) in bytes.enumerated() {
      if index % 4_096 == 0 { try attendance.step("pieces", index, bytes.count) }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\n") {
        isInString = false
      } else if isInString {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isInString = false }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "{") {
        starts.append(index)
      } else if byte == UInt8(ascii: "}"), let start = starts.popLast(),
        let object = read(bytes[start...index])
      {
        objects.append(object)
      }
    }
    return objects
  }

  /// Skips the whole document, which is not an entry: reading it again for each of its parts would
  /// take long.
  ///
  /// A damaged character costs only itself.
  private static func read(_ bytes: ArraySlice<UInt8>) -> StoredEntry? {
    guard let head = String(validating: bytes.prefix(9), as: UTF8.self), !head.contains("format")
    else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, options: JSONOptions(isLossy: true))
      return try? StoredEntry(&reader)
    }
  }
}

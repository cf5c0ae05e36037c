import Journal

/// Reads a folder journal of jrnl, `YYYY/MM/DD.txt`: the path names the day, whatever stands in the
/// file; other text files in it are passed by, as jrnl does.
struct JrnlFolderSource: EntrySource {
  private var source: TextFileSource
  private var strangers: ArraySlice<String>

  /// Makes a source of a folder; nothing when its files are no days of jrnl.
  init?(_ input: ImportInput, options: ImportOptions) {
    guard case .folder(let folder) = input else { return nil }
    var days: [String: Day] = [:]
    for file in folder.files {
      if let day = JrnlFolderSource.day(file) { days[file] = day }
    }
    guard let first = folder.files.first(where: { days[$0] != nil }),
      let bytes = try? folder.open(first).rest(),
      JrnlTextSource.recognises(bytes, day: days[first])
    else { return nil }
    let notes = folder.files.filter { file in
      [".md", ".markdown", ".txt"].contains(where: file.lowercased().hasSuffix)
    }
    // A folder with notes as well is somebody's collection, and all of it is read.
    guard !notes.contains(where: { !$0.lowercased().hasSuffix(".txt") }) else { return nil }
    strangers = notes.filter { days[$0] == nil }[...]
    source = TextFileSource(
      .folder(Days(folder: folder, files: folder.files.filter { days[$0] != nil })), name: nil,
      endings: [".txt"]
    ) { bytes, path in JrnlTextSource(bytes, options: options, day: days[path]) }
  }

  /// The next entry, or what stands where one should.
  mutating func next() throws -> ImportItem? {
    if let item = try source.next() { return item }
    return strangers.popFirst().map {
      .passedBy("not read, as jrnl reads YYYY/MM/DD.txt alone", ImportPlace(file: $0))
    }
  }

  /// The days of a folder.
  private struct Days: ImportFolder {
    let folder: any ImportFolder
    let files: [String]

    func open(_ file: String) throws -> ByteStream { try folder.open(file) }
  }

  /// The day of `2020/08/31.txt`, at the end of any path.
  static func day(_ path: String) -> Day? {
    let parts = path.split(separator: "/").suffix(3).map { Array($0.utf8) }
    guard parts.count == 3, parts[2].count == 6, parts[2].suffix(4).elementsEqual(".txt".utf8),
      let year = number(parts[0], digits: 4), let month = number(parts[1], digits: 2),
      let day = number(Array(parts[2].prefix(2)), digits: 2)
    else { return nil }
    return Day(year: year, month: month, day: day)
  }

  private static func number(_ bytes: [UInt8], digits: Int) -> Int? {
    guard bytes.count == digits, bytes.allSatisfy(ASCII.isDigit) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }
}

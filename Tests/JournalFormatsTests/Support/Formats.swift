import Foundation
import Journal
import JournalFormats
import Testing

/// A day from its text; a wrong text fails the test that wrote it.
func day(_ text: String) throws -> Day { try #require(Day(text)) }

/// A moment from its text; a wrong text fails the test that wrote it.
func moment(_ text: String) throws -> Moment { try #require(Moment(text)) }

/// A file of the directory `Fixtures`.
func fixture(_ name: String) throws -> [UInt8] {
  let url = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
  return Array(try Data(contentsOf: url.appending(path: name)))
}

/// A clock one hour east of Greenwich.
let paris = WallClock.fixed(seconds: 1_790_000_000, offset: 3600)

/// How tests read, in Paris unless they say where.
func options(_ clock: WallClock = paris, isLossy: Bool = false) -> ImportOptions {
  ImportOptions(isLossy: isLossy, clock: clock)
}

/// All items of a source, with an error as a last problem.
func items(_ source: some EntrySource) -> [ImportItem] {
  var source = source
  var items: [ImportItem] = []
  do {
    while let item = try source.next() { items.append(item) }
  } catch let error as FormatError {
    items.append(.problem("end: \(error.reason)", error.place))
  } catch {
    Issue.record("an error of another type: \(error)")
  }
  return items
}

/// The entries of a source; a problem fails the test.
func entries(_ source: some EntrySource) -> [ImportedEntry] {
  items(source).compactMap { item in
    switch item {
    case .entry(let entry, _): return entry
    case .problem(let error):
      Issue.record("\(error)")
      return nil
    case .doubt, .passedBy, .leftOut: return nil
    }
  }
}

/// The problems of a source: `3: has no date`.
func problems(_ source: some EntrySource) -> [String] {
  items(source).compactMap { item in
    if case .problem(let error) = item { "\(error.place): \(error.reason)" } else { nil }
  }
}

/// The bytes of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The output of an encoder.
func encode(_ encoder: some EntryEncoder, _ entries: [Entry]) throws -> (
  bytes: [UInt8], losses: [String]
) {
  var encoder = encoder
  var buffer: [UInt8] = []
  try encoder.begin(&buffer)
  for entry in entries { try encoder.append(entry, to: &buffer) }
  try encoder.end(&buffer)
  return (buffer, encoder.losses)
}

/// The identity an import gives an entry.
func identity(_ entry: ImportedEntry) -> String {
  (try? entry.entry().uuid) ?? "(refused)"
}

/// A directory of files, by their paths.
struct DirectoryInMemory: ImportDirectory {
  let contents: [String: [UInt8]]

  init(_ texts: [String: String]) { self.init(bytes: texts.mapValues(utf8)) }

  init(bytes: [String: [UInt8]]) { contents = bytes }

  var files: [String] { contents.keys.sorted() }

  func open(_ file: String) throws -> ByteStream { ByteStream(contents[file] ?? []) }
}

/// The items that a format reads from a directory.
func items(_ format: ImportFormat, _ directory: [String: String]) throws -> [ImportItem] {
  items(Boxed(try format.source(.directory(DirectoryInMemory(directory)), options: options())))
}

/// The entries that a format reads from a directory.
func entries(_ format: ImportFormat, _ directory: [String: String]) throws -> [ImportedEntry] {
  entries(Boxed(try format.source(.directory(DirectoryInMemory(directory)), options: options())))
}

/// A source of any kind.
private struct Boxed: EntrySource {
  var source: any EntrySource

  init(_ source: any EntrySource) { self.source = source }

  mutating func next() throws -> ImportItem? { try source.next() }
}

/// The notes of an import that adds all entries of a source.
func notes(_ items: [ImportItem]) -> [String] {
  var notes = ImportNotes()
  for item in items {
    switch item {
    case .entry(let entry, _): notes.add(entry)
    case .passedBy(let kind, let place): notes.addPassed(kind, place)
    case .leftOut(let kind): notes.addLeftOut(kind)
    case .problem, .doubt: break
    }
  }
  return notes.lines
}

/// The text an import leaves in the journal: with the tags that it lacks.
func tagged(_ entry: ImportedEntry) -> String {
  (try? entry.entry().text) ?? "(refused)"
}

import Foundation
import Journal
import JournalFormats
import Testing

/// A directory below `Fixtures`.
struct FixtureDirectory: ImportDirectory {
  private let url: URL
  let files: [String]

  init(_ name: String) throws {
    let fixtures = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    url = fixtures.appending(path: name)
    let found = try #require(FileManager.default.enumerator(atPath: url.path))
    let root = url
    files = found.compactMap { $0 as? String }.filter { path in
      var isDirectory: ObjCBool = false
      let full = root.appending(path: path).path
      return FileManager.default.fileExists(atPath: full, isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }.sorted()
  }

  func open(_ file: String) throws -> ByteStream {
    ByteStream(Array(try Data(contentsOf: url.appending(path: file))))
  }
}

/// A field of an imported entry in one text: `place: Vienna`.
func fieldTexts(_ entry: ImportedEntry) -> [String] {
  entry.fields.map { "\($0.name): \($0.value)" }
}

/// The reports of a source on what it passed by.
func passed(_ source: some EntrySource) -> [String] {
  items(source).compactMap { item in
    if case .passedBy(let reason, let place) = item { "\(place): \(reason)" } else { nil }
  }
}

/// A damaged file: cut off at each of some places, or with a byte changed; every source must end.
func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
  let step = max(bytes.count / 60, 1)
  var variants = stride(from: 0, to: bytes.count, by: step).map { Array(bytes[..<$0]) }
  for place in stride(from: 0, to: bytes.count, by: step) {
    for byte in [UInt8(0), 0xFF, UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "]")] {
      var changed = bytes
      changed[place] = byte
      variants.append(changed)
    }
  }
  return variants
}

import Journal
import Testing

@testable import JournalFormats

/// Exports of programs for notes and diaries are recognised as they come out of the program.
struct NoteDetectionTests {
  @Test(
    "a file of a program is recognised as one of it",
    arguments: [
      ("keep/Takeout/Keep/Shopping.json", "keep"),
      ("standardnotes/Standard Notes Backup and Import File.txt", "standard-notes"),
      ("simplenote/source/notes.json", "simplenote"),
      ("joplin-raw/4891829cefc94f64a6f3978d0e89e07c.md", "joplin"),
      ("journey/1704445200000-3fa1b2c3d4e5f607.json", "journey"),
      ("diarium/Diarium.json", "diarium"),
      ("daylio/daylio_export_2024_01_10.csv", "daylio"),
      ("minidiary/mini-diary.json", "mini-diary"),
      ("csv/own.csv", "csv"),
    ])
  func files(path: String, format: String) throws {
    let found = ImportFormat.detect(try fixture(path), path: path)
    #expect(found == .format(try #require(ImportFormat(rawValue: format))))
  }

  @Test(
    "a directory of a program, and the same in a zip, is recognised as one of it",
    arguments: [
      ("keep", "keep"), ("standardnotes", "standard-notes"), ("simplenote", "simplenote"),
      ("joplin-raw", "joplin"), ("journey", "journey"), ("diarium", "diarium"),
      ("daylio", "daylio"), ("minidiary", "mini-diary"),
    ])
  func directories(name: String, format: String) throws {
    let directory = try FixtureDirectory(name)
    #expect(try ImportFormat.detect(directory)?.rawValue == format)
    let files: [(name: String, text: String)] = try directory.files.map { file in
      (file, String(decoding: try directory.open(file).rest(), as: UTF8.self))
    }
    let zip = try ArchiveDirectory(Archives.zip(files))
    #expect(try ImportFormat.detect(zip)?.rawValue == format)
  }

  @Test("Daybook's own table is recognised without its name, also the one for spreadsheets")
  func tables() throws {
    for isForSpreadsheets in [false, true] {
      let entry = try RandomEntry.plain("=a")
      let bytes = try encode(CSVEncoder(isForSpreadsheets: isForSpreadsheets), [entry]).bytes
      #expect(ImportFormat.detect(bytes)?.isCSV == true)
    }
  }
}

extension ImportDetection {
  fileprivate var isCSV: Bool { self == ImportFormat(rawValue: "csv").map { .format($0) } }
}

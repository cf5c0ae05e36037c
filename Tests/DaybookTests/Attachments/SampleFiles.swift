import Foundation
import Journal
import JournalStore
import TestSupport

@testable import daybook

/// Files for tests, and journals that have them.
enum SampleFiles {
  /// The bytes of a small red picture.
  static let picture = SamplePicture.png(width: 40, height: 30, color: [255, 0, 0, 255])
  static let contract = [UInt8]("%PDF-1.7 of a contract".utf8)

  /// A file that the journal may take.
  static func content(_ bytes: [UInt8], named name: String) throws -> FileContent {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    defer { unlink(path) }
    try Data(bytes).write(to: URL(filePath: path))
    return try FileContent(path, named: name)
  }

  static var harbour: FileContent {
    get throws { try content(picture, named: "Harbour at six.png") }
  }

  static var agreement: FileContent {
    get throws { try content(contract, named: "Contract.pdf") }
  }

  /// A journal in memory with an entry for each text, the last one the newest, with its files.
  static func store(_ entries: [(text: String, files: [FileContent])]) throws -> SQLiteEntryStore {
    let clock = WallClock.fixed(seconds: ScriptedScreen.now, offset: 3_600)
    let store = try SQLiteEntryStore(clock: clock)
    for (index, entry) in entries.enumerated() {
      let moment = clock.moment(at: ScriptedScreen.now - Int64(60 * (entries.count - index)))
      _ = try store.add(
        NewEntry(text: entry.text, created: moment, day: moment.localDay), attaching: entry.files)
    }
    return store
  }
}

import Journal
import SectionedResults
import Testing

@testable import JournalStore

@Test("An entry that was added can be read, edited, undone and found in the list")
func smoke() throws {
  let directory = TemporaryDirectory()
  let store = try SQLiteEntryStore.open(directory.file("j.sqlite"), mode: .create)
  let day = try #require(Day("2026-11-21"))
  let moment = Moment(seconds: 1_795_256_242, offset: 3600)
  var commits = 0
  let token = store.observeCommits { commits += 1 }
  let entry = try store.add([NewEntry(text: "Bought bread #home", created: moment, day: day)])[0]
  #expect(entry.number == 1)
  #expect(commits == 1)
  let request = EntryRequest.entries()
  let groups = try store.read { try $0.outline(of: request) }
  #expect(groups.map(\.section) == ["2026-11-21"])
  let keys = try store.read {
    try $0.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
  }
  #expect(keys == [request.key(of: entry.row())])
  try store.edit(1, text: "Bought milk", expecting: entry.checksum)
  let commit = try store.read {
    try $0.commits(after: StoreStamp(sequence: 1), for: request)
  }
  #expect(commit.count == 1)
  #expect(commit[0].changes[0].before == entry.row())
  #expect(try store.undo().kind == .edit)
  #expect(try store.entry(1).text == "Bought bread #home")
  #expect(try store.redo().kind == .edit)
  #expect(try store.entry(1).text == "Bought milk")
  #expect(try store.check() == [])
  let texts = ["Bought bread #home", "Bought milk"]
  #expect(try store.versions(1).map(\.text) == texts + texts)
  token.cancel()
}

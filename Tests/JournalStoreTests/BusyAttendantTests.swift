import Journal
import Testing

@testable import JournalStore

/// An attendant observes the wait for a journal that another program holds, and may cancel it.
struct BusyAttendantTests {
  private let directory = TemporaryDirectory()

  @Test(
    "a wait asks the attendant of the store and ends as busy when it says so",
    arguments: ["sqlite", "json"])
  func givenUp(kind: String) throws {
    let path = directory.file("journal.\(kind)")
    func open() throws -> any EntryStore {
      try JournalLocation.resolve(option: path, environment: [:]).open(mode: .create)
    }
    let holder = try open()
    var asked: [Int64] = []
    let attendant = BusyAttendant { milliseconds in
      asked.append(milliseconds)
      return asked.count == 3
    }
    try BusyAttendant.$current.withValue(attendant) {
      let store = try open()
      let moment = Moment(seconds: 1_794_000_000, offset: 0)
      let entry = NewEntry(text: "text", created: moment, day: moment.localDay)
      try holder.change(.add) { writer in
        let error = #expect(throws: StoreError.self) { try store.add([entry]) }
        #expect(error?.kind == .busy)
        #expect(asked.count == 3 && asked == asked.sorted())
        _ = try writer.count()
      }
      try store.add([entry])
      #expect(asked.count == 3)
    }
  }
}

import Journal
import Testing

@testable import JournalFormats

struct ICalendarTests {
  @Test("an entry is a journal of its day, and a task with a date is due then")
  func calendar() throws {
    let created = try moment("2024-01-05T09:15:00+01:00")
    let text =
      "Title, a; b\\ #sea\n- [ ] pay 2024-02-01\n- [x] no date\n"
      + String(repeating: "é", count: 60)
    let entry = Entry(
      uuid: "01890a5d-ac96-774b-bcce-b302099a8057", created: created, modified: created,
      day: try day("2024-01-04"), text: text, starred: true)
    let (bytes, losses) = try encode(ICalendarEncoder(), [entry])
    let written = String(decoding: bytes, as: UTF8.self)
    for line in written.split(separator: "\r\n") { #expect(line.utf8.count <= 75) }
    #expect(
      written.replacing("\r\n ", with: "").split(separator: "\r\n").map { String($0) } == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Daybook//Journal//EN", "BEGIN:VJOURNAL",
        "UID:01890a5d-ac96-774b-bcce-b302099a8057", "DTSTAMP:20240105T081500Z",
        "CREATED:20240105T081500Z", "LAST-MODIFIED:20240105T081500Z",
        "DTSTART;VALUE=DATE:20240104", "SUMMARY:Title\\, a\\; b\\\\ #sea",
        "DESCRIPTION:Title\\, a\\; b\\\\ #sea\\n- [ ] pay 2024-02-01\\n- [x] no date\\n"
          + String(repeating: "é", count: 60), "CATEGORIES:sea", "END:VJOURNAL", "BEGIN:VTODO",
        "UID:01890a5d-ac96-774b-bcce-b302099a8057-1", "DTSTAMP:20240105T081500Z",
        "CREATED:20240105T081500Z", "LAST-MODIFIED:20240105T081500Z",
        "DUE;VALUE=DATE:20240201", "SUMMARY:pay 2024-02-01", "STATUS:NEEDS-ACTION",
        "RELATED-TO:01890a5d-ac96-774b-bcce-b302099a8057", "END:VTODO", "END:VCALENDAR",
      ])
    #expect(losses.contains("the star of 1 entry"))
  }
}

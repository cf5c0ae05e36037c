import JournalFormats
import Testing

struct ImportPlaceTests {
  @Test(
    "a place names what is known of it",
    arguments: [
      (ImportPlace(), ""), (ImportPlace(line: 12), "12"),
      (ImportPlace(file: "a.md", line: 3), "a.md:3"), (ImportPlace(record: "entry 7"), "entry 7"),
    ])
  func description(place: ImportPlace, text: String) {
    #expect(place.description == text)
  }

  @Test("an error without a place is its reason alone")
  func errorWithoutPlace() {
    #expect(FormatError("is no zip").description == "is no zip")
    #expect(FormatError("ends early", at: ImportPlace(line: 2)).description == "2: ends early")
  }
}

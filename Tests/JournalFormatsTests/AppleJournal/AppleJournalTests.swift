import Journal
import Testing

@testable import JournalFormats

struct AppleJournalTests {
  private static let path = "Entries/2024-01-05_A_walk.html"

  @Test("a page is read whole: the day of its header, its title, its text")
  func fixtureFile() throws {
    let bytes = try fixture("applejournal-2024-01-05_A_walk.html")
    #expect(AppleJournalSource.recognises(bytes, path: nil))
    #expect(AppleJournalSource.recognises(files: [Self.path]))
    #expect(!AppleJournalSource.recognises(files: ["index.html"]))
    let read = entries(AppleJournalSource(bytes, path: Self.path, options: options()))
    #expect(read.map(\.text) == ["A walk\n\nWalked."])
    #expect(read.map(\.day) == [try day("2024-01-05")])
    #expect(read.map(\.created) == [try moment("2024-01-05T00:00:00+01:00")])
  }

  @Test("styles of classes, files and headers in other languages are read")
  func page() throws {
    let html = """
      <html><head><style>p.p2 {margin: 0}
      span.s2 {font-size: 17px} span.s3 {font-weight: bold}</style></head><body>
      <div class="assetGrid"><div id="A" class="gridItem assetType_photo">
      <img src="../Resources/A.heic" class="asset_image"></div>
      <div class="gridItem"><video><source src="../Resources/B.mov"></video></div></div>
      <div class="pageHeader">viernes, 5 de enero de 2024</div>
      <div class='title'><span class="s2">Un día</span></div>
      <div class="bodyText"><p class="p2"><span class="s2">a<br>b </span><span class="s3">c</span></p></div>
      </body></html>
      """
    let read = entries(AppleJournalSource(utf8(html), path: Self.path, options: options()))
    #expect(
      read.map(\.text) == [
        "Un día\n\n![](Resources/A.heic)\n[B.mov](Resources/B.mov)\n\na\nb **c**"
      ]
    )
    #expect(read.map(\.day) == [try day("2024-01-05")])
    let finnish = html.replacing("viernes, 5 de enero de 2024", with: "perjantaina 5. tammikuuta")
    let undated = AppleJournalSource(utf8(finnish), path: "Entries/x.html", options: options())
    #expect(problems(undated) == [": there is no date perjantaina 5. tammikuuta"])
    #expect(
      problems(AppleJournalSource([], path: "Entries/x.html", options: options()))
        == [": has no date"])
    let index = AppleJournalSource(utf8("<html></html>"), path: "index.html", options: options())
    #expect(items(index) == [.passedBy("without an entry of Apple Journal", ImportPlace())])
  }
}

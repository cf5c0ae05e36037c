import Journal
import TestSupport
import Testing
import TextLayout

@testable import Screen

/// What is at the top of the pane stays there when the text is laid out again.
struct ReadingAnchorTests {
  private static let text: String = {
    let words = String(repeating: "word after word goes on ", count: 9)
    return (1...60).map { "p\($0) \(words)" }.joined(separator: "\n\n")
  }()

  private func reading(_ text: String = text) -> TestStore {
    var store = TestStore([3, 2], columns: 80, lines: 24)
    _ = update(&store.state, .reader(.opened(TestStore.entry(7, text))))
    return store
  }

  private func resize(_ store: inout TestStore, _ columns: Int, _ lines: Int) {
    _ = update(&store.state, .terminal(.resized(Size(columns: columns, lines: lines))))
  }

  /// The paragraph below the bar.
  private func top(_ store: TestStore) throws -> Int {
    let reading = try #require(store.state.pane.reading)
    var line = reading.offset + 1
    while line < reading.lines, reading.textLine(line)?.cells.isEmpty ?? true { line += 1 }
    return try #require(reading.textLine(line)?.sourceLine)
  }

  /// The last offset.
  private func end(_ store: TestStore) throws -> Int {
    store.state.clamped(.max, of: try #require(store.state.pane.reading).lines)
  }

  @Test("the paragraph at the top stays there at any width, and the same row comes back")
  func sizes() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<20 {
      var store = reading()
      let room = try #require(store.state.pane.reading).lines - 22
      let offset = 1 + random.below(room - 20)
      store.state.pane.reading?.offset = offset
      let paragraph = try top(store)
      for _ in 0..<6 {
        resize(&store, 30 + random.below(120), 8 + random.below(20))
        let isAtEnd = try store.state.pane.reading?.offset == end(store)
        #expect(try top(store) == paragraph || isAtEnd, "from \(offset)")
      }
      resize(&store, 80, 24)
      #expect(store.state.pane.reading?.offset == offset)
    }
  }

  @Test("the end of a long text on 80 columns is not its middle on 40, and the beginning stays")
  func ends() throws {
    var store = reading()
    resize(&store, 40, 10)
    #expect(store.state.pane.reading?.offset == 0)
    resize(&store, 80, 24)
    let last = try end(store)
    store.state.pane.reading?.offset = last
    let paragraph = try top(store)
    resize(&store, 40, 10)
    #expect(try top(store) == paragraph)
    #expect(paragraph > 100)
    // Who scrolls begins a new place.
    store.state.pane.reading?.offset += 5
    let moved = try top(store)
    resize(&store, 80, 24)
    resize(&store, 40, 10)
    #expect(try abs(top(store) - moved) <= 2)
  }

  @Test("pictures that take other rows do not move the text below them, nor what is below the text")
  func pictures() throws {
    let link = "![sea](file:0123456789abcdef.png)"
    let text = (1...30).map { "paragraph \($0) of the text\n\n\(link)" }.joined(separator: "\n\n")
    let entry = TestStore.entry(7, text)
    var links = EntryLinks(number: 7)
    links.pictures = ["0123456789abcdef": ShownPicture(hash: "h", width: 40, height: 40)]
    for rows in [3, 7, 12] {
      var reading = Reading(entry: entry, columns: 60, room: PictureRoom(rows: 9))
      reading.show(links, dates: DateStyle())
      for line in stride(from: 3, to: reading.lines - 3, by: 2) {
        reading.offset = line
        let before = try #require(reading.textLine(line + 1))
        let anchor = try #require(reading.anchor)
        var other = reading
        other.layOut(columns: 44, room: PictureRoom(rows: rows))
        let offset = other.offset(of: anchor)
        #expect(other.textLine(offset + 1)?.sourceLine == before.sourceLine, "row \(line)")
        other.layOut(columns: 60, room: PictureRoom(rows: 9))
        if before.picture == nil { #expect(other.offset(of: anchor) == line, "row \(line)") }
      }
    }
  }
}

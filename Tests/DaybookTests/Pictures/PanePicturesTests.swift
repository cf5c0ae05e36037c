import Foundation
import Journal
import JournalStore
import TestSupport
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Pictures in the reading pane: their rows are there from the first frame, and nothing is left of them.
@Suite("Pictures in the pane", .readline)
struct PanePicturesTests {
  private static let red: [UInt8] = [255, 0, 0, 255]

  /// A screen over an entry with a text before, between and after two pictures, whose sizes are known.
  private func screen(
    columns: Int, lines: Int, drawsPictures: Bool = true, isLinear: Bool = false,
    recordingIn file: MemoryFile? = nil
  ) throws -> ScriptedScreen {
    let clock = WallClock.fixed(seconds: ScriptedScreen.now, offset: 3_600)
    let store = try SQLiteEntryStore(clock: clock)
    let contents = try [(400, 300), (30, 60)].map { size in
      let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
      defer { unlink(path) }
      try Data(SamplePicture.png(width: size.0, height: size.1, color: Self.red)).write(
        to: URL(filePath: path))
      return try FileContent(path, named: "at \(size.0).png")
    }
    let moment = clock.moment()
    let entry = try store.add(
      NewEntry(text: "At the harbour", created: moment, day: moment.localDay), attaching: contents)
    _ = try store.edit(entry.number, text: entry.text + "\n\nThe end of it", expecting: nil)
    return try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines, store: store, isLinear: isLinear,
      drawsPictures: drawsPictures, recordingIn: file)
  }

  /// Gives the screen the pixels that it lacks.
  private func decode(_ screen: ScriptedScreen, _ color: [UInt8] = red) throws {
    for key in screen.runner.painter?.missingPictures ?? [] {
      let bytes = (0..<key.box.width * key.box.height).flatMap { _ in color }
      let pixels = PicturePixels(width: key.box.width, height: key.box.height, bytes: bytes)
      screen.runner.painter?.take(try #require(pixels), for: key)
    }
    try screen.runner.show()
  }

  /// The lines of the screen without half blocks.
  private func words(_ screen: ScriptedScreen) -> [String] {
    screen.text.replacing("▀", with: " ").split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private func hasPaint(_ screen: ScriptedScreen) -> Bool {
    (0..<(screen.picture?.canvas.height ?? 0)).contains { row in
      screen.picture?.canvas[row: row].contains { $0.paint != nil } == true
    }
  }

  @Test("names and rows are there at once, and nothing moves when the pictures come")
  func reserved() throws {
    for (columns, lines) in [(80, 24), (40, 10), (130, 40)] {
      let screen = try screen(columns: columns, lines: lines)
      try screen.press("<Enter>", .oneByOne)
      let before = words(screen)
      #expect(!hasPaint(screen))
      #expect(screen.text.contains("at 400  (PNG, 400×300, "))
      try decode(screen)
      #expect(hasPaint(screen), "\(columns)×\(lines)")
      #expect(words(screen) == before, "\(columns)×\(lines)")
      // At most two thirds of the pane's height, in the shape of the picture.
      let box = try #require(
        screen.runner.state.pane.reading?.body.compactMap(\.picture).first?.box)
      #expect(box.rows == screen.runner.state.paneHeight * 2 / 3)
      #expect(abs(box.columns * 3 - box.height * 4) <= 4)
      try screen.press("G", .oneByOne)
      #expect(screen.text.contains("The end of it"))
      try decode(screen)
      #expect(screen.runner.painter?.missingPictures == [])
      // The second time it is there at once.
      try screen.press("gg", .oneByOne)
      #expect(screen.runner.painter?.missingPictures == [] && hasPaint(screen))
      try screen.press("q", .oneByOne)
      #expect(hasPaint(screen) == screen.runner.state.layout.isSplit)
    }
  }

  @Test("after scrolling, resizing, a prompt and a page the screen is as if drawn from nothing")
  func remains() throws {
    let screen = try screen(columns: 80, lines: 24)
    try screen.press("<Enter>", .oneByOne)
    for keys in ["jj", "<C-d>", "<C-u>k", "?", "<Esc>", "a", "<Esc>", "gi", "<Esc>", "G", "gg"] {
      try screen.press(keys, .oneByOne)
      try decode(screen)
      try expectFresh(screen, keys)
    }
    for (columns, lines) in [(40, 10), (100, 30), (20, 5), (80, 24)] {
      screen.resize(columns: columns, lines: lines)
      try screen.press("", .oneByOne)
      try decode(screen)
      try expectFresh(screen, "\(columns)×\(lines)")
    }
  }

  @Test(
    "where the terminal draws pixels, pictures have its cells, and the setting goes back to halves")
  func pixels() throws {
    let file = MemoryFile()
    let screen = try screen(columns: 80, lines: 24, recordingIn: file)
    try screen.press("<Enter>", .oneByOne)
    try decode(screen)
    let cell = try #require(CellSize(width: 10, height: 20))
    screen.runner.send(.terminal(.pictureCellFound(cell)))
    try screen.runner.show()
    #expect(screen.runner.painter?.missingPictures.allSatisfy { $0.box.cell == cell } == true)
    try decode(screen)
    #expect(screen.picture?.canvas.pictures.isEmpty == false && hasPaint(screen))
    for keys in ["jj", "<C-d>", "?", "<Esc>", "a", "<Esc>", "G", "gg"] {
      try screen.press(keys, .oneByOne)
      try decode(screen)
      try expectFresh(screen, keys)
    }
    screen.resize(columns: 40, lines: 10)
    try screen.press("", .oneByOne)
    try decode(screen)
    try expectFresh(screen, "40×10")
    try screen.press(":set pictures blocks<Enter>", .oneByOne)
    try decode(screen)
    #expect(screen.picture?.canvas.pictures == [] && hasPaint(screen))
    let player = RecordPlayer(try Record(screen.record, name: "record"))
    while try player.step() {}
    #expect(player.different == [] && player.frames > 8)
  }

  /// Compares the screen with that of another renderer, which has the same pictures.
  private func expectFresh(_ screen: ScriptedScreen, _ comment: String) throws {
    let listing = try #require(screen.runner.journal?.listing)
    let other = ScreenRenderer(row: listing.row(at:))
    _ = other.frame(of: screen.runner.state)
    for key in other.pictures.missing {
      let bytes = (0..<key.box.width * key.box.height).flatMap { _ in Self.red }
      let pixels = PicturePixels(width: key.box.width, height: key.box.height, bytes: bytes)
      other.pictures.take(try #require(pixels), for: key)
    }
    let expected = other.frame(of: screen.runner.state)
    #expect(screen.picture?.canvas == expected.canvas, "\(comment)")
  }

  @Test("a picture that cannot be drawn has its name and no rows")
  func failed() throws {
    let screen = try screen(columns: 80, lines: 24)
    try screen.press("<Enter>", .oneByOne)
    let lines = try #require(screen.runner.state.pane.reading?.lines)
    let key = try #require(screen.runner.painter?.missingPictures.first)
    screen.runner.send(.reader(.pictureFailed(key.hash)))
    try screen.press("", .oneByOne)
    #expect(screen.runner.state.pane.reading?.lines == lines - key.box.rows)
    #expect(screen.runner.painter?.missingPictures.contains(key) == false)
    #expect(screen.text.contains("at 400  (PNG, 400×300, "))
  }

  @Test("without colours, as lines, and with the setting the names stay alone")
  func names() throws {
    do {
      let plain = try screen(columns: 80, lines: 24, drawsPictures: false)
      try plain.press("<Enter>", .oneByOne)
      #expect(plain.text.contains("at 400  (PNG, 400×300, "))
      expectNames(plain)
    }
    do {
      let spoken = try screen(columns: 80, lines: 24, isLinear: true)
      try spoken.press("<Enter>", .oneByOne)
      let lines = spoken.runner.state.pane.reading?.body.map(\.text) ?? []
      #expect(lines.contains { $0.contains("(PNG, 400×300, ") })
      expectNames(spoken)
    }
    let named = try screen(columns: 80, lines: 24)
    try named.press("<Enter>", .oneByOne)
    #expect(named.runner.painter?.missingPictures.isEmpty == false)
    try named.press(":set pictures names<Enter>", .oneByOne)
    #expect(named.text.contains("at 30  (PNG"))
    expectNames(named)
    try named.press(":set pictures auto<Enter>", .oneByOne)
    #expect(named.runner.painter?.missingPictures.isEmpty == false)
  }

  /// Expects that no picture is drawn, and that there is no room for one.
  private func expectNames(_ screen: ScriptedScreen) {
    #expect(screen.runner.painter?.missingPictures == [])
    #expect(screen.runner.state.pane.reading?.body.contains { $0.picture != nil } == false)
  }

  @Test("in code and in a table a picture is not drawn; in a quote and an item it is")
  func places() {
    let link = "![p](file:0123456789abcdef.png)"
    let pictures = ["0123456789abcdef": ShownPicture(hash: "h", width: 40, height: 40)]
    let moment = Moment(seconds: ScriptedScreen.now, offset: 0)
    let cases: [(String, Int)] = [
      (link, 1), ("> \(link)", 1), ("- \(link)", 1), ("# \(link)", 1), ("\(link) and \(link)", 2),
      ("```\n\(link)\n```", 0), ("`\(link)`", 0), ("| a |\n| - |\n| \(link) |", 0),
      ("[p](file:0123456789abcdef.png)", 0), ("![p](file:fedcba9876543210.png)", 0),
    ]
    for (text, count) in cases {
      let entry = Entry(
        uuid: "u", number: 1, created: moment, modified: moment, day: moment.localDay, text: text)
      var links = EntryLinks(number: 1)
      links.pictures = pictures
      var reading = Reading(entry: entry, columns: 60, room: PictureRoom(rows: 8))
      reading.show(links, dates: DateStyle())
      let rows = reading.body.compactMap(\.picture)
      #expect(rows.count == count * 8, "\(text)")
      #expect(rows.map(\.row) == (0..<count).flatMap { _ in 0..<8 }, "\(text)")
    }
  }

  @Test("a record has the pictures, and repeats each frame")
  func recorded() throws {
    let screen = try screen(columns: 80, lines: 24, recordingIn: MemoryFile())
    try screen.press("<Enter>", .oneByOne)
    try decode(screen)
    #expect(hasPaint(screen))
    try screen.press("G", .oneByOne)
    try decode(screen, [0, 0, 255, 255])
    let player = RecordPlayer(try Record(screen.record, name: "record"))
    var shown = screen.allPictures[...]
    while try player.step() { #expect(player.frame == shown.popFirst()) }
    #expect(shown.isEmpty && player.different == [] && player.frames > 3)
  }

  @Test("few pictures are kept, those that were drawn last")
  func bounded() throws {
    let pictures = Pictures()
    let side = 512
    let pixels = try #require(
      PicturePixels(
        width: side, height: side, bytes: Array(repeating: 1, count: side * side * 4)))
    let room = Pictures.mostBytes / pixels.bytes.count
    let picture = ShownPicture(hash: "", width: side, height: side)
    let keys = (0..<room * 2).map {
      Pictures.Key(hash: "\($0)", box: PictureBox(picture, columns: side, rows: side))
    }
    for key in keys {
      pictures.take(pixels, for: key)
      #expect(pictures.pixels(keys[0]) != nil)
    }
    #expect(keys.count { pictures.pixels($0) != nil } == room)
    #expect(pictures.missing.count == room * 2 - room)
  }
}

import Foundation
import Journal
import JournalStore
import TestSupport
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// `gp` and `:gallery`: the pictures of the list by month.
@Suite("The gallery", .readline)
struct GalleryTests {
  private typealias Arrival = ScriptedScreen.Arrival

  private static func picture(_ name: String, _ color: [UInt8]) throws -> FileContent {
    try SampleFiles.content(
      SamplePicture.png(width: 400, height: 300, color: color), named: "\(name).png")
  }

  /// Entries on these days, each with so many pictures of its own.
  private static func store(_ entries: [(day: String, pictures: Int)]) throws -> SQLiteEntryStore {
    let store = try SQLiteEntryStore(
      clock: WallClock.fixed(seconds: ScriptedScreen.now, offset: 3_600))
    for (index, entry) in entries.enumerated() {
      let day = try #require(Day(entry.day))
      let created = Moment(
        seconds: Int64(day.daysSinceEpoch) * 86_400 + 43_200, offset: 3_600)
      let files = try (0..<entry.pictures).map {
        try picture("p\(index)-\($0)", [UInt8(index * 20), UInt8($0 * 20), 9, 255])
      }
      _ = try store.add(
        NewEntry(text: "Entry \(index)", created: created, day: day),
        attaching: files + [SampleFiles.agreement])
    }
    return store
  }

  private static let sample: [(day: String, pictures: Int)] = [
    ("2024-05-03", 9), ("2026-10-30", 2), ("2026-11-02", 1), ("2026-11-20", 3), ("2026-11-21", 0),
  ]

  private func screen(
    columns: Int = 80, lines: Int = 24, store: SQLiteEntryStore? = nil, draws: Bool = true,
    isLinear: Bool = false
  ) throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines,
      store: try store ?? Self.store(Self.sample), isLinear: isLinear, drawsPictures: draws)
  }

  private func gallery(_ screen: ScriptedScreen) -> Gallery? {
    if case .gallery(let page) = screen.runner.state.pages.mode { page } else { nil }
  }

  private func selected(_ screen: ScriptedScreen) -> String? {
    gallery(screen)?.picture.map { "\($0.entry.number).\($0.place)" }
  }

  /// The cells of pictures on the screen.
  private func painted(_ screen: ScriptedScreen) -> Int {
    (0..<(screen.picture?.canvas.height ?? 0)).reduce(0) { count, row in
      count + (screen.picture?.canvas[row: row].filter { $0.paint != nil }.count ?? 0)
    }
  }

  private func decode(_ screen: ScriptedScreen) throws {
    for key in screen.runner.painter?.missingPictures ?? [] {
      let bytes = [UInt8](repeating: 255, count: key.box.width * key.box.height * 4)
      let pixels = PicturePixels(width: key.box.width, height: key.box.height, bytes: bytes)
      screen.runner.painter?.take(try #require(pixels), for: key)
    }
    try screen.runner.show()
  }

  @Test("the pictures of the list by month, the latest first", arguments: Arrival.allCases)
  func opened(arrival: ScriptedScreen.Arrival) throws {
    for keys in ["gp", ":gallery<Enter>", "<Enter>gp"] {
      let screen = try screen()
      try screen.press(keys, arrival)
      let found = try #require(gallery(screen)?.pictures)
      #expect(
        found.map { "\($0.entry.number).\($0.place)" }
          == ["4.1", "4.2", "4.3", "3.1", "2.1", "2.2"] + (1...9).map { "1.\($0)" })
      #expect(screen.text.contains("November 2026"), "\(screen.text)")
      #expect(screen.text.contains("4 pictures"))
      #expect(screen.text.contains("20 Entry 3"))
      #expect(screen.text.contains("1/15"), "\(screen.text)")
      try screen.press("q", arrival)
      #expect(gallery(screen) == nil)
    }
  }

  private func words(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.map { "▀▄".contains($0) ? " " : $0 }).trimmed
    }
  }

  @Test("the pictures that are visible are drawn in their rooms, and leave nothing behind")
  func drawn() throws {
    for (columns, lines) in [(80, 24), (40, 10), (200, 60)] {
      let screen = try screen(columns: columns, lines: lines)
      try screen.press("gp", .oneByOne)
      let before = screen.text
      let missing = try #require(screen.runner.painter?.missingPictures)
      #expect(!missing.isEmpty && painted(screen) == 0)
      try decode(screen)
      let cells = missing.reduce(0) { $0 + $1.box.columns * $1.box.rows }
      #expect(painted(screen) > cells * 2 / 3 && painted(screen) <= cells, "\(columns)×\(lines)")
      // Only cells that were empty.
      #expect(words(screen.text) == words(before), "\(columns)×\(lines)")
      try screen.press("G", .oneByOne)
      try decode(screen)
      #expect(selected(screen) == "1.9")
      try screen.press("q", .oneByOne)
      #expect(painted(screen) == 0 || screen.runner.state.layout.isSplit)
    }
  }

  @Test("keys go by pictures, lines, months and screens, and stop at the ends")
  func moved() throws {
    let screen = try screen()
    try screen.press("gp")
    let steps = [
      ("l", "4.2"), ("h", "4.1"), ("h", "4.1"), ("3l", "3.1"), ("j", "2.2"), ("k", "4.2"),
      ("}", "2.1"), ("}", "1.1"), ("}", "1.1"), ("{", "2.1"), ("l{", "2.1"), ("{", "4.1"),
      ("G", "1.9"), ("gg", "4.1"), ("5gg", "2.1"), ("<C-f>", "1.5"), ("<C-b>", "2.1"),
      ("G", "1.9"), ("gt", "4.1"), ("jjjj", "1.9"),
    ]
    for (keys, place) in steps {
      try screen.press(keys)
      #expect(selected(screen) == place, "\(keys): \(selected(screen) ?? "none")")
      // The title of the selected picture is always visible.
      let number = gallery(screen)?.picture?.entry.number ?? 0
      #expect(screen.text.contains("Entry \(number - 1)"), "\(keys): \(screen.text)")
    }
  }

  @Test("Enter reads the entry and selects it; s and y save the file and copy its hash")
  func chosen() throws {
    let screen = try screen()
    try screen.press("gp}<Enter>")
    #expect(screen.runner.state.pages.mode == .reading)
    #expect(screen.runner.state.pane.reading?.entry.number == 2)
    try screen.press("qgpl")
    #expect(selected(screen) == "2.2")
    try screen.press("s")
    #expect(screen.runner.state.prompt.open?.text == "save-file 2 p1-1.png")
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).png"
    try screen.press("<C-u>save-file \(path)<Enter>")
    let saved = try #require(FileManager.default.contents(atPath: path))
    unlink(path)
    #expect([UInt8](saved) == SamplePicture.png(width: 400, height: 300, color: [20, 20, 9, 255]))
    #expect(selected(screen) == "2.2")
  }

  @Test("a click selects a picture, and one on the selected picture reads its entry")
  func clicked() throws {
    let screen = try screen()
    try screen.press("gp")
    let layout = try #require(gallery(screen)).layout(in: screen.runner.state)
    let click = MouseAction(.click, column: layout.column(1) + 2, line: 4)
    screen.runner.send(.mouse(click))
    #expect(selected(screen) == "4.2")
    screen.runner.send(.mouse(click))
    #expect(screen.runner.state.pane.reading?.entry.number == 4)
  }

  @Test("it is the list's: a filter, the trash, the selected day, and what changes meanwhile")
  func followed() throws {
    let screen = try screen()
    try screen.press("fsince:2026-11 until:2026-11-03<Enter>gp")
    #expect(gallery(screen)?.pictures?.map(\.entry.number) == [3])
    try screen.press("q<Esc>Ggp")
    #expect(selected(screen) == "1.1")
    _ = try screen.store.edit(3, text: "No picture any more", expecting: nil)
    screen.runner.refresh()
    try screen.press("")
    #expect(gallery(screen)?.pictures?.count == 14)
    #expect(selected(screen) == "1.1")
    try screen.press("qgtjd")
    try screen.press("gp")
    #expect(gallery(screen)?.pictures?.map(\.entry.number).contains(4) == false)
    try screen.press("qTgp")
    #expect(gallery(screen)?.pictures?.map(\.entry.number) == [4, 4, 4])
  }

  @Test("without pictures it says how to get one")
  func without() throws {
    let empty = try screen(store: try SampleFiles.store([("Nothing", [SampleFiles.agreement])]))
    try empty.press("gp")
    #expect(empty.text.contains("No entry has a picture; :attach FILE adds one"), "\(empty.text)")
    try empty.press("<Enter>jlsy")
    #expect(gallery(empty) != nil)
  }

  @Test("where no picture is drawn its kind and size are below its title")
  func names() throws {
    let names = try screen(draws: false)
    try names.press("gp")
    #expect(names.text.contains("PNG, 400×300"), "\(names.text)")
    #expect(names.runner.painter?.missingPictures == [])
  }

  @Test("random moves keep the selection visible, at every size")
  func random() throws {
    let seed = SeededGenerator.runSeed
    var generator = SeededGenerator(seed: seed)
    let store = try Self.store(Self.sample)
    for _ in 0..<12 {
      let (columns, lines) = (
        Int.random(in: 4...220, using: &generator), Int.random(in: 3...70, using: &generator)
      )
      let screen = try screen(
        columns: columns, lines: lines, store: store, draws: Bool.random(using: &generator))
      try screen.press("gp")
      for _ in 0..<20 {
        let keys = ["h", "j", "k", "l", "{", "}", "<C-f>", "<C-b>", "<C-d>", "<C-u>", "G", "gg"]
        try screen.press(keys.randomElement(using: &generator) ?? "j")
        guard let page = gallery(screen) else { return #expect(Bool(false)) }
        let layout = page.layout(in: screen.runner.state)
        let shown = layout.visible(from: page.top).compactMap { row, _ -> Range<Int>? in
          if case .pictures(let range) = row { range } else { nil }
        }
        #expect(
          shown.contains { $0.contains(page.selected) },
          "\(columns)×\(lines), seed \(seed)")
      }
    }
  }
}

import Journal
import Screen
import Testing

@testable import daybook

/// Tab completes the names of fields and the values that they had before.
@Suite(.readline)
struct FieldCompletionTests {
  private func text(
    _ keys: String, _ arrival: ScriptedScreen.Arrival = .atOnce
  ) throws -> String? {
    let texts = [
      "mood:: happy", "mood:: Happy", "mood:: hapless\nplace:: Vienna, Austria", "mood:: 4",
      "mood:: happy", "place:: Vevey", "weather:: quite sunny", "mood:: Élan",
    ]
    let screen = try ScriptedScreen(
      keysAreTyped: true,
      entries: texts.enumerated().map { (ScriptedScreen.now - Int64(20 - $0) * 60, $1) })
    try screen.press(keys, arrival)
    return screen.runner.state.prompt.open?.text
  }

  @Test("names in a text: at the start of a line, behind marks and in brackets")
  func names() throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      #expect(try text("amo<Tab>", arrival) == "mood:: ")
      #expect(try text("ax<C-j>mo<Tab>", arrival) == "x\nmood:: ")
      #expect(try text("a- mo<Tab>", arrival) == "- mood:: ")
      #expect(try text("a- [ ] pl<Tab>", arrival) == "- [ ] place:: ")
      #expect(try text("aate [pl<Tab>", arrival) == "ate [place:: ")
      #expect(try text("aate (pl<Tab>", arrival) == "ate (place:: ")
      // Among words they are words.
      #expect(try text("aate mo<Tab>", arrival) == "ate mo")
    }
  }

  @Test("values in a text, as they were typed, also with blanks and in brackets")
  func values() throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      #expect(try text("amood:: hapl<Tab>", arrival) == "mood:: hapless")
      #expect(try text("amood:: el<Tab>", arrival) == "mood:: Élan")
      #expect(try text("aPLACE:: vie<Tab>", arrival) == "PLACE:: Vienna, Austria")
      #expect(try text("aplace:: Vienna, A<Tab>", arrival) == "place:: Vienna, Austria")
      #expect(try text("aate [place:: Vev<Tab>", arrival) == "ate [place:: Vevey")
      #expect(try text("amood:: 4 place:: Vev<Tab>", arrival) == "mood:: 4 place:: Vevey")
      #expect(try text("anone:: ha<Tab>", arrival) == "none:: ha")
    }
  }

  @Test("values in a query, in quotation marks where they need them")
  func queries() throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      #expect(try text("fmood:hapl<Tab>", arrival)?.hasPrefix("mood:hapless") == true)
      #expect(try text("f-place:vev<Tab>", arrival)?.hasPrefix("-place:Vevey") == true)
      #expect(try text("fweather:qui<Tab>", arrival)?.hasPrefix("weather:\"quite sunny\"") == true)
    }
  }

  @Test("a value in quotation marks that no entry has is shown as such, and its beginning is found")
  func quoted() throws {
    for (typed, count) in [("mood:\"zzz yyy\"", 0), ("weather:\"quite su\"", 1)] {
      let screen = try ScriptedScreen(
        keysAreTyped: true,
        entries: ["mood:: happy", "weather:: quite sunny"].map { (ScriptedScreen.now, $0) })
      try screen.press("f\(typed)<Enter>")
      #expect(screen.runner.state.prompt.open == nil, "\(screen.text)")
      #expect(screen.runner.state.list.widget.rowCount == count, "\(screen.text)")
    }
  }

  @Test("the most used value comes first among several")
  func several() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true,
      entries: ["mood:: hapless", "mood:: happy", "mood:: happy"].map { (ScriptedScreen.now, $0) })
    try screen.press("amood:: hap<Tab>")
    #expect(screen.runner.state.prompt.open?.text == "mood:: hap")
    #expect(screen.runner.state.prompt.completions == ["happy", "hapless"])
  }
}

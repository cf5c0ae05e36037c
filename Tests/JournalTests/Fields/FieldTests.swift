import TestSupport
import Testing

@testable import Journal

@Suite("Fields in a text")
struct FieldTests {
  private func found(_ text: String) -> [String] {
    Field.all(in: text).map { "\($0.name)=\($0.value.kind):\($0.value)" }
  }

  @Test(
    "a field is a name, two colons and a value",
    arguments: [
      ("mood:: 4", ["mood=number:4"]), ("run:: 5.2 km", ["run=number:5.2 km"]),
      ("slept:: 7h20", ["slept=duration:7h20"]), ("[cost:: 12.50 €]", ["cost=number:12.5 €"]),
      ("lunch (cost:: €12.50), good", ["cost=number:12.5 €"]),
      ("due:: 2026-11-30", ["due=day:2026-11-30"]),
      ("place:: Vienna, Austria", ["place=words:Vienna, Austria"]),
      ("Good day, mood:: 4, run:: 5.2km in the park", ["mood=number:4", "run=number:5.2 km"]),
      ("mood:: 4 run:: 5.2 km", ["mood=number:4", "run=number:5.2 km"]),
      ("mood:: 4 (bad night)", ["mood=number:4"]), ("mood:: 4, tired", ["mood=number:4"]),
      ("mood:: 4 of all", ["mood=words:4 of all"]), ("- [ ] due:: soon", ["due=words:soon"]),
      ("> - mood:: 4\r\n> run:: 3", ["mood=number:4", "run=number:3"]),
      ("mood:: 4 [cost:: 5]", ["mood=number:4", "cost=number:5"]),
      ("Größe:: 180 cm", ["Größe=number:180 cm"]), ("天気:: 晴れ", ["天気=words:晴れ"]),
      ("mood::\t4", ["mood=number:4"]), ("a-b_c2:: x", ["a-b_c2=words:x"]),
      ("run:: 5 km #sport", ["run=number:5 km"]), ("run:: 5 km #a  #b/c ", ["run=number:5 km"]),
      ("place:: Vienna #trip", ["place=words:Vienna"]), ("with:: @anna", ["with=words:@anna"]),
      ("with:: Tom @anna", ["with=words:Tom @anna"]), ("kind:: #a #b", ["kind=words:#a #b"]),
      ("run:: 5 km in #rain", ["run=number:5 km"]), ("x:: a #b c", ["x=words:a #b c"]),
      ("run:: 5 km #sport\nmood:: 4 #x", ["run=number:5 km", "mood=number:4"]),
      ("[cost:: 5 #a] #b", ["cost=words:5 #a"]),
      ("Slowly. run:: 5 km #sport", ["run=number:5 km"]),
      ("Slowly. run:: 5 km #a #b", ["run=number:5 km"]),
      ("Slowly. run:: 5 km #a with Tom", ["run=number:5 km"]),
      ("I slept:: 7h20 #a, ran:: 5 km #b", ["slept=duration:7h20", "ran=number:5 km"]),
      ("I slept:: 7h20 and then ran:: 5 km", ["slept=duration:7h20", "ran=number:5 km"]),
      ("slept:: 7h 20", ["slept=duration:7h20"]),
      ("I slept:: 7h 20 of 8", ["slept=duration:7h00"]), ("I slept:: 7h20x", ["slept=words:7h20x"]),
      // What is a duration, a date or a number with a known unit is one wherever it stands.
      ("slept:: 7h20 and a bit", ["slept=duration:7h20"]),
      ("I slept:: 7h20 and a bit", ["slept=duration:7h20"]),
      ("run:: 5 km in the rain", ["run=number:5 km"]),
      ("I ran:: 5 km in the rain", ["ran=number:5 km"]),
      ("[cost:: 12.50 € for two]", ["cost=number:12.5 €"]),
      ("due:: 2026-11-30 or later", ["due=day:2026-11-30"]),
      ("place:: 12 Main Street", ["place=words:12 Main Street"]),
      ("tea:: 2 cups of it", ["tea=words:2 cups of it"]),
      ("slept:: 4 in the bed", ["slept=words:4 in the bed"]),
      ("I slept:: 4 in the bed", ["slept=number:4"]),
      ("We had:: 4 and then #a", ["had=number:4"]), ("Now with:: Tom #a", ["with=words:Tom"]),
      ("mood:: 🙂", ["mood=words:🙂"]), ("(a:: b (c) d)", ["a=words:b (c) d"]),
      ("[a:: b [c]", ["a=words:b [c"]), ("lunch [who:: [[Anna]]] end", ["who=words:[[Anna]]"]),
      ("(who:: Anna (mum)), [b:: 1]", ["who=words:Anna (mum)", "b=number:1"]),
      ("[a:: [ ] [b:: ] 2]", ["a=words:[ ] [b:: ] 2"]),
      // Names are no part of an amount.
      ("mood:: 4 @anna", ["mood=number:4"]), ("mood:: 4 #tag @anna #b", ["mood=number:4"]),
      ("run:: 5 laps @anna", ["run=number:5 laps"]),
      ("I ran:: 5 laps @anna", ["ran=number:5 laps"]),
      ("due:: 2026-11-30 @anna", ["due=day:2026-11-30"]),
      ("mood:: 4 | run:: 5", ["mood=number:4", "run=number:5"]),
      ("place:: Vienna, mood:: 4; x:: b", ["place=words:Vienna", "mood=number:4", "x=words:b"]),
      // Several numbers, a pace and a time of day are no amount.
      ("coordinates:: 48.2, 16.37", ["coordinates=words:48.2, 16.37"]),
      ("x:: 5, 6, 7", ["x=words:5, 6, 7"]),
      ("run:: 5 km, 30 min", ["run=number:5 km"]),
      ("pace:: 5:30 min/km", ["pace=words:5:30 min/km"]),
      ("pace:: 5:30 /km", ["pace=words:5:30 /km"]),
      ("time:: 9:30 am", ["time=words:9:30 am"]), ("slept:: 7:30 again", ["slept=duration:7h30"]),
      ("slept:: 7:20 that's ok", ["slept=duration:7h20"]),
      ("slept:: 7:20 and/or more", ["slept=duration:7h20"]),
      ("slept:: 7h90", ["slept=words:7h90"]), ("slept:: 7h59", ["slept=duration:7h59"]),
    ])
  func isField(text: String, fields: [String]) {
    #expect(found(text) == fields)
  }

  @Test(
    "nothing else is a field",
    arguments: [
      "9:30", "http://x.org", "std::vector", "std::vector<int> v", "a: b", "mood::", "mood:: \n4",
      "mood ::4",
      "mood :: 4", ":: 4", "2:: 4", "a::: b", "*mood*:: 4", "`mood:: 4`", "```\nmood:: 4\n```",
      "x\n\n    mood:: 4", "<!-- mood:: 4 -->", "[a](<mood:: 4>)", "(mood:: 4", "[mood:: 4\n]",
      "[[a:: b]]", "x.mood:: 4", "#mood:: 4", "-:: 4", "https://x.org/a:: 4",
    ])
  func isNone(text: String) {
    #expect(found(text) == [])
  }

  @Test(
    "a value is a number with a unit, a duration, a date or words",
    arguments: [
      ("4", "number:4"), ("-3.50", "number:-3.5"), ("+2", "number:2"), ("−2", "number:-2"),
      ("5,2 km", "number:5.2 km"), ("1,234", "number:1234"), ("0,125 l", "number:0.125 l"),
      ("1,234.5", "number:1234.5"), ("1.234,5", "number:1234.5"), ("1.5", "number:1.5"),
      ("$5", "number:5 $"), ("80%", "number:80%"), ("21 °C", "number:21 °C"), ("4/5", "number:4/5"),
      ("12 km/h", "number:12 km/h"), ("3.1415926535", "number:3.141593"),
      ("0.0000004", "words:0.0000004"),
      ("999999999.5", "number:999999999.5"), ("1000000000", "words:1000000000"),
      ("7h", "duration:7h00"), ("7h 20m", "duration:7h20"), ("7h20min", "duration:7h20"),
      ("1.5 h", "duration:1h30"), ("90 min", "duration:1h30"), ("45 min", "duration:45 min"),
      ("7:20", "duration:7h20"), ("1:02:03", "duration:1:02:03"), ("30 s", "duration:30 s"),
      ("2 days", "duration:48h00"), ("400 m", "number:400 m"), ("7:60", "words:7:60"),
      ("2026-11-21", "day:2026-11-21"), ("2026-02-30", "words:2026-02-30"),
      ("2026-11-21 to 23", "day:2026-11-21"), ("5-6", "words:5-6"),
      ("192.168.0.1", "words:192.168.0.1"), ("1,2,3", "words:1,2,3"), ("1e5", "words:1e5"),
      ("12 High Street", "words:12 High Street"), ("-", "words:-"), ("nan", "words:nan"),
      ("4.", "number:4"), ("4!", "number:4"), ("4 5", "words:4 5"), ("5 歩", "number:5 歩"),
    ])
  func values(text: String, value: String) {
    let read = FieldValue(text)
    #expect("\(read.kind):\(read)" == value)
  }

  @Test("a value that is printed is read as the same value")
  func printed() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<5_000 {
      let number = FixedDecimal(
        millionths: Int64.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random)
          >> random.below(50))
      let values: [FieldValue] = [
        .number(number, unit: ["", "km", "/5", "%", "€", "°C"][random.below(6)]),
        .duration(FixedDecimal(Int64(random.below(1_000_000)))),
        .day(Day(daysSinceEpoch: random.below(100_000))),
      ]
      for value in values { #expect(FieldValue(value.description) == value, "\(value)") }
    }
  }

  @Test(
    "random lines have the fields that a slow reader finds", arguments: SeededGenerator.seeds(4))
  func agreement(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "mood", "b2", "::", ":: ", " ", "[", "]", "(", ")", "4", "5 km", "x y", "- ", "> ", "\n",
      "é",
      ":", ",", "run:: ", "[c:: ",
    ]
    for _ in 0..<4_000 {
      let text = (0..<random.below(12)).map { _ in pieces[random.below(pieces.count)] }.joined()
      guard Link.all(in: text).isEmpty, Self.isProse(text) else { continue }
      #expect(Field.all(in: text) == SlowFields(text).fields, "\(text.debugDescription)")
    }
  }

  /// Whether the text has no target of a link, which is no prose.
  private static func isProse(_ text: String) -> Bool {
    !text.contains("](") && !text.contains("    ")
  }
}

/// The fields of a text line by line, by the definition.
private struct SlowFields {
  var fields: [Field] = []

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      read(Array(line.unicodeScalars))
    }
  }

  private mutating func read(_ line: [Unicode.Scalar]) {
    var starts: [(name: Range<Int>, close: Int?)] = []
    var blocked = 0
    for colon in line.indices {
      guard colon >= blocked, colon + 2 < line.count, line[colon] == ":", line[colon + 1] == ":",
        line[colon + 2] == " "
      else { continue }
      let name = line[..<colon].reversed().prefix {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }.count
      let start = colon - name
      guard name > 0, line[start].properties.isAlphabetic else { continue }
      var close: Int?
      if start > 0 {
        let closing: [Unicode.Scalar: Unicode.Scalar] = ["[": "]", "(": ")"]
        if let sign = closing[line[start - 1]] {
          let ends = line.indices.filter { $0 >= colon + 2 && line[$0] == sign }
          guard let first = ends.first else { continue }
          // The first one with as many brackets opened as closed before it.
          let opening = line[start - 1]
          close =
            ends.first { end in
              let value = line[(colon + 2)..<end]
              return value.count { $0 == opening } == value.count { $0 == sign }
            } ?? first
        } else if line[start - 1] != " " {
          continue
        }
      }
      starts.append((start..<colon, close))
      blocked = close ?? colon + 2
    }
    for (index, place) in starts.enumerated() {
      let next = index + 1 < starts.count ? starts[index + 1] : nil
      let limit =
        next.map { $0.close == nil ? $0.name.lowerBound : $0.name.lowerBound - 1 } ?? line.count
      let end = place.close ?? line.count
      let value = Self.text(line[(place.name.upperBound + 2)..<min(end, limit)])
      let signs = limit < end ? " |,;" : " "
      let trimmed = value.drop { $0 == " " }.reversed().drop { signs.contains($0) }.reversed()
      guard !trimmed.isEmpty else { continue }
      let isFirst = line[..<place.name.lowerBound].allSatisfy {
        " -*+>.)[]xX0123456789".unicodeScalars.contains($0)
      }
      fields.append(
        Field(
          name: Self.text(line[place.name]),
          value: FieldValue(String(trimmed), isWhole: isFirst || place.close != nil)))
    }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

import Foundation
import Testing

@testable import daybook_bench

/// The report of `make bench`: its lines, its plan, and the plot of the growth.
struct ReportTests {
  private static let figures = [
    Figure(
      row: 1, name: "start", value: 34.2, peer: ("10 entries", 21.1), goal: Goal(mostRatio: 1.2)),
    Figure(row: 3, name: "memory", value: 24, unit: .mebibytes, goal: Goal(most: 25)),
    Figure(row: 5, name: "edit", value: 0.5, peer: ("peer", 400), goal: Goal(leastSpeedup: 1_000)),
    Figure(
      row: 9, name: "search", value: 4, note: "a remark",
      growth: GrowthSample(line: .search, entries: 1_000)),
  ]

  @Test("each line is handed on at once, and the JSON of a stopped run has every line until then")
  func stopped() throws {
    var shown: [ReportLine] = []
    var report = Report { shown.append($0) }
    report.add(ReportLine(run: RunDescription(machine: "m", date: "d", load: "l")))
    for (index, figure) in Self.figures.enumerated() {
      report.add([figure])
      #expect(shown.count == index + 2 && shown.last?.figure == figure)
    }
    report.add(note: "left out")
    report.add(note: "left out")
    #expect(report.notes == ["left out"] && !report.hasFailures)
    let lines = shown.map(\.json)
    for count in 0...lines.count {
      let read = try Report(json: lines.prefix(count).joined(separator: "\n"))
      #expect(read.lines == Array(shown.prefix(count)))
    }
    #expect(throws: (any Error).self) { try Report(json: lines[1].dropLast(4) + "") }
    report.add(failure: "row 7 failed")
    #expect(report.hasFailures && report.notes.last == "row 7 failed")
  }

  @Test("a goal is met when every one of its conditions is")
  func goals() {
    #expect(Self.figures.map(\.isMet) == [false, true, false, nil])
    let both = Goal(most: 0.5, mostRatio: 1.3)
    #expect(both.isMet(value: 0.5, ratio: 1.3) == true)
    #expect(both.isMet(value: 0.6, ratio: 1) == false)
    #expect(both.isMet(value: 0.1, ratio: 1.4) == false)
    #expect(both.isMet(value: 0.1, ratio: nil) == false)
    #expect(both.words(.milliseconds) == "≤ 0.5 ms, ≤ 1.3×")
  }

  @Test("a figure is a line of the table under its heading, and of Markdown with as many cells")
  func table() {
    let table = ReportTable()
    let heading = Array(table.heading)
    for figure in Self.figures {
      let line = table.text(ReportLine(figure: figure))
      #expect(Array(line).prefix(3).map(String.init).joined().hasSuffix(figure.label))
      // The name begins below its heading.
      let column = heading.firstIndex(of: "f") ?? 0
      #expect(String(Array(line)[column...]).hasPrefix(figure.name))
    }
    #expect(Self.figures.map(\.label) == ["1", "3", "5", "G9"])
    let markdown = ReportTable(isMarkdown: true)
    let cells = markdown.text(ReportLine(figure: Self.figures[0])).split(separator: "|")
    #expect(cells.count == 10 - 2)
    let run = RunDescription(machine: "m", date: "d", load: "2")
    #expect(table.text(ReportLine(run: run)) == "m; d; load at the start: 2")
    for line in markdown.heading.split(separator: "\n") {
      #expect(line.split(separator: "|").count == cells.count)
    }
  }

  @Test("the plan has every row from 1 to 26 and the growth, each in one step")
  func plan() {
    let rows = BenchPlan.allCases.flatMap(\.rows)
    #expect(
      Set(rows) == Set((1...26).map(String.init) + ["growth"]) && Set(rows).count == rows.count)
    #expect(BenchPlan.allCases.filter(\.isLong).flatMap(\.rows) == ["17", "22", "21", "24"])
  }

  @Test("the plot of the growth is XML with a line and a label for each of its lines")
  func plot() throws {
    var report = Report()
    #expect(JournalGrowth.plot(report) == nil)
    report.add(Self.figures)
    for line in GrowthLine.allCases {
      for (place, size) in [1_000, 100_000].enumerated() {
        report.add([
          Figure(
            row: line.row, name: line.name, value: Double(place + 1),
            growth: GrowthSample(line: line, entries: size))
        ])
      }
    }
    let text = try #require(JournalGrowth.plot(report)).text
    #expect(XMLCheck().accepts(text))
    for line in GrowthLine.allCases {
      #expect(text.ranges(of: "<polyline class=\"\(line.rawValue)\"").count == 1)
      #expect(text.contains(">\(line.shortName)  2 ms</text>"), "\(line)")
      // Once for a light ground and once for a dark one.
      #expect(text.ranges(of: ".\(line.rawValue){stroke:").count == 2)
    }
    #expect(Set(GrowthLine.allCases.map(\.shortName)).count == GrowthLine.allCases.count)
  }

  @Test("every line of the growth goes to at least 100,000 entries, and Daybook's to all sizes")
  func limits() {
    for line in GrowthLine.allCases {
      #expect(line.limit(isFull: true) >= line.limit(isFull: false))
      #expect(line.limit(isFull: false) >= 100_000)
      let isPeer = [.observation, .jrnlAdd, .jrnlList].contains(line)
      #expect((line.limit(isFull: false) == .max) == !isPeer)
    }
  }

  @Test("a line of ours and one of a peer in the same panel have different colours")
  func colours() {
    for isOnScreen in [true, false] {
      let styles = GrowthLine.allCases.filter { $0.isOnScreen == isOnScreen }.map(\.style)
      #expect(Set(styles.map(\.light)).count == styles.count)
      #expect(Set(styles.map(\.dark)).count == styles.count)
    }
  }

  @Test("the parts of this test's program are all of its loaded bytes")
  func parts() throws {
    let program = try ProgramFile(path: "/proc/self/exe")
    #expect(program.stripped > 10_000)
    #expect(program.parts.map(\.bytes).reduce(0, +) == program.stripped)
    #expect(program.parts.contains { $0.name == "machine code" && $0.bytes > 1_000 })
    for part in program.parts { #expect(part.bytes >= 0) }
    for bytes in [Data(), Data(repeating: 0, count: 100), Data([0x7f, 0x45, 0x4c, 0x46, 2, 1])] {
      #expect(throws: BenchError.self) { try ProgramFile(bytes) }
    }
  }

  @Test("every shape of row 19 is what its name says")
  func shapes() {
    for shape in ExtremeShape.allCases {
      let last = shape.entry(shape.count - 1)
      let bytes = last.text.utf8.count
      switch shape {
      case .largestEntry: #expect((0..<100).contains(ExtremeShape.largestText - bytes - 60))
      case .longEntries: #expect(shape.count == 10_000 && (99_900...100_100).contains(bytes))
      case .fullDay: #expect(shape.count == 100_000 && days(shape) == 1)
      case .manyDays: #expect(shape.count == 100_000 && days(shape) == 100_000)
      case .manyTags:
        let words = (0..<shape.count).flatMap { shape.entry($0).text.split(separator: " ") }
        #expect(Set(words.filter { $0.contains("#") }).count == 100_000)
      case .longLine: #expect(last.text.split(separator: "\n").contains { $0.count > 9_999_900 })
      case .longCluster: #expect(last.text.first?.unicodeScalars.count == 100_001)
      }
    }
  }

  private func days(_ shape: ExtremeShape) -> Int {
    Set((0..<shape.count).map { shape.entry($0).day }).count
  }
}

import Foundation
import Testing

@testable import daybook_bench

/// The plot and the tables of the library's figures, as far as they compute.
struct PlotTests {
  @Test("an axis has whole decades around its values, and places them by their logarithms")
  func axis() {
    let axis = LogAxis(containing: [0, 0.3, 1_000, .infinity])
    #expect(axis.decades == -1...3)
    #expect(axis.ticks == [0.1, 1, 10, 100, 1_000])
    #expect(axis.place(of: 0.1) == 0)
    #expect(abs(axis.place(of: 10) - 0.5) < 1e-9)
    #expect(axis.place(of: 1_000) == 1)
    #expect(axis.place(of: 0) == 0 && axis.place(of: 1e9) == 1)
  }

  @Test("a power of ten is an end of its axis, and an axis has at least one decade")
  func axisEnds() {
    for exponent in -3...9 {
      let value = pow(10, Double(exponent))
      #expect(LogAxis(containing: [value]).decades == exponent...exponent + 1)
      #expect(LogAxis(containing: [value, value * 1_000]).decades == exponent...exponent + 3)
    }
    #expect(LogAxis(containing: []).decades.count == 2)
  }

  @Test("labels keep their order and their distance, and those with room stay where they are")
  func labels() {
    #expect(LabelPlaces.spread([], gap: 10, in: 0...100) == [])
    #expect(LabelPlaces.spread([80, 20, 50], gap: 10, in: 0...100) == [80, 20, 50])
    #expect(LabelPlaces.spread([50, 50], gap: 10, in: 0...100) == [45, 55])
    #expect(LabelPlaces.spread([99, 98, 0], gap: 10, in: 0...100) == [100, 90, 0])
    for seed in 0..<500 {
      let wanted = (0..<4).map { Double((seed * 7_919 + $0 * $0 * 104_729) % 101) }
      let places = LabelPlaces.spread(wanted, gap: 17, in: 0...100)
      let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
      for (before, after) in zip(order, order.dropFirst()) {
        #expect(places[after] - places[before] > 17 - 1e-9, "\(wanted)")
      }
      for place in places { #expect((-1e-9...100 + 1e-9).contains(place), "\(wanted)") }
    }
  }

  @Test("a cell shows its median, an asterisk for few rounds, and why it is empty")
  func cells() {
    let samples = [3, 1, 2, 5, 4].map { ProbeSample(figure: .fetch, value: $0, wall: $0 * 2_000) }
    let memory = ProbeSample(figure: .memory, value: 2_048)
    let result = FeedResult(
      .sqlite, size: 1_000, samples: samples + [ProbeSample(figure: .one, value: 0.5), memory],
      leftOut: (.hundred, "> 60 s"))
    let table = LibraryTable(clock: .processor)
    #expect(table.text(result[.fetch]) == "3 ms")
    #expect(LibraryTable(clock: .wall).text(result[.fetch]) == "6 s")
    #expect(table.text(result[.one]) == "0.5 ms*")
    #expect(table.text(result[.hundred]) == "> 60 s")
    #expect(table.text(result[.tenThousand]) == "–")
    #expect(table.text(result[.memory]) == "2 GiB")
    #expect(LibraryTable(clock: .wall).text(result[.memory]) == "2 GiB")
    #expect(LibraryTable.time(999.4) == "999 ms" && LibraryTable.time(999.6) == "1 s")
  }

  @Test("all lines of a table have the width of its heading")
  func widths() {
    let table = LibraryTable(clock: .processor)
    for contender in ContenderKind.allCases {
      let list = FeedResult(contender, size: 10_000_000, samples: [])
      #expect(table.line(list).count == table.heading(ofCrowds: false).count)
      let crowd = FeedResult(contender, size: 10_000, crowd: .feeds, samples: [])
      // The heading follows an empty line.
      #expect(table.line(crowd).count + 1 == table.heading(ofCrowds: true).count)
    }
  }

  @Test("a measuring process's lines are read as they were written")
  func lines() {
    for figure in FeedFigure.allCases {
      let sample = ProbeSample(figure: figure, value: 0.1 + 0.2, wall: 1e-5)
      for line in [ProbeLine.begin(figure), .sample(sample)] {
        #expect(ProbeLine(line.text) == line)
      }
    }
    for wrong in ["", "none", "one 1", "one a b", "one 1 2 3"] { #expect(ProbeLine(wrong) == nil) }
  }

  @Test("the plot of a report is XML with a line and a label for each contender")
  func plot() throws {
    var report = LibraryReport(limit: 60)
    for contender in ContenderKind.allCases {
      for size in [1_000, 10_000] {
        report.results.append(
          FeedResult(
            contender, size: size,
            samples: [
              ProbeSample(figure: .one, value: Double(size) / 1_000),
              ProbeSample(figure: .memory, value: 20),
            ]))
      }
    }
    let text = GrowthPlot(report: report).text
    let parser = XMLCheck()
    #expect(parser.accepts(text))
    for contender in ContenderKind.allCases {
      #expect(text.contains(contender.shortName))
      #expect(text.ranges(of: "<polyline class=\"\(contender.rawValue)\"").count == 2)
    }
    #expect(try JSONDecoder().decode(LibraryReport.self, from: Data(report.json().utf8)) == report)
  }
}

/// Whether all elements of a text are closed in their order.
struct XMLCheck {
  func accepts(_ text: String) -> Bool {
    var open: [Substring] = []
    for match in text.matches(of: /<(\/?)([a-z]+)(?:"[^"]*"|[^">])*?(\/?)>/) {
      if match.3 == "/" { continue }
      if match.1.isEmpty {
        open.append(match.2)
      } else if open.popLast() != match.2 {
        return false
      }
    }
    return open.isEmpty
  }
}

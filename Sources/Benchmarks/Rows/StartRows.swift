import Foundation
import GRDB
import Glibc

/// Rows 1 to 3: the time to the first screen and to the end, and the memory of the program.
struct StartRows {
  let bench: Bench

  func measure() throws -> [Figure] {
    let large = try bench.data.copy(bench.large, as: "start")
    let small = try bench.data.copy(10, as: "start")
    var (largeRuns, smallRuns, floorRuns) = (Samples(), Samples(), Samples())
    var (paints, peaks, floorPeaks) = (Samples(), Samples(), Samples())
    // Alternately, so that other load on the machine affects all of them.
    for round in 0...bench.rounds * 4 {
      let run = try run([bench.daybook], on: large, until: Bench.lastWord)
      let other = try self.run([bench.daybook], on: small, until: Bench.lastWord)
      let floor = try self.run(
        [bench.itself, FloorProgram.option], on: small, until: FloorProgram.line)
      if round == 0 { continue }
      largeRuns.add(run.whole)
      smallRuns.add(other.whole)
      floorRuns.add(floor.whole)
      paints.add(run.paint)
      peaks.add(run.peak)
      floorPeaks.add(floor.peak)
    }
    let count = Bench.words(bench.large)
    return [
      Figure(
        row: 1, name: "first paint and quit, \(count) entries", value: largeRuns.median,
        peer: ("10 entries", smallRuns.median), goal: Goal(mostRatio: 1.2)),
      Figure(
        row: 1, name: "first paint alone, \(count) entries", value: paints.median),
      Figure(
        row: 2, name: "first paint and quit, \(count) entries", value: largeRuns.median,
        peer: ("same libraries, opens ncurses", floorRuns.median), goal: Goal(mostRatio: 2)),
      Figure(
        row: 3, name: "peak resident memory, \(count) entries", value: peaks.median,
        unit: .mebibytes, peer: ("same libraries, opens ncurses", floorPeaks.median),
        goal: Goal(most: 25)),
    ]
  }

  /// First paint and quit of a journal, in milliseconds.
  func whole(_ journal: String) throws -> Samples {
    var samples = Samples()
    for round in 0...bench.rounds * 2 {
      let run = try run([bench.daybook], on: journal, until: Bench.lastWord)
      if round > 0 { samples.add(run.whole) }
    }
    return samples
  }

  private func run(
    _ arguments: [String], on journal: String, until text: String
  ) throws -> (paint: Double, whole: Double, peak: Double) {
    let process = try TerminalProcess(arguments, environment: bench.environment(journal))
    let painted = try process.wait(for: text)
    let peak = try ProcessStatistics(pid: process.child.pid).peakKibibytes
    // Reading the statistics does not count as time of the program.
    let asked = Monotonic.now()
    process.send("q")
    let ended = try process.end()
    let paint = Monotonic.milliseconds(from: process.started, to: painted)
    return (paint, paint + Monotonic.milliseconds(from: asked, to: ended), Double(peak) / 1024)
  }
}

/// Row 15: the size of the file, compared with the texts alone.
struct SizeRow {
  let bench: Bench

  func measure() throws -> [Figure] {
    let journal = try bench.data.sample(bench.large)
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: journal, configuration: configuration)
    let texts = try queue.read {
      try Int.fetchOne($0, sql: "SELECT sum(length(CAST(text AS BLOB))) FROM entry") ?? 0
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: journal)
    let size = (attributes[.size] as? NSNumber)?.doubleValue ?? 0
    return [
      Figure(
        row: 15, name: "file size, \(Bench.words(bench.large)) entries", value: size / 1_048_576,
        unit: .mebibytes, peer: ("the texts alone", Double(texts) / 1_048_576),
        goal: Goal(mostRatio: 3))
    ]
  }
}

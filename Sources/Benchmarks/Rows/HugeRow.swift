/// Row 17: the rows that a reader of a large journal feels, at ten times the entries.
struct HugeRow {
  let bench: Bench

  func measure(_ report: inout Report) throws {
    let huge = bench.with(large: bench.large * 10)
    let rows: [(Bench) throws -> [Figure]] = [
      { try StartRows(bench: $0).measure().filter { $0.row != 2 } },
      { try CommitRows(bench: $0).measure() },
      { try ScreenRows(bench: $0).notice() },
      { try ScreenRows(bench: $0).keys() },
      { try SearchRow(bench: $0).measure() },
    ]
    for measure in rows {
      let large = try measure(bench)
      try bench.data.removeCopies()
      let figures = try measure(huge)
      try bench.data.removeCopies()
      report.add(zip(figures, large).map(figure))
    }
  }

  private func figure(_ huge: Figure, _ large: Figure) -> Figure {
    let name = "row \(huge.row), \(huge.name)"
    if huge.row == 1, let small = huge.peer {
      return Figure(
        row: 17, name: name, value: huge.value, peer: (small.name, small.value),
        goal: Goal(mostRatio: 1.3))
    }
    return Figure(
      row: 17, name: name, value: huge.value, unit: huge.unit,
      peer: ("\(Bench.words(bench.large)) entries", large.value), goal: Goal(mostRatio: 1.5))
  }
}

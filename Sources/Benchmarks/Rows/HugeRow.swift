/// Row 17: the rows that a reader of a large journal feels, at ten times the entries.
struct HugeRow {
  let bench: Bench

  func measure(_ report: inout Report) throws {
    let huge = bench.with(large: bench.large * 10)
    for rows in ComparedRows.allCases {
      let figures = try rows.measure(huge, bench)
      try bench.data.removeCopies()
      report.add(figures.map(figure))
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

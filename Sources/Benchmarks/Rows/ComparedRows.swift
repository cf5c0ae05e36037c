/// Rows that are measured over two journals: a sealed and a readable one, a huge and a large one.
///
/// Functions that work for both journals are measured in turn. The rest is measured several times,
/// each time beginning with the other journal: the machine may be twice as fast in one minute as in the
/// next.
enum ComparedRows: CaseIterable {
  case start, commit, notice, keys, search

  /// The figures of both journals, by pairs.
  func measure(_ one: Bench, _ other: Bench) throws -> [(Figure, Figure)] {
    switch self {
    case .start:
      try repeated(one, other) { try StartRows(bench: $0).measure().filter { $0.row != 2 } }
    case .notice: try repeated(one, other) { try ScreenRows(bench: $0).notice() }
    case .keys: try repeated(one, other) { try ScreenRows(bench: $0).keys() }
    case .commit: pairs(try CommitRows.measure([one, other]))
    case .search: pairs(try SearchRow.measure([one, other]))
    }
  }

  private static let turns = 4

  private func repeated(
    _ one: Bench, _ other: Bench, _ measure: (Bench) throws -> [Figure]
  ) throws -> [(Figure, Figure)] {
    let benches = [one, other]
    var turns: [[(Figure, Figure)]] = []
    for turn in 0..<(one.isQuick ? 1 : Self.turns) {
      let first = turn % 2
      var figures = [[Figure](), []]
      for place in [first, 1 - first] { figures[place] = try measure(benches[place]) }
      turns.append(pairs(figures))
    }
    return Self.typical(turns)
  }

  private func pairs(_ figures: [[Figure]]) -> [(Figure, Figure)] {
    Array(zip(figures[0], figures[1]))
  }

  /// Of the figures of several turns, each from the turn with the median ratio.
  private static func typical(_ turns: [[(Figure, Figure)]]) -> [(Figure, Figure)] {
    (turns.first ?? []).indices.map { index in
      let pairs = turns.map { $0[index] }.sorted { ratio($0) < ratio($1) }
      return pairs[pairs.count / 2]
    }
  }

  private static func ratio(_ pair: (Figure, Figure)) -> Double {
    pair.1.value > 0 ? pair.0.value / pair.1.value : 0
  }
}

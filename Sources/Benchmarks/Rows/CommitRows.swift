import Journal
import JournalStore
import SectionedResults

/// Row 4: how long after a commit of one entry the list shows it, in a large and a small journal.
struct CommitRows {
  let bench: Bench
  private static let small = 1_000
  private static let goal = Goal(most: 1, mostRatio: 1.5)

  func measure() throws -> [Figure] {
    var figures = try sorts(.lastDay, "on the last day")
    figures += try sorts(.anywhere, "on any day")
    for (name, request) in try CommitRows.requests() {
      let large = try mixed(bench.large, request)
      let small = try mixed(CommitRows.small, request)
      figures.append(figure("any change on any day, \(name)", large, small))
    }
    return figures
  }

  private static func requests() throws -> [(String, EntryRequest)] {
    [
      ("no sections", .entries(sectioning: .none)),
      ("sections by month", .entries(sectioning: .month)),
      ("by title", .entries(order: .title, sectioning: .none)),
      ("last modified first", .entries(order: .modified, sectioning: .none)),
      ("only #home", .entries(query: try home())),
      ("the first 100", .entries(limit: 100)),
    ]
  }

  private static func home() throws -> Query {
    try Query.parse("#home", now: WallClock.system.moment(), clock: .system)
  }

  /// The three sorts of change, each for itself.
  private func sorts(_ place: SingleChanges.Place, _ words: String) throws -> [Figure] {
    let large = try sorts(bench.large, place)
    let small = try sorts(CommitRows.small, place)
    return ["insert", "edit", "delete"].enumerated().map { index, name in
      figure("\(name) \(words)", large[index], small[index])
    }
  }

  private func sorts(_ count: Int, _ place: SingleChanges.Place) throws -> [Samples] {
    let rig = try ListRig(try bench.data.copy(count, as: "commit"))
    var changes = SingleChanges(place, count: count, seed: 4)
    var samples = [Samples(), Samples(), Samples()]
    for round in 0...bench.rounds * 8 {
      let delays = [
        try rig.delay(of: changes.insert()), try rig.delay(of: changes.edit()),
        try rig.delay(of: changes.delete()),
      ]
      if round == 0 { continue }
      for (index, delay) in delays.enumerated() { samples[index].add(delay) }
    }
    return samples
  }

  private func mixed(_ count: Int, _ request: EntryRequest) throws -> Samples {
    let rig = try ListRig(try bench.data.copy(count, as: "commit"), request)
    var changes = SingleChanges(.anywhere, count: count, seed: 5)
    var samples = Samples()
    for round in 0...bench.rounds * 4 {
      let (insert, edit, delete) = (changes.insert(), changes.edit(), changes.delete())
      for change in [insert, edit, delete] {
        let delay = try rig.delay(of: change)
        if round > 0 { samples.add(delay) }
      }
    }
    return samples
  }

  private func figure(_ name: String, _ large: Samples, _ small: Samples) -> Figure {
    Figure(
      row: 4, name: "\(name), \(Bench.words(bench.large)) entries", value: large.median,
      peer: ("\(Bench.words(CommitRows.small)) entries", small.median), goal: CommitRows.goal)
  }
}

import JournalStore
import TestSupport

/// Row 5: an edit followed by the results controller and by refetching and comparing everything.
struct ObservationRow {
  let bench: Bench

  func measure() throws -> [Figure] {
    var random = SeededGenerator(seed: 6)
    let numbers = (0...bench.rounds).map { _ in Int64(1 + random.below(bench.large)) }
    let copy = try bench.data.copy(bench.large, as: "peer")
    let peer = try ObservationPeer().delays(journal: copy, changing: numbers)
    let rig = try ListRig(try bench.data.copy(bench.large, as: "commit"))
    var changes = SingleChanges(.anywhere, count: bench.large, seed: 7)
    var ours = Samples()
    for round in 0...bench.rounds * 8 {
      let delay = try rig.delay(of: changes.edit())
      if round > 0 { ours.add(delay) }
    }
    return [
      Figure(
        row: 5, name: "edit on any day, \(Bench.words(bench.large)) entries", value: ours.median,
        peer: ("ValueObservation + CollectionDifference", peer.median),
        goal: Goal(leastSpeedup: bench.isQuick ? nil : 500))
    ]
  }
}

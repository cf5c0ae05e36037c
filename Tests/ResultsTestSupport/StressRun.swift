import Foundation
import TestSupport

/// How long a stress test runs and where it starts.
package enum StressRun {
  /// The number of transactions: `RESULTS_STRESS`, or what the test asks for.
  package static func count(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["RESULTS_STRESS"].flatMap(Int.init) ?? usual
  }

  /// Runs journeys of worlds; fewer and shorter ones if other processes write, each commit by a program of its own.
  ///
  /// - Parameter usual: the number of transactions of this process.
  /// - Returns: the first failure, with the `RESULTS_SEED` that shows it again.
  package static func run<World: StressWorld>(
    usual: Int, isForeign: Bool, world: (inout SeededGenerator) throws -> World
  ) throws -> String? {
    try run(
      transactions: isForeign ? count(usual) / 20 : count(usual),
      stepsPerWorld: isForeign ? 20 : 40, thoroughEach: 4, world: world)
  }

  /// Runs journeys of a few transactions each, from new worlds, until there were enough.
  ///
  /// - Returns: the first failure, with the `RESULTS_SEED` that shows it again.
  package static func run<World: StressWorld>(
    transactions: Int, stepsPerWorld: Int = 25, thoroughEach: Int = 1,
    world: (inout SeededGenerator) throws -> World
  ) throws -> String? {
    var round: UInt64 = 0
    var done = 0
    while done < transactions {
      let seed = SeededGenerator.runSeed &* 1_000_003 &+ round
      var random = SeededGenerator(seed: seed)
      var journey = try StressJourney(try world(&random), seed: seed &+ 1)
      for step in 0..<stepsPerWorld { try journey.step(isThorough: step % thoroughEach == 0) }
      if let failure = journey.failure {
        return "RESULTS_SEED=\(SeededGenerator.runSeed), round \(round): \(failure)"
      }
      done += journey.transactions
      round += 1
    }
    return nil
  }
}

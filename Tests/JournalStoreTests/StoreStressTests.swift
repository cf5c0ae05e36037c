import ResultsTestSupport
import Testing

/// Random transactions over the stores of a journal.
///
/// `RESULTS_STRESS` gives the number of transactions per store, `RESULTS_SEED` the seed of a failure. A
/// journal in memory is the same code as one in a file, and a JSON journal is that plus load and save, so
/// they have fewer; the oracle has the fewest, for the tests alone use it.
@Suite("Stress over the stores")
struct StoreStressTests {
  @Test(
    "random transactions, by two processes where there can be two, give the right batches",
    arguments: StoreKind.allCases)
  func randomTransactions(_ kind: StoreKind) throws {
    let failure = try StressRun.run(
      transactions: StressRun.count(Self.usualCount(kind)), stepsPerWorld: 60, thoroughEach: 10
    ) { try EntryWorld(kind, &$0) }
    #expect(failure == nil)
  }

  private static func usualCount(_ kind: StoreKind) -> Int {
    switch kind {
    case .sqlite: 700
    case .sealed, .json: 400
    case .memory: 300
    case .oracle: 150
    }
  }
}

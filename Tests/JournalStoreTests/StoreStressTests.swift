import ResultsTestSupport
import Testing

/// Random transactions over the stores of a journal.
///
/// `RESULTS_STRESS` gives the number of transactions per store, `RESULTS_SEED` another start. A journal in
/// memory is the same code as one in a file, and has fewer.
@Suite("Stress over the stores")
struct StoreStressTests {
  @Test(
    "random transactions, by two processes where there can be two, give the right batches",
    arguments: StoreKind.allCases)
  func randomTransactions(_ kind: StoreKind) throws {
    let failure = try StressRun.run(
      transactions: StressRun.count(kind == .memory ? 5_000 : 20_000), stepsPerWorld: 60,
      thoroughEach: 10
    ) { try EntryWorld(kind, &$0) }
    #expect(failure == nil)
  }
}

import TestSupport
import Testing

/// Random histories of three devices with links and renames; ``SyncModelTests`` says how to have others.
struct SyncLinkModelTests {
  @Test(
    "links lead to the entries that they were written for, whoever renames these",
    arguments: SyncModelTests.seeds)
  func histories(seed: UInt64) throws {
    let kinds = [
      ["sqlite", "sqlite", "sqlite"], ["sqlite", "json", "sqlite"],
      ["sealed.sqlite", "sealed.sqlite", "sealed.sqlite"],
    ]
    let history = try SyncLinkHistory(seed: seed, kinds: kinds[Int(seed % 3)])
    try history.run(steps: 60)
    print("seed \(seed): \(history.repaired) repaired, \(history.kept) links kept")
  }
}

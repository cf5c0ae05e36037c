import Foundation
import TestSupport
import Testing

/// Random histories of several journals through one remote.
///
/// `SYNC_HISTORIES` sets their number, `RESULTS_SEED` takes others; a failure names its seed.
struct SyncModelTests {
  static let count =
    ProcessInfo.processInfo.environment["SYNC_HISTORIES"].flatMap(UInt64.init) ?? 8
  static let seeds = (0..<count).map { SeededGenerator.runSeed &* 1_000_003 &+ $0 }

  @Test("devices of all kinds come to the same journal and lose no word", arguments: seeds)
  func histories(seed: UInt64) throws {
    try SyncHistory(seed: seed).run(steps: 30)
  }

  @Test(
    "so do sealed devices, each with a key of its own",
    arguments: seeds.prefix(max(3, seeds.count / 4)))
  func sealed(seed: UInt64) throws {
    try SyncHistory(seed: seed, isSealed: true).run(steps: 30)
  }
}

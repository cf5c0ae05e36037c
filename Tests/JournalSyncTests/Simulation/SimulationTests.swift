import Foundation
import JournalStore
import TestSupport
import Testing

/// Simulated devices: journals, processes, clocks and git in one thread, where a seed decides all.
///
/// `SIMULATION_SEED` runs one world, `SIMULATION_WORLDS` so many, `SIMULATION_SECONDS` as many as fit;
/// `RESULTS_SEED` takes others. `make simulate` sets them.
@Suite(.serialized)
struct SimulationTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }

  @Test("simulated devices lose no word and end equal, whatever fails and whoever comes between")
  func worlds() throws {
    var simulation = Simulation()
    if let seed = Self.number("SIMULATION_SEED") {
      let script = Simulation.script(seed)
      let (world, error) = try Simulation.world(script, script.events)
      print(
        "seed \(seed), \(script.kinds):", world.log.joined(separator: "\n  "), separator: "\n  ")
      print(error ?? "no promise was broken")
      try simulation.run(seed)
    } else {
      let most = Self.number("SIMULATION_WORLDS")
      let seconds = Self.number("SIMULATION_SECONDS") ?? (most == nil ? 20 : .max / 2)
      let start = ContinuousClock.now
      var index: UInt64 = 0
      while index < most ?? .max, ContinuousClock.now - start < .seconds(Int64(seconds)),
        simulation.failures.count < 3
      {
        try simulation.run(SeededGenerator.runSeed &* 1_000_003 &+ index)
        index += 1
      }
    }
    print("simulated \(simulation.summary)")
    for failure in simulation.failures { Issue.record("\(failure)") }
    #expect(simulation.worlds > 0)
  }

  @Test("a world happens again as it happened", arguments: SeededGenerator.seeds(6))
  func repeats(seed: UInt64) throws {
    let script = Simulation.script(seed)
    let first = try Simulation.world(script, script.events)
    let second = try Simulation.world(script, script.events)
    #expect(first.0.log == second.0.log)
    #expect(first.1 == second.1)
  }

  @Test("a word that goes without anybody's knowledge is noticed, and so is a device that differs")
  func notices() throws {
    let script = Simulation.script(SeededGenerator.runSeed)
    let path = FileManager.default.temporaryDirectory.path + "/daybook-notices-\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let world = try World(script, in: path)
    var random = SeededGenerator(seed: 1)
    try world.run([WorldEvent(id: 1, among: [(.add, 1)], using: &random)])
    let device = try #require(world.devices.last)
    let number = try #require(try device.store.numbers(matching: nil).first)
    try device.store.edit(number, text: "another text")
    #expect(throws: Violation.self) { try world.checkRest() }
    #expect { try world.rest() } throws: { "\($0)".contains("lost words that nobody removed") }
  }

  @Test("a script is shrunk to the events that fail together")
  func shrinks() {
    var random = SeededGenerator.init(seed: 7)
    let events = (1...50).map { WorldEvent(id: $0, among: WorldEvent.weights, using: &random) }
    let needed: Set = [3, 17, 18, 50]
    #expect(shrunk(events) { needed.isSubset(of: $0.map(\.id)) }.map(\.id) == needed.sorted())
  }
}

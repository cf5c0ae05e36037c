import Foundation
import TestSupport
import Testing

/// Readers of foreign data keep their promises for inputs that once broke them, and for random ones.
///
/// A crash ends the run: the input is then still in ``running``, in the directory for temporary
/// files. `MUTATION_ROUNDS` sets the number of mutated inputs of each target.
struct FuzzTests {
  @Test("every input of the corpus", arguments: FuzzTarget.all)
  func corpus(_ target: FuzzTarget) throws {
    for (name, bytes) in try target.corpus() { Self.run(target, bytes, "\(name)") }
  }

  @Test("random changes of the corpus and of what programs write", arguments: FuzzTarget.all)
  func mutations(_ target: FuzzTarget) throws {
    let rounds = ProcessInfo.processInfo.environment["MUTATION_ROUNDS"].flatMap(Double.init) ?? 300
    let samples = try target.corpus().map(\.bytes) + target.samples()
    var mutator = Mutator(target, seed: SeededGenerator.runSeed)
    for bytes in samples { Self.run(target, bytes, "sample") }
    for round in 0..<Int(rounds * target.share) {
      let sample = samples[mutator.random.below(samples.count)]
      Self.run(target, mutator.mutated(sample), "seed \(SeededGenerator.runSeed), round \(round)")
    }
  }

  @Test("each target has a directory of the corpus, and each directory a target")
  func directories() throws {
    #expect(try FuzzTarget.corpusDirectories() == FuzzTarget.all.map(\.name).sorted())
    for target in FuzzTarget.all { #expect(try !target.corpus().isEmpty, "\(target.name)") }
  }

  /// Runs a target, and keeps the input where it can be found after a crash.
  private static func run(_ target: FuzzTarget, _ bytes: [UInt8], _ origin: String) {
    let file = running(target)
    try? Data(bytes).write(to: file)
    do {
      try target.check(bytes)
    } catch {
      let kept = FileManager.default.temporaryDirectory.appending(
        path: "daybook-fuzz-\(target.name)-\(Data(bytes).hashValue.magnitude)")
      try? Data(bytes).write(to: kept)
      Issue.record("\(target.name), \(origin), input kept in \(kept.path): \(error)")
    }
    try? FileManager.default.removeItem(at: file)
  }

  private static func running(_ target: FuzzTarget) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "daybook-fuzz-running-\(target.name)")
  }
}

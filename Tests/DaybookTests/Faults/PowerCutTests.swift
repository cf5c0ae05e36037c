import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

/// Acknowledged data survive a power cut, whatever happened to unsynced data.
struct PowerCutTests {
  /// How many disks are made of each moment.
  private static var rounds: Int {
    ProcessInfo.processInfo.environment["POWERCUT_ROUNDS"].flatMap { Int($0) } ?? 1
  }
  /// One in how many moments is tried of each of many commands.
  private static let interval = rounds > 1 ? 1 : 7

  /// The data acknowledged at a length of the log.
  private struct Promise {
    var length: Int
    var texts: Set<String>
  }

  @Test(
    "a moment of a commit leaves a sound journal with all that was acknowledged",
    arguments: ["sqlite", "sealed", "json"])
  func cut(kind: String) throws {
    let program = try Program()
    let directory = program.home.appending(path: "disk")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let journal = directory.appending(path: "j.\(kind)").path
    let log = program.home.appending(path: "log").path
    let promises = try work(program, journal, directory.path, log, isSealed: kind == "sealed")
    if kind == "sealed" { try SealedProgram.register(journal) }
    try FileManager.default.removeItem(at: directory)
    let operations = try WriteLog(log).operations
    #expect(operations.count > 50)
    var disk = CutDisk()
    var generator = SeededGenerator(seed: SeededGenerator.runSeed)
    let sample = Sample(oneIn: Self.rounds > 1 ? 1 : 3, of: kind)
    for (index, operation) in operations.enumerated() {
      disk.take(operation)
      guard sample.contains(index + 1) else { continue }
      let promise = promises.last { $0.length <= operation.end }
      for round in 0..<Self.rounds {
        let image = disk.image(&generator)
        try check(image, journal, promise?.texts ?? [], "change \(index), disk \(round)")
      }
    }
  }

  /// Adds and edits entries, a process each, with every change logged.
  private func work(
    _ program: Program, _ journal: String, _ directory: String, _ log: String, isSealed: Bool
  ) throws -> [Promise] {
    let extra = [
      "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": directory, "FAULT_LOG": log,
    ]
    var texts: Set<String> = []
    var promises: [Promise] = []
    for step in 1...8 {
      let text = "text \(step) " + String(repeating: "more words ", count: step * 40)
      let result = try program.run(["--journal", journal, "add", text], extra: extra)
      try #require(result.code == 0, "\(result.errors)")
      texts.insert(text)
      if step.isMultiple(of: 3) {
        _ = try program.run(
          ["--journal", journal, "edit", "\(step)", "edited \(step)"], extra: extra)
        texts.remove(text)
        texts.insert("edited \(step)")
      }
      // The journal is sealed in the middle of the work: a cut leaves the old file or the new one.
      if isSealed, step == 3 { try SealedProgram.seal(journal, program, extra) }
      let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
      promises.append(Promise(length: try #require(size), texts: texts))
    }
    return promises
  }

  @Test(
    "every command: a power cut leaves all of it or nothing, and all of it once it has ended",
    arguments: CommandScenario.all)
  func everyCommand(scenario: CommandScenario) throws {
    let stage = try CommandScenario.Stage(scenario)
    try stage.reset()
    var disk = try CutDisk(directory: stage.work)
    let log = stage.program.home.path + "/log"
    let result = try stage.run([
      "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": stage.work, "FAULT_LOG": log,
    ])
    try #require(result.code == 0, "\(result.errors)")
    let operations = try WriteLog(log).operations
    #expect(operations.count > 3)
    var generator = SeededGenerator(seed: SeededGenerator.runSeed)
    let sample = Sample(oneIn: Self.interval, of: scenario.testDescription)
    for index in 0...operations.count {
      if index > 0 { disk.take(operations[index - 1]) }
      guard index == operations.count || sample.contains(index) else { continue }
      // There are many commands: fewer disks for each.
      for round in 0..<max(1, Self.rounds / 3) {
        let note = "\(scenario.testDescription), cut after change \(index), disk \(round)"
        try? FileManager.default.removeItem(atPath: stage.work)
        try FileManager.default.createDirectory(
          atPath: stage.work, withIntermediateDirectories: true)
        for (name, bytes) in disk.image(&generator) {
          try Data(bytes).write(to: URL(filePath: name))
        }
        do {
          let found = try scenario.outcome(in: stage.work)
          #expect(stage.allows(found), "\(note): \(found)")
          if index == operations.count { #expect(found == stage.after, "\(note)") }
        } catch {
          Issue.record("\(note): \(error)")
        }
      }
    }
  }

  @Test("an export that ended is there after a power cut", arguments: [false, true])
  func export(replacing: Bool) throws {
    let program = try Program()
    let directory = program.home.appending(path: "disk")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let (file, log) = (
      directory.appending(path: "e.jsonl").path, program.home.appending(path: "log").path
    )
    let extra = ["LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": directory.path, "FAULT_LOG": log]
    var wanted: [[UInt8]] = []
    for text in replacing ? ["one", "two"] : ["one"] {
      _ = try program.run(["add", text])
      let result = try program.run(["export", "--force", "-o", file], extra: extra)
      try #require(result.code == 0, "\(result.errors)")
      wanted.append(Array(try Data(contentsOf: URL(filePath: file))))
    }
    var disk = CutDisk()
    for operation in try WriteLog(log).operations { disk.take(operation) }
    var generator = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<100 {
      #expect(disk.image(&generator)[file] == wanted.last)
    }
  }

  private func check(
    _ image: [String: [UInt8]], _ journal: String, _ texts: Set<String>, _ note: String
  ) throws {
    let directory = URL(filePath: journal).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    for (name, bytes) in image { try Data(bytes).write(to: URL(filePath: name)) }
    guard image[journal] != nil else {
      #expect(texts.isEmpty, "\(note): the journal is gone")
      return
    }
    do {
      let store = try JournalLocation(path: journal, isExplicit: true).open(mode: .readWrite)
      #expect(try store.check() == [], "\(note)")
      let found = try store.numbers(matching: nil).map { try store.entry($0).text }
      // An edit under way may have replaced one of them.
      let lost = texts.filter { text in
        !found.contains(text) && !found.contains { $0 == "edited \(text.split(separator: " ")[1])" }
      }
      #expect(lost == [], "\(note)")
    } catch let error as StoreError where error.kind == .missing {
      // Cut off while it was made: nothing was acknowledged, and the next writer makes a journal.
      #expect(texts.isEmpty, "\(note): \(error)")
      let store = try JournalLocation(path: journal, isExplicit: true).open(mode: .create)
      #expect(try store.check() == [], "\(note)")
    } catch {
      Issue.record("\(note): \(error)")
    }
  }
}

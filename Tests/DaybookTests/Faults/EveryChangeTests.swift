import Foundation
import TestSupport
import Testing

/// A command is killed before each change that it makes to a file, or that change fails: the journal is
/// sound, and as it was before the command or as it is after it.
///
/// By default some of the changes of each command are tried; `FAULT_STRIDE=1` tries all.
@Suite(.waiting)
struct EveryChangeTests {
  /// What happens at a change.
  enum Fault: CaseIterable, Sendable {
    /// The process dies before it.
    case kill
    /// The process dies before it, and so does the next one, while it recovers.
    case killTwice
    /// It fails, and what the command does next works.
    case failOnce
    /// It fails, and so does the change after it.
    case failTwice
    /// It fails as on a full disk: everything after it, too.
    case fullDisk

    /// The variables of the fault shim.
    func variables(at change: Int) -> [String: String] {
      var extra = ["FAULT_AT": "\(change)", "FAULT_ERRNO": "\(EIO)"]
      switch self {
      case .kill, .killTwice: extra["FAULT_KILL"] = "1"
      case .failOnce: break
      case .failTwice: extra["FAULT_TIMES"] = "2"
      case .fullDisk:
        extra["FAULT_STICKY"] = "1"
        extra["FAULT_ERRNO"] = "\(ENOSPC)"
      }
      return extra
    }
  }

  @Test("every command at every change: all of it or nothing", arguments: CommandScenario.all)
  func everyChange(scenario: CommandScenario) throws {
    let stage = try CommandScenario.Stage(scenario)
    for fault in Fault.allCases {
      let name = "\(scenario.testDescription), \(fault)"
      let last = try Sample(oneIn: 89, of: name).prefix(5_000).first {
        try !trial(stage, fault, $0)
      }
      #expect(last != nil, "\(name): it never came to an end")
    }
  }

  /// - Returns: whether the command came to this change.
  private func trial(
    _ stage: CommandScenario.Stage, _ fault: Fault, _ change: Int
  ) throws -> Bool {
    try stage.reset()
    let note = "\(stage.scenario.testDescription), \(fault) at change \(change)"
    let mark = stage.program.home.path + "/mark"
    unlink(mark)
    let shim = [
      "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": stage.work, "FAULT_MARK": mark,
    ]
    let result = try stage.run(
      shim.merging(fault.variables(at: change)) { _, new in new })
    let isHit = FileManager.default.fileExists(atPath: mark)
    if fault == .killTwice {
      let recovery = fault.variables(at: 1 + change % 4)
      _ = try stage.program.run(
        ["--journal", stage.scenario.journal(in: stage.work), "list"],
        extra: shim.merging(recovery) { _, new in new })
    }
    do {
      let found = try stage.scenario.outcome(in: stage.work)
      #expect(stage.allows(found), "\(note): \(found); \(result.errors)")
      if result.code == 0 {
        #expect(found == stage.after, "\(note), which said that it was done: \(found)")
      } else if !isHit {
        Issue.record("\(note): \(result.code), \(result.errors)")
      }
    } catch {
      Issue.record("\(note): \(error); \(result.errors)")
    }
    return isHit
  }
}

import Foundation

/// Row 21: how long a contributor waits: a release build of a clean clone, a rebuild after one line of
/// `Screen` has changed, and everything that must pass before a change is taken.
struct BuildRow {
  let bench: Bench

  private var clone: String { "\(bench.data.work)/clone" }
  private static let changed = "Sources/Screen/App/State.swift"

  func measure(_ report: inout Report) throws {
    guard FileManager.default.fileExists(atPath: ".git") else {
      report.add(note: "no git repository here: row 21 is left out")
      return
    }
    // The user's own caches of packages, so that no download is measured.
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    func time(_ line: String) throws -> Double {
      try ChildProcess.time(["/bin/sh", "-c", line], environment: environment) / 1_000
    }
    _ = try time("git clone --quiet --no-hardlinks . '\(clone)'")
    let build = "cd '\(clone)' && make --no-print-directory run ARGS=--version 2>/dev/null"
    report.add([
      figure("first release build of a clean clone", try time(build), Goal(most: 180))
    ])
    _ = try time("echo '// One line.' >>'\(clone)/\(Self.changed)'")
    report.add([
      figure("rebuild after a changed line of Screen", try time(build), Goal(most: 20))
    ])
    _ = try time("cd '\(clone)' && git checkout --quiet .")
    report.add([
      figure("the whole of .ci/run", try time("cd '\(clone)' && .ci/run 2>&1"), Goal(most: 480))
    ])
  }

  private func figure(_ name: String, _ seconds: Double, _ goal: Goal) -> Figure {
    Figure(row: 21, name: name, value: seconds, unit: .seconds, goal: goal)
  }
}

import Foundation
import Glibc
import TestSupport

/// The programs that work in a repository of the product now.
enum Children {
  /// Processes whose environment names the repository.
  static func git(in path: String) throws -> [pid_t] {
    let mark = Data("GIT_DIR=\(path)\0".utf8)
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      guard let process = pid_t(name), process != getpid(),
        let variables = try? Data(contentsOf: URL(filePath: "/proc/\(name)/environ")),
        variables.range(of: mark) != nil
      else { return nil }
      return process
    }
  }

  /// Whether they end: a killed process is not gone at once.
  static func areGone(from path: String) throws -> Bool {
    try becomesTrue { try git(in: path).isEmpty }
  }

  /// Kills them without a chance to clean up.
  static func killGit(in path: String) {
    for process in (try? git(in: path)) ?? [] { kill(process, SIGKILL) }
  }
}

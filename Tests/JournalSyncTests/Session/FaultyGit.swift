import Foundation
import JournalSync

/// A program `git` that counts its calls and fails at one of them.
struct FaultyGit {
  /// How a call fails.
  enum Failure: String, CaseIterable {
    /// Nothing is done.
    case before
    /// All is done, and the answer is lost.
    case after
    /// Git is killed in the middle.
    case midway
  }

  private let scratch: Scratch
  private var directory: String { "\(scratch.path)/faulty" }

  init(_ scratch: Scratch) throws {
    self.scratch = scratch
    // `plan` has the number of the failing call or the name of a command, and how it fails.
    try scratch.writeProgram(
      "faulty/git",
      """
      #!/bin/sh
      count=$(($(cat '\(scratch.path)/faulty/count' 2>/dev/null || echo 0) + 1))
      echo $count > '\(scratch.path)/faulty/count'
      read place how < '\(scratch.path)/faulty/plan'
      fails=
      [ "$place" = "$count" ] && fails=1
      for word; do [ "$word" = "$place" ] && fails=1; done
      [ -n "$fails" ] || exec /usr/bin/git "$@"
      case $how in
      before) exit 137 ;;
      after) /usr/bin/git "$@" >/dev/null; exit 137 ;;
      midway)
        /usr/bin/git "$@" <&0 &
        process=$!
        sleep 0.00$((count % 10))
        kill -9 $process
        wait $process
        exit 137 ;;
      esac
      """)
  }

  /// The program that fails at a call, counted from 1.
  func program(failing call: Int, how: Failure) throws -> GitProgram {
    try program(failing: "\(call)", how: how)
  }

  /// The program that fails at each call of a command.
  func program(failing command: String, how: Failure) throws -> GitProgram {
    try scratch.write("faulty/plan", "\(command) \(how)\n")
    try scratch.write("faulty/count", "0\n")
    let variables = scratch.environment.filter { !$0.hasPrefix("PATH=") }
    return try GitProgram(environment: variables + ["PATH=\(directory):/usr/bin:/bin:/usr/sbin"])
  }

  /// The number of calls since the last ``program(failing:how:)``.
  func calls() throws -> Int {
    let text = try String(contentsOfFile: "\(directory)/count", encoding: .utf8)
    return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }
}

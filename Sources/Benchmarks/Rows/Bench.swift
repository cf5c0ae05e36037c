import Glibc

/// What every measurement needs to know.
struct Bench {
  let data: DataFolder
  /// The number of entries of a large journal.
  let large: Int
  /// How often a thing is measured, at least 5.
  let rounds: Int
  let isQuick: Bool
  /// The folder of the built programs.
  let binaries: String

  var daybook: String { "\(binaries)/daybook" }
  var itself: String { "\(binaries)/daybook-bench" }
  var environment: [String] { ChildProcess.environment(home: data.work) }

  /// The environment in which a journal is the usual one.
  func environment(_ journal: String) -> [String] {
    environment + ["DAYBOOK_JOURNAL=\(journal)"]
  }

  /// A count as people write it.
  static func words(_ count: Int) -> String {
    var digits = "\(count)"
    var text = ""
    while digits.count > 3 {
      text = ",\(digits.suffix(3))\(text)"
      digits.removeLast(3)
    }
    return digits + text
  }

  /// What the first picture of the screen ends with; the key before it has a colour of its own.
  static let lastWord = "quit"

  /// Starts the screen over a journal and waits for its first picture.
  func screen(_ journal: String) throws -> (process: TerminalProcess, painted: UInt64) {
    let process = try TerminalProcess([daybook], environment: environment(journal))
    return (process, try process.wait(for: Bench.lastWord))
  }
}

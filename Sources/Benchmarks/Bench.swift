import Foundation

/// The parameters of all measurements.
struct Bench {
  var data: DataDirectory
  /// The number of entries of a large journal.
  var large: Int
  /// The number of rounds of a measurement, at least 5.
  let rounds: Int
  let isQuick: Bool
  let isFull: Bool
  /// Only the keys of row 26 whose page or name contains this.
  var keys: String?
  /// The directory of the built programs.
  let binaries: String
  /// The other programs that are installed.
  let peers: PeerPrograms

  var daybook: String { "\(binaries)/daybook" }
  var itself: String { "\(binaries)/daybook-bench" }
  var environment: [String] { ChildProcess.environment(home: data.work) }

  /// The same parameters over other journals.
  func with(_ data: DataDirectory) -> Bench {
    var bench = self
    bench.data = data
    return bench
  }

  /// The same parameters for large journals of another size.
  func with(large: Int) -> Bench {
    var bench = self
    bench.large = large
    return bench
  }

  /// The sizes of the growth plot.
  var growthSizes: [Int] {
    [1_000, 10_000, 100_000, 1_000_000, 10_000_000].filter { $0 <= (isFull ? 10 * large : large) }
  }

  /// An environment with the given default journal.
  func environment(_ journal: String) -> [String] {
    environment + ["DAYBOOK_JOURNAL=\(journal)"]
  }

  /// A count in words.
  static func words(_ count: Int) -> String {
    var digits = "\(count)"
    var text = ""
    while digits.count > 3 {
      text = ",\(digits.suffix(3))\(text)"
      digits.removeLast(3)
    }
    return digits + text
  }

  /// The end of the screen's first frame; the key before it has another colour.
  static let lastWord = "quit"

  /// Starts the screen over a journal and waits for its first frame.
  func screen(
    _ journal: String, columns: UInt16 = 80, lines: UInt16 = 24
  ) throws -> (process: TerminalProcess, painted: UInt64) {
    let process = try TerminalProcess(
      [daybook], environment: environment(journal), columns: columns, lines: lines)
    return (process, try process.wait(for: Bench.lastWord))
  }
}

/// The programs that Daybook is compared with, as far as they are installed.
struct PeerPrograms {
  var sqlite3: String?
  var jrnl: String?

  /// Looks in the directories of `PATH`.
  ///
  /// - Parameter jrnl: the path of jrnl, where it is not in `PATH`.
  init(jrnl: String? = nil) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let directories = path.split(separator: ":")
    func find(_ name: String) -> String? {
      directories.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }
    sqlite3 = find("sqlite3")
    self.jrnl = jrnl ?? find("jrnl")
  }

  /// The peers that are not there, each with what is left out.
  var missing: [String] {
    [
      sqlite3 == nil ? "sqlite3 is not installed: rows 10 and 13 are without it" : nil,
      jrnl == nil
        ? "jrnl is not installed: rows 10, 11 and the growth are without it; --jrnl names its path"
        : nil,
    ].compactMap(\.self)
  }
}

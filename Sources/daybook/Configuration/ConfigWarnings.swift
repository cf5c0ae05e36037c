import Journal

/// What is wrong in `config.toml`, told on standard error: once for each state of the file, since who
/// runs ten commands has read it after the first.
///
/// `daybook config` tells it always, and so does the screen in its own way.
struct ConfigWarnings {
  private let problems: [String]
  private let path: String?

  /// Takes the problems of a configuration.
  init(_ configuration: Configuration) {
    problems = configuration.problems.map(\.description)
    path = configuration.path
  }

  /// Tells the problems, unless they have been told of this file as it stands.
  ///
  /// - Parameters:
  ///   - isAsked: whether the command is about the configuration.
  ///   - isReadOnly: whether nothing may be written, not even that they have been told.
  func tell(isAsked: Bool, isReadOnly: Bool) {
    guard !problems.isEmpty else { return }
    let mark = "\(Entry.checksum(of: state))\n"
    let record = (try? Places.state()).map { "\($0)/\(Self.file)" }
    if !isAsked {
      // The screen that runs this command has told them.
      if SubProcess.isRunByScreen { return }
      let told = record.flatMap { DraftFile.read($0, limit: 64) }
      if told.map({ String(decoding: $0, as: UTF8.self) }) == mark { return }
    }
    for problem in problems { Console.complain(problem) }
    guard !isReadOnly, let record, let slash = record.lastIndex(of: "/") else { return }
    // Where it cannot be noted it is told again.
    try? DraftFile.makeFolder(String(record[..<slash]))
    try? DraftFile.write(Array(mark.utf8), to: record)
  }

  private static let file = "config-told"

  /// The file as it stands, and what is wrong in it or in what it leads to.
  private var state: String {
    let text = path.flatMap { try? ConfigFile.text($0, called: "config.toml") }
    return ([path ?? "", text ?? ""] + problems).joined(separator: "\n")
  }
}

import JournalApp

/// A line of a configuration file that means nothing; the default holds instead.
struct ConfigProblem: Equatable, Error, CustomStringConvertible {
  /// The file, as short as people call it.
  var file: String
  /// The line, from 1; nil when it is the file as a whole.
  var line: Int?
  /// The column, from 1, when it is known.
  var column: Int?
  /// What is wrong, and what may stand there.
  var message: String

  /// One line, such as `config.toml:3: unknown key "thme", did you mean "theme"?`.
  ///
  /// It may hold words from the file: make it safe where it is written.
  var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(message)"
  }

  /// Says that a word is unknown, and the nearest that is known, else how to find one.
  static func unknown(
    _ kind: String, _ word: String, among words: [String], else advice: String
  ) -> String {
    let nearest = Spelling.nearest(to: word, among: words)
    let help = nearest.map { ", did you mean \"\($0)\"?" } ?? "; \(advice)"
    return "unknown \(kind) \"\(word)\"\(help)"
  }
}

extension Command {
  /// Options of `export` that have a value behind them.
  private static let exportValues: Set = ["--format", "--id", "-o", "--output"]

  /// The words of `export` as the command line takes them: on the screen a file alone is where to
  /// write, since nobody prints a journal there.
  static func exporting(_ words: [String]) -> [String] {
    let places = positions(words)
    guard places.count == 1, let place = places.first, isFile(words[place]),
      words.allSatisfy({ !["-o", "--output"].contains($0) && !$0.hasPrefix("--output=") })
    else { return words }
    var words = words
    words.insert("-o", at: place)
    return words
  }

  /// Whether `export` names no entries of its own, so that the marked ones can be meant.
  static func exportsAnything(_ words: [String]) -> Bool {
    positions(words).isEmpty && !words.contains { $0 == "--id" || $0.hasPrefix("--id=") }
  }

  /// The places of the words that are neither an option nor an option's value.
  private static func positions(_ words: [String]) -> [Int] {
    words.indices.dropFirst().filter { index in
      !words[index].hasPrefix("-") && !exportValues.contains(words[index - 1])
    }
  }

  /// A name with a folder or an ending; words of a query have neither.
  private static func isFile(_ word: String) -> Bool {
    let isTag = word.hasPrefix("#") || word.hasPrefix("@")
    return !isTag && !word.contains(":") && (word.contains("/") || word.dropFirst().contains("."))
  }
}

/// Makes text safe to show: the only way for text of other origin to reach a terminal, in a list, a
/// prompt, a message or on standard output.
///
/// Control characters become substitutes such as `^[`, characters that reorder or hide text become
/// visible or are dropped, and nothing can act as an escape sequence. Stored text is never changed.
/// Strings are valid Unicode already: decode bytes with `String(decoding:as:)`, which shows each
/// invalid part as U+FFFD.
package enum Sanitizer {
  /// The clusters of a one-line field, as far as they fit.
  ///
  /// Invisible clusters have no columns; they keep byte offsets correct.
  ///
  /// - Parameters:
  ///   - columns: the maximum width in columns; only as much of the text is read.
  ///   - showsHidden: whether to show zero-width characters by their numbers, for questions and
  ///     where nothing may be hidden.
  package static func line(
    _ text: String, columns: Int = .max, showsHidden: Bool = false
  ) -> [Cluster] {
    var options = SanitizerOptions()
    options.showsHidden = showsHidden
    var scanner = ClusterScanner(text, options: options)
    var clusters: [Cluster] = []
    var left = columns
    while left > 0, case .cluster(let cluster) = scanner.next() {
      left -= cluster.columns
      if left >= 0 { clusters.append(cluster) }
    }
    return clusters
  }

  /// The lines of a body, each as its clusters; at least one.
  ///
  /// - Complexity: O(n) in the length of the text; ``bodyLines(_:showsHidden:)`` reads on demand.
  package static func body(_ text: String, showsHidden: Bool = false) -> [[Cluster]] {
    Array(bodyLines(text, showsHidden: showsHidden))
  }

  /// The lines of a body, read on demand.
  package static func bodyLines(_ text: String, showsHidden: Bool = false) -> BodyLines {
    BodyLines(text: text, showsHidden: showsHidden)
  }

  /// A text safe for standard output on a terminal: lines stay lines, emoji sequences stay
  /// complete.
  package static func plain(_ text: String) -> String {
    plain(text, isBody: true)
  }

  /// A text safe for a message on one line, for standard error on a terminal.
  package static func plainLine(_ text: String) -> String {
    plain(text, isBody: false)
  }

  private static func plain(_ text: String, isBody: Bool) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) || (isBody && $0 == 0x0A) }
    if isPlain { return text }
    var options = SanitizerOptions()
    options.isBody = isBody
    options.sequences = .whole
    var scanner = ClusterScanner(text, options: options)
    var safe = ""
    while true {
      safe += scanner.skipASCII()
      switch scanner.next() {
      case .cluster(let cluster)?: safe += cluster.text
      case .lineBreak?: safe += "\n"
      case nil: return safe
      }
    }
  }
}

/// The lines of a text shown as a body, made one at a time.
package struct BodyLines: Sequence, Sendable {
  let text: String
  let showsHidden: Bool

  /// Starts at the first line.
  package func makeIterator() -> Iterator {
    var options = SanitizerOptions()
    options.isBody = true
    options.showsHidden = showsHidden
    return Iterator(scanner: ClusterScanner(text, options: options))
  }

  /// Reads the lines one by one.
  package struct Iterator: IteratorProtocol {
    var scanner: ClusterScanner
    private var isAtEnd = false

    init(scanner: ClusterScanner) {
      self.scanner = scanner
    }

    /// The next line without its end; `nil` after the last one.
    package mutating func next() -> [Cluster]? {
      if isAtEnd { return nil }
      var line: [Cluster] = []
      while let token = scanner.next() {
        guard case .cluster(let cluster) = token else { return line }
        line.append(cluster)
      }
      isAtEnd = true
      return line
    }
  }
}

/// Options for showing text.
struct SanitizerOptions {
  /// Whether line ends start new lines and tabs extend to the next stop, as in an entry's body.
  var isBody = false
  /// Whether zero-width characters are shown by their numbers.
  var showsHidden = false
  /// The treatment of emoji sequences after their first part.
  var sequences = Sequences.limited

  /// The kept part of an emoji sequence.
  enum Sequences {
    /// Its first emoji, whose width terminals and ncurses agree on.
    case first
    /// As many emoji as any sequence in use has, for cells, each of which holds one sequence.
    case limited
    /// All of it, where its width does not matter.
    case whole

    /// The maximum number of emoji after the first.
    var limit: Int {
      switch self {
      case .first: 0
      case .limited: 8
      case .whole: .max
      }
    }
  }
}

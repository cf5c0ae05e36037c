/// Makes text safe to show: the one door through which text that we did not write ourselves reaches
/// a terminal, in a list, a prompt, a message or on standard output.
///
/// Control characters become pictures such as `^[`, what turns or hides text becomes visible or is
/// dropped, and nothing is ever taken for an escape sequence. Stored text is never changed. Strings
/// are valid Unicode already: decode bytes with `String(decoding:as:)`, which shows each ill-formed
/// part as U+FFFD.
package enum Sanitizer {
  /// The clusters of a one-line field, as far as they fit.
  ///
  /// Clusters that are not to be seen have no columns; they are there so that byte offsets can be
  /// followed.
  ///
  /// - Parameters:
  ///   - columns: the most columns wanted; no more of the text is read than that takes.
  ///   - showsHidden: shows what takes no room by its number, for questions and where nothing may
  ///     be hidden.
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

  /// The lines of a body, read as they are asked for.
  package static func bodyLines(_ text: String, showsHidden: Bool = false) -> BodyLines {
    BodyLines(text: text, showsHidden: showsHidden)
  }

  /// A text safe for standard output on a terminal: lines stay lines, emoji sequences stay whole.
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
    while let token = scanner.next() {
      switch token {
      case .cluster(let cluster): safe += cluster.text
      case .lineBreak: safe += "\n"
      }
    }
    return safe
  }
}

/// The lines of a text that is shown as a body, made one at a time.
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

  /// Reads line after line.
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

/// How text is to be shown.
struct SanitizerOptions {
  /// Whether line ends start new lines and tabs reach to the next stop, as in an entry's body.
  var isBody = false
  /// Whether characters that take no room are shown by their number.
  var showsHidden = false
  /// What becomes of the parts of emoji sequences behind the first.
  var sequences = Sequences.limited

  /// How much of an emoji sequence is kept.
  enum Sequences {
    /// Its first emoji, as terminals and ncurses measure it alike.
    case first
    /// As much as any emoji in use has, for cells, which stand for one emoji each.
    case limited
    /// All of it, where nothing depends on its width.
    case whole

    /// How many emoji are kept behind the first.
    var limit: Int {
      switch self {
      case .first: 0
      case .limited: 8
      case .whole: .max
      }
    }
  }
}

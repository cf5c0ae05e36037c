/// Reads a text from its beginning, cluster by cluster, and no further than it is asked to.
struct ClusterScanner {
  enum Token: Equatable {
    case cluster(Cluster)
    /// The end of a line, of so many bytes in the source.
    case lineBreak(Int)
  }

  /// Tabs of a body reach to the next multiple of so many columns.
  static let tabWidth = 8

  private let text: String
  private var index: String.Index
  private var builder: ClusterBuilder
  private var waiting: ArraySlice<Cluster> = []
  /// The columns since the start of the line, or since where the text was taken from it.
  private(set) var column: Int

  /// - Parameter column: the column at which the text begins, on which tabs depend.
  init(_ text: String, options: SanitizerOptions, column: Int = 0) {
    self.text = text
    self.column = column
    index = text.startIndex
    builder = ClusterBuilder(options: options)
  }

  /// The first clusters of a one-line field that take so many columns, or more where the last one is
  /// wider than the room left.
  static func line(_ text: String, filling columns: Int) -> [Cluster] {
    var scanner = ClusterScanner(text, options: SanitizerOptions())
    var clusters: [Cluster] = []
    while scanner.column < columns, case .cluster(let cluster) = scanner.next() {
      clusters.append(cluster)
    }
    return clusters
  }

  /// The next cluster or line end; `nil` at the end of the text.
  mutating func next() -> Token? {
    if let cluster = waiting.popFirst() { return token(cluster) }
    guard index < text.endIndex else { return nil }
    if let cluster = nextASCII() { return token(cluster) }
    return nextControl() ?? nextCharacter()
  }

  /// A printable ASCII character that nothing but ASCII follows: it is a cluster by itself, found
  /// without asking Unicode's tables.
  private mutating func nextASCII() -> Cluster? {
    let bytes = text.utf8
    let byte = bytes[index]
    guard (0x20...0x7E).contains(byte) else { return nil }
    let next = bytes.index(after: index)
    guard next == bytes.endIndex || bytes[next] < 0x80 else { return nil }
    index = next
    return Self.printable[Int(byte) - 0x20]
  }

  private static let printable = (UInt8(0x20)...0x7E).map {
    Cluster(text: String(Unicode.Scalar($0)), columns: 1, isSubstitute: false, sourceLength: 1)
  }

  /// A line end or a tab: each a character by itself, whatever follows.
  private mutating func nextControl() -> Token? {
    let start = index
    switch text.unicodeScalars[start].value {
    case 0x0A:
      index = text.utf8.index(after: start)
      return lineFeed(1)
    case 0x0D:
      let next = text.utf8.index(after: start)
      guard next < text.endIndex, text.utf8[next] == 0x0A else { return nil }
      index = text.utf8.index(after: next)
      return lineFeed(2)
    case 0x09:
      index = text.utf8.index(after: start)
      return tab()
    case 0x2028, 0x2029:
      guard builder.options.isBody else { return nil }
      index = text.unicodeScalars.index(after: start)
      return lineBreak(3)
    default: return nil
    }
  }

  private mutating func nextCharacter() -> Token? {
    let character = text[index]
    index = text.index(after: index)
    waiting = builder.clusters(of: character)[...]
    return waiting.popFirst().map { token($0) }
  }

  private mutating func token(_ cluster: Cluster) -> Token {
    column += cluster.columns
    return .cluster(cluster)
  }

  private mutating func lineFeed(_ bytes: Int) -> Token {
    if builder.options.isBody { return lineBreak(bytes) }
    return token(
      Cluster(text: "\u{240A}", columns: 1, isSubstitute: true, sourceLength: bytes))
  }

  private mutating func lineBreak(_ bytes: Int) -> Token {
    column = 0
    return .lineBreak(bytes)
  }

  private mutating func tab() -> Token {
    let width = builder.options.isBody ? Self.tabWidth - column % Self.tabWidth : 1
    return token(
      Cluster(
        text: String(repeating: " ", count: width), columns: width, isSubstitute: false,
        sourceLength: 1))
  }
}

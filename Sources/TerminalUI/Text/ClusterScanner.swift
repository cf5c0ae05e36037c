/// Reads a text from its beginning, cluster by cluster, and no further than it is asked to.
struct ClusterScanner {
  enum Token: Equatable {
    case cluster(Cluster)
    /// The end of a line, of so many bytes in the source.
    case lineBreak(Int)
  }

  private static let tabWidth = 8

  private var characters: String.Iterator
  private var builder: ClusterBuilder
  private var waiting: ArraySlice<Cluster> = []
  private var column = 0

  init(_ text: String, options: SanitizerOptions) {
    characters = text.makeIterator()
    builder = ClusterBuilder(options: options)
  }

  /// The next cluster or line end; `nil` at the end of the text.
  mutating func next() -> Token? {
    if let cluster = waiting.popFirst() { return token(cluster) }
    guard let character = characters.next() else { return nil }
    return fastToken(character) ?? slowToken(character)
  }

  private mutating func fastToken(_ character: Character) -> Token? {
    guard let byte = character.utf8.first, character.utf8.count == 1 else {
      return character == "\r\n" ? lineFeed(2) : nil
    }
    switch byte {
    case 0x20...0x7E:
      return token(
        Cluster(text: String(character), columns: 1, isSubstitute: false, sourceLength: 1))
    case 0x0A: return lineFeed(1)
    case 0x09: return tab()
    default: return nil
    }
  }

  private mutating func slowToken(_ character: Character) -> Token? {
    if builder.options.isBody, character == "\u{2028}" || character == "\u{2029}" {
      return lineBreak(3)
    }
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

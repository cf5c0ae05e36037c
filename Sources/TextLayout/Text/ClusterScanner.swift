/// Reads a text from its beginning, cluster by cluster, on demand.
struct ClusterScanner {
  enum Token: Equatable {
    case cluster(Cluster)
    /// The end of a line, with its length in bytes of the source.
    case lineBreak(Int)
  }

  /// The distance of tab stops in a body, in columns.
  static let tabWidth = 8

  private let text: String
  private var index: String.Index
  private var builder: ClusterBuilder
  private var waiting: ArraySlice<Cluster> = []
  /// The column in the line, counted from the start of the text if the line begins earlier.
  private(set) var column: Int

  /// - Parameter column: the column at which the text begins, for its tabs.
  init(_ text: String, options: SanitizerOptions, column: Int = 0) {
    self.text = text
    self.column = column
    index = text.startIndex
    builder = ClusterBuilder(options: options)
  }

  /// The first clusters of a one-line field that fill a number of columns, or more if the last one
  /// is too wide.
  static func line(_ text: String, filling columns: Int) -> [Cluster] {
    var scanner = ClusterScanner(text, options: SanitizerOptions())
    var clusters: [Cluster] = []
    clusters.reserveCapacity(min(columns, text.utf8.count))
    while scanner.column < columns {
      if scanner.waiting.isEmpty, scanner.index < text.endIndex,
        let cluster = scanner.nextASCII()
      {
        scanner.column += cluster.columns
        clusters.append(cluster)
      } else if case .cluster(let cluster) = scanner.next() {
        clusters.append(cluster)
      } else {
        return clusters
      }
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

  /// A printable ASCII character before another ASCII byte: it is a cluster of its own, found
  /// without Unicode's tables.
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

  /// Skips the printable ASCII characters from here on that are clusters of their own.
  ///
  /// - Returns: the characters, for those who need no clusters.
  mutating func skipASCII() -> Substring {
    let start = index
    guard waiting.isEmpty else { return text[start..<start] }
    let bytes = text.utf8
    while index < bytes.endIndex, (0x20...0x7E).contains(bytes[index]) {
      let next = bytes.index(after: index)
      // A mark may follow.
      guard next == bytes.endIndex || bytes[next] < 0x80 else { break }
      index = next
      column += 1
    }
    return text[start..<index]
  }

  /// A line end or a tab: each is a cluster of its own.
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
        text: TextFit.spaces(width), columns: width, isSubstitute: false, sourceLength: 1))
  }
}

/// Makes clusters from single characters (grapheme clusters) by the rules for showing text.
struct ClusterBuilder {
  /// ncurses prints four marks on a base and silently drops the others.
  static let markLimit = 4
  /// A cluster may have any number of letters; one that can be cut and wrapped may not.
  static let baseLimit = 4

  let options: SanitizerOptions
  private var finished: [Cluster] = []
  private var text = ""
  private var columns = 0
  private var bytes = 0
  private var bases = 0
  private var marks = 0
  /// The number of emoji after the first one of a sequence.
  private var absorbed = 0
  private var base: Unicode.Scalar?
  private var joiner: Unicode.Scalar?
  /// Whether the next scalars belong to an undrawn part of an emoji sequence.
  private var isAbsorbing = false

  init(options: SanitizerOptions) {
    self.options = options
  }

  /// The clusters of a character: one, unless it contains a scalar that must be visible on its own.
  ///
  /// Tabs and line ends are handled elsewhere.
  mutating func clusters(of character: Character) -> [Cluster] {
    clusters(of: character.unicodeScalars)
  }

  /// The same for the scalars of one character.
  mutating func clusters(of scalars: some Sequence<Unicode.Scalar>) -> [Cluster] {
    finished.removeAll(keepingCapacity: true)
    for scalar in scalars { add(scalar) }
    finish()
    return finished
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    switch ScalarClass(scalar) {
    case .spacing(let width): addBase(scalar, width)
    case .spacingMark(let width): addMark(scalar, width)
    case .mark: addMark(scalar, 0)
    case .joiner: addJoiner(scalar)
    case .variation: addVariation(scalar)
    case .hidden where options.showsHidden: substitute(scalar, with: scalar.picture)
    case .hidden, .dropped: bytes += scalar.utf8.count
    case .control, .separator: substitute(scalar, with: scalar.picture)
    case .privateUse: substitute(scalar, with: "?")
    case .invalid: substitute(scalar, with: "\u{FFFD}")
    }
  }

  private mutating func addBase(_ scalar: Unicode.Scalar, _ width: Int) {
    if let base, base.isPictographic, scalar.isPictographic,
      scalar.isSkinTone || joiner?.value == 0x200D
    {
      return absorb(scalar)
    }
    if bases == Self.baseLimit { finish() }
    takeJoiner()
    text.unicodeScalars.append(scalar)
    columns += width
    bytes += scalar.utf8.count
    bases += 1
    marks = 0
    base = scalar
    isAbsorbing = false
  }

  private mutating func absorb(_ scalar: Unicode.Scalar) {
    bytes += scalar.utf8.count
    if absorbed < options.sequences.limit {
      takeJoiner()
      text.unicodeScalars.append(scalar)
      base = scalar
      marks = 0
      absorbed += 1
    } else {
      joiner = nil
      isAbsorbing = true
    }
  }

  private mutating func addMark(_ scalar: Unicode.Scalar, _ width: Int) {
    bytes += scalar.utf8.count
    if isAbsorbing { return }
    if text.isEmpty {
      text = "\u{25CC}"
      columns = 1
      bases = 1
    }
    takeJoiner()
    guard marks < Self.markLimit else { return }
    text.unicodeScalars.append(scalar)
    columns += width
    marks += 1
  }

  private mutating func addJoiner(_ scalar: Unicode.Scalar) {
    bytes += scalar.utf8.count
    if !text.isEmpty { joiner = scalar }
  }

  private mutating func addVariation(_ scalar: Unicode.Scalar) {
    bytes += scalar.utf8.count
    guard let base, marks == 0, joiner == nil, !isAbsorbing else { return }
    let keeps = options.sequences != .first && base.properties.isEmoji
    guard keeps || base.takes(variation: scalar) else { return }
    text.unicodeScalars.append(scalar)
    marks += 1
  }

  /// Inserts a joiner between two scalars, before the second one.
  private mutating func takeJoiner() {
    if let joiner, marks < Self.markLimit, !text.isEmpty {
      text.unicodeScalars.append(joiner)
      marks += 1
    }
    joiner = nil
  }

  private mutating func substitute(_ scalar: Unicode.Scalar, with picture: String) {
    finish()
    finished.append(
      Cluster(
        text: picture, columns: picture.unicodeScalars.count, isSubstitute: true,
        sourceLength: scalar.utf8.count))
  }

  private mutating func finish() {
    if bytes > 0 {
      finished.append(
        Cluster(text: text, columns: columns, isSubstitute: false, sourceLength: bytes))
    }
    text = ""
    (columns, bytes, bases, marks, absorbed) = (0, 0, 0, 0, 0)
    (base, joiner, isAbsorbing) = (nil, nil, false)
  }
}

extension Unicode.Scalar {
  /// The substitute for a scalar that must not reach the terminal.
  ///
  /// `^X` or `<U+202E>`, one column per character.
  fileprivate var picture: String {
    switch value {
    case 0x0A: "\u{240A}"
    case 0...0x1F: "^" + String(UnicodeScalar(UInt8(value) + 0x40))
    case 0x7F: "^?"
    default: "<U+" + hexadecimal + ">"
    }
  }

  private var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// The class of a scalar on the screen: the rows of the rules for showing text.
enum ScalarClass: Equatable {
  /// Has a width of its own, and may carry marks.
  case spacing(Int)
  /// Has a width of its own, but belongs to the preceding scalars.
  case spacingMark(Int)
  /// Has no width and belongs to the preceding scalars.
  case mark
  /// ZWJ and ZWNJ: only between two scalars of one cluster.
  case joiner
  /// A variation selector: only right after a base that takes it.
  case variation
  /// Invisible, and dropped; shown by its number if nothing may be hidden.
  case hidden
  /// Invisible, and always dropped.
  case dropped
  /// Would control or confuse the terminal, and is shown as a substitute or by its number.
  case control
  /// U+2028 and U+2029: a new line in a body, otherwise like a control character.
  case separator
  /// Private use: its shape and its width are unknown.
  case privateUse
  /// Unassigned, or never a character.
  case invalid

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF: self = .spacing(1)
    case 0...0x1F, 0x7F...0x9F: self = .control
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3: self = .spacing(2)
    default: self = Self.special(scalar) ?? Self.byCategory(scalar)
    }
  }

  /// Whether a cluster can begin with it.
  var isBase: Bool {
    if case .spacing = self { true } else { false }
  }

  private static func special(_ scalar: Unicode.Scalar) -> ScalarClass? {
    switch scalar.value {
    case 0x200C, 0x200D: .joiner
    case 0xFE00...0xFE0F: .variation
    case 0x2028, 0x2029: .separator
    case 0x200E, 0x200F, 0x061C, 0xE0100...0xE01EF: .dropped
    case 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0x00AD, 0x180E, 0x034F: .hidden
    case 0x115F, 0x1160, 0x3164, 0xFFA0: .hidden
    case 0x1161...0x11FF, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: .mark
    case 0xE0000...0xE007F: .control
    default: nil
    }
  }

  private static func byCategory(_ scalar: Unicode.Scalar) -> ScalarClass {
    let columns = TextWidth.isWide(scalar) ? 2 : 1
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: .mark
    case .spacingMark: .spacingMark(columns)
    case .format, .control: .control
    case .privateUse: .privateUse
    case .unassigned, .surrogate: .invalid
    case .lineSeparator, .paragraphSeparator: .separator
    default: .spacing(columns)
    }
  }
}

extension Unicode.Scalar {
  /// Whether emoji sequences can begin or continue with it.
  var isPictographic: Bool {
    value > 0xFF && properties.isEmoji
  }

  /// Whether it is one of the five skin tones.
  var isSkinTone: Bool {
    (0x1F3FB...0x1F3FF).contains(value)
  }

  /// Whether a variation selector may follow it without changing its measured width.
  ///
  /// VS15 and VS16 make an emoji narrow or wide in some terminals only, so they stay only if they
  /// request the width it already has.
  func takes(variation selector: Unicode.Scalar) -> Bool {
    switch selector.value {
    case 0xFE0E: isPictographic && TextWidth.columns(of: self) == 1
    case 0xFE0F: isPictographic && TextWidth.columns(of: self) == 2
    default: acceptsStandardVariations
    }
  }

  private var acceptsStandardVariations: Bool {
    switch properties.generalCategory {
    case .otherLetter, .mathSymbol: true
    case .otherPunctuation: value >= 0x3000
    default: value == 0x30
    }
  }
}

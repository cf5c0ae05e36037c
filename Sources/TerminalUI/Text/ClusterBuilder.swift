/// Makes clusters of single characters (grapheme clusters) by the rules for showing text.
struct ClusterBuilder {
  /// ncurses prints four marks on a base and drops the others without a word.
  static let markLimit = 4
  /// A cluster may be made of endlessly many letters; what is cut and wrapped must not be.
  static let baseLimit = 4

  let options: SanitizerOptions
  private var finished: [Cluster] = []
  private var text = ""
  private var columns = 0
  private var bytes = 0
  private var bases = 0
  private var marks = 0
  /// How many emoji follow the first one of a sequence.
  private var absorbed = 0
  private var base: Unicode.Scalar?
  private var joiner: Unicode.Scalar?
  /// Whether what follows belongs to a part of an emoji sequence that is not drawn.
  private var isAbsorbing = false

  init(options: SanitizerOptions) {
    self.options = options
  }

  /// The clusters that show a character: one, unless it contains something that must be seen by
  /// itself.
  ///
  /// Tabs and line ends are not its business.
  mutating func clusters(of character: Character) -> [Cluster] {
    clusters(of: character.unicodeScalars)
  }

  /// The same for scalars that were one character.
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

  /// Puts a joiner that turned out to stand between two scalars before the second one.
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
  /// What is shown for a scalar that must not reach the terminal: `^X` or `<U+202E>`, of columns as
  /// many as characters.
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

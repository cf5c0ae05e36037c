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

/// What of a text a terminal can be trusted to draw in the columns we count.
enum DrawnText {
  /// A cluster's text with the first emoji of a sequence alone, without what changes its width.
  ///
  /// ncurses adds up the parts of a sequence, terminals do or do not: only where nothing depends on it
  /// may a sequence leave whole.
  static func reduced(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.contains(where: { $0.value >= 0x200D && $0.mayWiden }) else { return text }
    var options = SanitizerOptions()
    options.sequences = .first
    var builder = ClusterBuilder(options: options)
    return builder.clusters(of: scalars).map(\.text).joined()
  }
}

extension Unicode.Scalar {
  /// Whether it makes a sequence with what stands before it.
  fileprivate var mayWiden: Bool {
    isSkinTone || value == 0x200D || (0xFE00...0xFE0F).contains(value)
  }
}

/// How text is to be shown.
struct SanitizerOptions {
  /// Whether line ends start new lines and tabs reach to the next stop, as in an entry's body.
  var isBody = false
  /// Whether characters that take no room are shown by their number.
  var showsHidden = false
  /// Whether emoji sequences stay whole, where nothing depends on their width.
  var keepsSequences = false
}

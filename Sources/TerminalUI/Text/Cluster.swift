/// A piece of text that is safe to show: one grapheme cluster, or what is shown in its place.
///
/// Only the ``Sanitizer`` makes clusters, so a control character cannot get into one.
public struct Cluster: Hashable, Sendable {
  /// What is shown; empty for something that is not to be seen.
  public let text: String
  /// The columns it takes.
  public let columns: Int
  /// Whether it is a picture of something that cannot be shown itself, such as `^[` for Escape.
  public let isSubstitute: Bool
  /// How many UTF-8 bytes of the source it stands for; the sum over a text is the text's length.
  public let sourceLength: Int

  /// Whether it is a blank, where a line may be broken.
  var isSpace: Bool { text.first == " " || text.first == "\u{3000}" }
}

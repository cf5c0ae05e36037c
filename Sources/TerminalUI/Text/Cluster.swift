/// A piece of text that is safe to show: one grapheme cluster, or what is shown in its place.
///
/// Only the ``Sanitizer`` makes clusters, so a control character cannot get into one.
public struct Cluster: Hashable, Sendable {
  /// What is shown; empty for something that is not to be seen.
  public let text: String
  private let width: Int32
  private let bytes: Int32
  /// Whether it is a picture of something that cannot be shown itself, such as `^[` for Escape.
  public let isSubstitute: Bool

  /// Makes a cluster; numbers are kept small, since a long text has many of them.
  init(text: String, columns: Int, isSubstitute: Bool, sourceLength: Int) {
    self.text = text
    width = Int32(clamping: columns)
    bytes = Int32(clamping: sourceLength)
    self.isSubstitute = isSubstitute
  }

  /// The columns it takes.
  public var columns: Int { Int(width) }
  /// How many UTF-8 bytes of the source it stands for; the sum over a text is the text's length.
  public var sourceLength: Int { Int(bytes) }

  /// Whether it is a blank, where a line may be broken.
  var isSpace: Bool {
    switch text.utf8.first {
    case 0x20: true
    case 0xE3: text.utf8.elementsEqual("\u{3000}".utf8)
    default: false
    }
  }
}

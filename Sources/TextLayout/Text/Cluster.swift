/// A piece of text that is safe to show: one grapheme cluster, or what is shown in its place.
///
/// Only the ``Sanitizer`` makes clusters, so a control character cannot get into one.
package struct Cluster: Hashable, Sendable {
  /// What is shown; empty for something that is not to be seen.
  package let text: String
  private let width: Int32
  private let bytes: Int32
  /// Whether it is a picture of something that cannot be shown itself, such as `^[` for Escape.
  package let isSubstitute: Bool

  /// Makes a cluster; numbers are kept small, since a long text has many of them.
  init(text: String, columns: Int, isSubstitute: Bool, sourceLength: Int) {
    self.text = text
    width = Int32(clamping: columns)
    bytes = Int32(clamping: sourceLength)
    self.isSubstitute = isSubstitute
  }

  /// The columns it takes.
  package var columns: Int { Int(width) }
  /// How many UTF-8 bytes of the source it stands for; the sum over a text is the text's length.
  package var sourceLength: Int { Int(bytes) }

  /// Whether it is a blank, where a line may be broken.
  var isSpace: Bool {
    switch text.utf8.first {
    case 0x20: true
    case 0xE3: text.utf8.elementsEqual("\u{3000}".utf8)
    default: false
    }
  }
}

extension Cluster {
  var isASCII: Bool { text.utf8.first.map { $0 < 0x80 } ?? false }

  /// Whether a line may be broken beside it although no blank is there.
  ///
  /// That is so in Chinese, Japanese and Korean, and in the scripts of South East Asia, which write
  /// no blanks between words; where their words end, only a dictionary knows.
  var breaksAnywhere: Bool {
    guard !isSubstitute, let first = text.unicodeScalars.first else { return false }
    switch first.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: return true
    default: return columns >= 2 && TextWidth.isWide(first)
    }
  }

  /// Whether it must not begin a line.
  var closes: Bool {
    guard let first = text.unicodeScalars.first else { return false }
    switch first.value {
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3: return false
    // Vowels and signs of Thai and Lao that belong to the letter before them.
    case 0x0E2F...0x0E33, 0x0E45...0x0E46, 0x0EAF...0x0EB3, 0x0EC6: return true
    default: break
    }
    switch first.properties.generalCategory {
    case .closePunctuation, .finalPunctuation: return true
    default: return Self.closingSigns.contains(first)
    }
  }

  /// Whether it must not end a line.
  var opens: Bool {
    guard let first = text.unicodeScalars.first else { return false }
    switch first.value {
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3: return false
    // Vowels of Thai and Lao that are written before their letter.
    case 0x0E40...0x0E44, 0x0EC0...0x0EC4: return true
    default: break
    }
    switch first.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: return true
    default: return false
    }
  }

  private static let closingSigns = Set(
    "、。，．！？：；・…‥ー々〜,.!?:;%ぁぃぅぇぉっゃゅょァィゥェォッャュョ".unicodeScalars)
}

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

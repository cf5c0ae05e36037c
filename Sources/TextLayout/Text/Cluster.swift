/// A piece of text that is safe to show: one grapheme cluster, or its substitute.
///
/// Only the ``Sanitizer`` makes clusters, so they never contain a control character.
package struct Cluster: Hashable, Sendable {
  /// The displayed text; empty for an invisible cluster.
  package let text: String
  private let width: Int32
  private let bytes: Int32
  /// Whether it is a substitute for text that cannot be shown, such as `^[` for Escape.
  package let isSubstitute: Bool

  /// Makes a cluster; its numbers have few bits, since a long text has many clusters.
  init(text: String, columns: Int, isSubstitute: Bool, sourceLength: Int) {
    self.text = text
    width = Int32(clamping: columns)
    bytes = Int32(clamping: sourceLength)
    self.isSubstitute = isSubstitute
  }

  /// The width in columns.
  package var columns: Int { Int(width) }
  /// The length of its source in UTF-8 bytes; the sum over a text is the text's length.
  package var sourceLength: Int { Int(bytes) }

  /// Whether it is a blank, at which a line may be broken.
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

  /// Whether a line may be broken next to it without a blank.
  ///
  /// This holds in Chinese, Japanese and Korean, and in the scripts of South East Asia, which have
  /// no blanks between words; only a dictionary knows where their words end.
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

/// The parts of a text whose width is reliable in a terminal.
enum DrawnText {
  /// A cluster's text with only the first emoji of a sequence, without scalars that change its
  /// width.
  ///
  /// ncurses adds up the parts of a sequence, terminals differ: a sequence may be written
  /// completely only if its width does not matter.
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
  /// Whether it forms a sequence with the scalars before it.
  fileprivate var mayWiden: Bool {
    isSkinTone || value == 0x200D || (0xFE00...0xFE0F).contains(value)
  }
}

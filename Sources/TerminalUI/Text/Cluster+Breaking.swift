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

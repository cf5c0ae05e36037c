import Glibc

/// A rough estimate of how many guesses a passphrase needs.
///
/// It counts bits by the kinds of characters, and few for what people guess first: words, runs,
/// repetitions and years. It is a warning, not a proof.
package struct PassphraseStrength: Hashable, Sendable {
  /// The estimated bits; each doubles the number of guesses.
  package let bits: Double

  /// The bits below which a passphrase is called weak: with Argon2id's cost of half a second a
  /// hundred machines need a year for 32 bits, and a day for 24.
  package static let weak: Double = 40

  /// Whether it should be longer.
  package var isWeak: Bool { bits < Self.weak }

  package init(_ passphrase: Passphrase) {
    let text = String(decoding: passphrase.bytes, as: UTF8.self)
    guard !Self.examples.contains(text.lowercased().filter(\.isLetter)) else {
      self.bits = 1
      return
    }
    let scalars = Array(text.unicodeScalars)
    var bits = 0.0
    var previous: Unicode.Scalar?
    var seen: Set<Unicode.Scalar> = []
    var lettersInRow = 0
    for scalar in scalars {
      defer {
        previous = scalar
        seen.insert(scalar)
      }
      lettersInRow = scalar.properties.isAlphabetic ? lettersInRow + 1 : 0
      if let previous, abs(Int(previous.value) - Int(scalar.value)) <= 1 {
        bits += 0.5
      } else if lettersInRow > 2 {
        // Inside a word a letter makes the next one likely.
        bits += scalar.isASCII ? 2.2 : 3
      } else {
        let pool = log2(Self.pool(of: scalar))
        bits += seen.contains(scalar) ? pool / 2 : pool
      }
    }
    self.bits = bits
  }

  /// Examples of good passphrases that everybody has read, in small letters alone.
  private static let examples: Set = [
    "correcthorsebatterystaple", "correcthorsebattery", "correctbatteryhorsestaple",
    "tobeornottobe", "tobeornottobethatisthequestion", "iloveyou", "letmein", "opensesame",
    "thequickbrownfoxjumpsoverthelazydog",
  ]

  private static func pool(of scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "0"..."9": 10
    case "a"..."z": 26
    case "A"..."Z": 40
    case "\u{20}"..."\u{7E}": 33
    default: 200
    }
  }

  /// The estimate in words.
  package var words: String {
    switch bits {
    case ..<24: "guessed in hours"
    case ..<Self.weak: "weak: guessed by somebody who wants to"
    case ..<64: "good"
    default: "strong"
    }
  }
}

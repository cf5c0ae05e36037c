import CSeal
import Glibc
@_spi(_Unicode) import Swift

/// A passphrase in memory that is wiped when it is no longer used.
package final class Passphrase: Sendable {
  /// Its bytes as typed, usually UTF-8.
  package let bytes: [UInt8]

  /// The longest passphrase that is taken for a journal, in bytes.
  package static let limit = 1024
  /// The longest one that is read: letters that are written as several characters become one.
  package static let longestRead = 4 * limit

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  deinit {
    // In place: no reader of the bytes keeps the array.
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      explicit_bzero(UnsafeMutableRawPointer(mutating: start), buffer.count)
    }
  }
}

// MARK: - Forms

extension Passphrase {
  /// The composed form (NFC), from which new keys are derived: keyboards differ in whether an accent
  /// is a character of its own.
  package var composed: Passphrase { form(\._nfc) ?? self }

  /// Whether another passphrase has the same composed form.
  package func isSame(as other: Passphrase) -> Bool {
    let forms = (composed, other.composed)
    // A form is wiped with its last use.
    return withExtendedLifetime(forms) { forms.0.hasBytes(of: forms.1) }
  }

  private var decomposed: Passphrase { form(\._nfd) ?? self }

  /// Whether it is too long for a new journal, in either form.
  package var isTooLong: Bool { max(bytes.count, composed.bytes.count) > Self.limit }

  /// The forms that may open a journal, the most probable one first.
  ///
  /// Earlier versions derived keys from what was typed, and of longer ones from the first bytes.
  var forms: [Passphrase] {
    var forms = [bytes.count <= Self.limit ? self : Passphrase(Array(bytes.prefix(Self.limit)))]
    for form in [composed, decomposed]
    where form.bytes.count <= Self.limit && !forms.contains(where: { $0.hasBytes(of: form) }) {
      forms.append(form)
    }
    return forms
  }

  private func hasBytes(of other: Passphrase) -> Bool {
    withExtendedLifetime((self, other)) { bytes == other.bytes }
  }

  /// - Returns: `nil` for ASCII, which has one form, and for bytes that are no text.
  private func form<Scalars: Sequence<Unicode.Scalar>>(
    _ path: KeyPath<String, Scalars>
  ) -> Passphrase? {
    guard !bytes.allSatisfy({ $0 < 0x80 }), let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text[keyPath: path])
    return Passphrase(Array(String(scalars).utf8))
  }
}

/// A random secret that opens a journal without its passphrase: 160 bits, to be written down.
///
/// It is shown as eight groups of four letters and digits and a group of check characters, in
/// Crockford's base 32: without I, L, O and U. Reading ignores case, blanks and hyphens, and takes
/// O for 0, and I and L for 1.
package struct RecoveryKey: Hashable, Sendable {
  /// The 20 bytes.
  package let bytes: [UInt8]

  /// Makes a random one.
  ///
  /// - Throws: ``SealError`` when libsodium is missing.
  package static func random() throws(SealError) -> RecoveryKey {
    try SealError.load()
    var bytes = [UInt8](repeating: 0, count: count)
    daybook_seal_random(&bytes, bytes.count)
    return RecoveryKey(bytes: bytes)
  }

  private static let count = 20
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The form to be written down: `QX7M-...-2K4T`.
  package var text: String {
    let numbers = Self.numbers(bytes) + Self.check(bytes)
    let groups = stride(from: 0, to: numbers.count, by: 4).map { start in
      String(decoding: numbers[start..<(start + 4)].map { Self.digits[Int($0)] }, as: UTF8.self)
    }
    return groups.joined(separator: "-")
  }

  /// Reads the written form.
  ///
  /// - Returns: `nil` for another length, a foreign letter, or a mistyped one.
  package init?(_ text: String) {
    var numbers: [UInt8] = []
    for letter in text.uppercased().utf8 where letter != UInt8(ascii: "-") && letter > 32 {
      let plain: UInt8 =
        switch letter {
        case UInt8(ascii: "O"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
        default: letter
        }
      guard let number = Self.digits.firstIndex(of: plain) else { return nil }
      numbers.append(UInt8(number))
    }
    guard numbers.count == Self.count * 8 / 5 + 4 else { return nil }
    let bytes = Self.joined(numbers.dropLast(4))
    guard Self.check(bytes) == Array(numbers.suffix(4)) else { return nil }
    self.bytes = bytes
  }

  /// Five bits of the bytes in each number.
  private static func numbers(_ bytes: [UInt8]) -> [UInt8] {
    var (numbers, rest, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
    for byte in bytes {
      rest = rest << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        numbers.append(UInt8(rest >> UInt32(bits) & 31))
      }
    }
    return numbers
  }

  private static func joined(_ numbers: ArraySlice<UInt8>) -> [UInt8] {
    var (bytes, rest, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
    for number in numbers {
      rest = rest << 5 | UInt32(number)
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: rest >> UInt32(bits)))
      }
    }
    return bytes
  }

  /// 20 bits of a CRC-32, against typing mistakes only.
  private static func check(_ bytes: [UInt8]) -> [UInt8] {
    var code: UInt32 = ~0
    for byte in bytes {
      code ^= UInt32(byte)
      for _ in 0..<8 { code = code & 1 == 0 ? code >> 1 : code >> 1 ^ 0xEDB8_8320 }
    }
    return (0..<4).map { UInt8(code >> (5 * UInt32($0)) & 31) }
  }
}

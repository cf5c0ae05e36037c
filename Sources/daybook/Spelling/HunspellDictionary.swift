import CSpell
import Glibc

/// A dictionary of one language.
protocol SpellingDictionary {
  /// Whether a word is right.
  func knows(_ word: String) -> Bool

  /// The words nearest to a wrong one, the best first.
  func suggestions(for word: String) -> [String]
}

/// A dictionary of hunspell's two files, `en_GB.aff` and `en_GB.dic`.
final class HunspellDictionary: SpellingDictionary {
  private let dictionary: OpaquePointer
  /// Converters between UTF-8 and the dictionary's encoding; nil if that is UTF-8.
  private let encoder: iconv_t?
  private let decoder: iconv_t?

  /// Opens the dictionary of a language such as `en_GB`.
  ///
  /// Only words are passed to the library, in memory; it reads the files of the dictionary and writes none.
  ///
  /// - Throws: ``Failure`` with the Debian package of what is missing.
  init(language: String) throws(Failure) {
    var reason = [CChar](repeating: 0, count: 256)
    guard daybook_spell_load(&reason, reason.count) == 0 else {
      let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw Failure(.noInput, String(decoding: bytes, as: UTF8.self))
    }
    guard Self.isName(language), let path = Self.path(of: language),
      let dictionary = daybook_dictionary_open(path + ".aff", path + ".dic")
    else {
      throw Failure(
        .noInput,
        "there is no dictionary \(language) (on Debian: apt install \(Self.package(of: language)))")
    }
    self.dictionary = dictionary
    let encoding = daybook_dictionary_encoding(dictionary).map { String(cString: $0) } ?? "UTF-8"
    let name = Self.iconvName(of: encoding)
    encoder = name == "UTF-8" ? nil : Self.converter(from: "UTF-8", to: name)
    decoder = name == "UTF-8" ? nil : Self.converter(from: name, to: "UTF-8")
  }

  deinit {
    daybook_dictionary_close(dictionary)
    if let encoder { iconv_close(encoder) }
    if let decoder { iconv_close(decoder) }
  }

  func knows(_ word: String) -> Bool {
    guard let bytes = encoded(word) else { return false }
    return daybook_dictionary_knows(dictionary, bytes) != 0
  }

  func suggestions(for word: String) -> [String] {
    guard let bytes = encoded(word) else { return [] }
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = daybook_dictionary_suggest(dictionary, bytes, &list)
    guard count > 0, let words = list else { return [] }
    defer { daybook_dictionary_free_list(dictionary, &list, count) }
    return (0..<Int(count)).compactMap { words[$0].flatMap(decoded) }
  }

  // MARK: Files

  /// Whether a name is that of a language: it becomes part of a path.
  static func isName(_ language: String) -> Bool {
    !language.isEmpty
      && language.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The path of a language's files without their suffixes; nil if one is missing.
  private static func path(of language: String) -> String? {
    var directories = Places.variable("DICPATH")?.split(separator: ":").map(String.init) ?? []
    if let home = Places.variable("HOME") { directories.append(home + "/.local/share/hunspell") }
    directories += ["/usr/local/share/hunspell", "/usr/share/hunspell", "/usr/share/myspell/dicts"]
    return directories.lazy.map { "\($0)/\(language)" }.first { path in
      access(path + ".aff", R_OK) == 0 && access(path + ".dic", R_OK) == 0
    }
  }

  /// Debian's package of a language: `hunspell-en-gb`, `hunspell-fr`.
  private static func package(of language: String) -> String {
    let parts = language.lowercased().split(separator: "_")
    let hasRegions = ["en", "de", "pt"].contains(parts.first ?? "")
    return "hunspell-" + parts.prefix(hasRegions ? 2 : 1).joined(separator: "-")
  }

  // MARK: Encodings

  /// `ISO8859-1` as glibc names it.
  private static func iconvName(of encoding: String) -> String {
    let name = encoding.uppercased()
    if name == "UTF8" { return "UTF-8" }
    return name.hasPrefix("ISO8859") ? "ISO-8859" + name.dropFirst(7) : name
  }

  private static func converter(from: String, to: String) -> iconv_t? {
    let converter = iconv_open(to, from)
    return converter == iconv_t(bitPattern: -1) ? nil : converter
  }

  /// A word in the dictionary's encoding, with a final NUL; nil if that lacks one of its characters.
  private func encoded(_ word: String) -> [CChar]? {
    let bytes = word.utf8.map { CChar(bitPattern: $0) }
    guard let encoder else { return bytes + [0] }
    return Self.converted(bytes, by: encoder).map { $0 + [0] }
  }

  private func decoded(_ word: UnsafeMutablePointer<CChar>) -> String? {
    guard let decoder else { return String(validatingCString: word) }
    let bytes = Array(UnsafeBufferPointer(start: word, count: strlen(word)))
    return Self.converted(bytes, by: decoder).map { text in
      String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  private static func converted(_ bytes: [CChar], by converter: iconv_t) -> [CChar]? {
    var input = bytes
    var output = [CChar](repeating: 0, count: bytes.count * 4 + 4)
    var (left, room) = (input.count, output.count)
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (from, to) = (input.baseAddress, output.baseAddress)
        return iconv(converter, &from, &left, &to, &room) != -1
      }
    }
    guard isWhole, left == 0 else {
      _ = iconv(converter, nil, nil, nil, nil)
      return nil
    }
    return Array(output.prefix(output.count - room))
  }
}

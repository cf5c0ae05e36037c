import Journal

/// Markdown for links and pictures of other markup languages.
enum MarkupLinks {
  /// A link to an address or a file; without words, the address.
  static func link(_ target: String, _ words: String?) -> String {
    let words = words?.trimmingSpace ?? ""
    guard !words.isEmpty, words != target else {
      return isAddress(target) ? bare(target) : "[\(escaped(target))](\(destination(target)))"
    }
    return "[\(escaped(words))](\(destination(target)))"
  }

  /// A picture.
  static func picture(_ target: String, _ words: String? = nil) -> String {
    "![\(escaped(words?.trimmingSpace ?? ""))](\(destination(target)))"
  }

  /// A link to another page by its name.
  static func page(_ name: String, _ words: String?) -> String {
    let words = words?.trimmingSpace ?? ""
    return words.isEmpty || words == name ? "[[\(name)]]" : "[[\(name)|\(words)]]"
  }

  /// Whether a target has a scheme, such as `https:`.
  static func isAddress(_ target: String) -> Bool {
    let scheme = target.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard (2...20).contains(scheme.count), scheme.count < target.utf8.count else { return false }
    let isScheme = scheme.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
    }
    return isScheme && (target.contains("://") || target.hasPrefix("mailto:"))
  }

  /// Whether a target is a file that is shown as a picture.
  static func isPicture(_ target: String) -> Bool {
    let name = target.lowercased()
    return ["png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "heic", "avif", "eps"].contains {
      name.hasSuffix(".\($0)")
    }
  }

  private static func bare(_ target: String) -> String {
    let isPlain = target.hasPrefix("http://") || target.hasPrefix("https://")
    let isWhole =
      isPlain && !target.utf8.contains { "()<>[]\"`|\\ ".utf8.contains($0) || $0 >= 0x80 }
    return isWhole && !".,:;!?'*_~".contains(target.last ?? " ") ? target : "<\(target)>"
  }

  /// A destination; one with spaces or brackets is between `<` and `>`.
  private static func destination(_ target: String) -> String {
    let isPlain = target.utf8.allSatisfy { $0 > 0x20 && !"()<>".utf8.contains($0) }
    guard !isPlain || target.isEmpty else { return target }
    let inner = target.filter { !"<>\n".contains($0) }
    return "<\(inner)>"
  }

  /// The words of a link, whose brackets would end it.
  private static func escaped(_ words: String) -> String {
    guard words.utf8.contains(where: { "[]\\".utf8.contains($0) }) else { return words }
    return words.reduce(into: "") { result, character in
      if "[]\\".contains(character) { result += "\\" }
      result.append(character)
    }
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmingSpace: String {
    String(decoding: ASCII.trimmed(Array(utf8)[...]), as: UTF8.self)
  }
}

/// The condition of a query on the files that a text names: `has:picture`, `file:*.pdf`, `file:>1M`.
///
/// An entry matches if one of its files is what the test asks for. Names are those in the text; only the
/// journal knows sizes.
package enum FileTest: Hashable, Codable, Sendable {
  /// Any file.
  case any
  case picture
  /// A file of this name, without case and accents; a `*` matches any characters, and a name without one
  /// need not have the suffix.
  case name(String)
  /// A file of so many bytes.
  case size(ClosedRange<Int64>)

  /// The values of `has:`.
  package static let kinds = ["picture", "file"]

  /// Whether one of the files that a text names is what the test asks for; sizes, which no text has, are
  /// not.
  package func holds(for files: [FileLink]) -> Bool {
    switch self {
    case .any: return !files.isEmpty
    case .picture: return files.contains(where: \.isPicture)
    case .name(let pattern):
      let parts = Self.parts(of: pattern)
      return files.contains { file in
        file.keys.contains { Self.matches(Array($0.utf8), parts) }
      }
    case .size: return false
    }
  }

  /// The bytes between the stars of a pattern.
  private static func parts(of pattern: String) -> [[UInt8]] {
    pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(
      Array.init)
  }

  /// Whether a name has the parts in their order, the first at its start and the last at its end.
  ///
  /// - Complexity: the length of the name times that of the pattern.
  private static func matches(_ name: [UInt8], _ parts: [[UInt8]]) -> Bool {
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return parts.first == name
    }
    guard first.count + last.count <= name.count, name.starts(with: first),
      name.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = name[first.count..<name.count - last.count]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else {
        return false
      }
      rest = rest[(start + part.count)...]
    }
    return true
  }
}

extension FileLink {
  /// The compared names: the folded name, and the same without its suffix.
  package var keys: [String] {
    let full = Folding.fold(name)
    let short = Folding.fold(words)
    return short.isEmpty || short == full ? [full] : [full, short]
  }
}

// MARK: - Reading

extension FileTest {
  /// Reads what follows `has:`.
  init(kind: String) throws(QueryError.Problem) {
    switch kind.lowercased() {
    case "picture", "pictures", "image", "photo": self = .picture
    case "file", "files": self = .any
    default: throw .unknownKindOfFile(kind)
    }
  }

  /// Reads what follows `file:`.
  ///
  /// - Parameter isTyped: whether somebody is still typing the value.
  init(_ value: String, isTyped: Bool) throws(QueryError.Problem) {
    if let dots = TextRange.split(value),
      let lower = dots.lower.isEmpty ? 0 : Self.bytes(dots.lower),
      let upper = dots.upper.isEmpty ? .max : Self.bytes(dots.upper)
    {
      guard lower <= upper else { throw .emptyRange(value) }
      self = .size(lower...upper)
      return
    }
    guard let sign = ["<=", ">=", "<", ">", "="].first(where: value.hasPrefix) else {
      let folded = Folding.fold(value)
      guard !folded.isEmpty else { throw .missingValue(field: "file") }
      let stars = folded.utf8.count { $0 == UInt8(ascii: "*") }
      guard stars <= Self.mostStars else { throw .fileSize(value) }
      let isBegun = isTyped && folded.utf8.last != UInt8(ascii: "*") && stars < Self.mostStars
      self = .name(isBegun ? folded + "*" : folded)
      return
    }
    let rest = String(value.dropFirst(sign.count))
    if isTyped, rest.isEmpty {
      self = .any
      return
    }
    guard let size = Self.bytes(rest) else { throw .fileSize(value) }
    switch sign {
    case "<=": self = .size(0...size)
    case ">=": self = .size(size ... .max)
    case "<":
      guard size > 0 else { throw .fileSize(value) }
      self = .size(0...size - 1)
    case ">": self = .size(size + 1 ... .max)
    default: self = .size(size...size)
    }
  }

  /// The most stars of a pattern.
  private static let mostStars = 8

  private static let units: [(name: String, bytes: Int64)] = [
    ("", 1), ("b", 1), ("k", 1_000), ("kb", 1_000), ("m", 1_000_000), ("mb", 1_000_000),
    ("g", 1_000_000_000), ("gb", 1_000_000_000), ("kib", 1 << 10), ("mib", 1 << 20),
    ("gib", 1 << 30),
  ]

  /// More bytes than any file has.
  private static let most: Int64 = 1 << 50

  /// The bytes of `1M`, `1.5 MB` or `500k`.
  package static func bytes(_ text: String) -> Int64? {
    let digits = text.prefix { "0123456789.".contains($0) }
    let unit = text[digits.endIndex...].lowercased().filter { $0 != " " }
    guard let factor = units.first(where: { $0.name == unit })?.bytes else { return nil }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts[0].count <= 18,
      let whole = Digits.number(parts[0].utf8)
    else { return nil }
    let (product, isTooMuch) = Int64(whole).multipliedReportingOverflow(by: factor)
    let bytes = isTooMuch ? most : min(product, most)
    guard parts.count == 2 else { return bytes }
    guard (1...3).contains(parts[1].count), let fraction = Digits.number(parts[1].utf8) else {
      return nil
    }
    var scale: Int64 = 1
    for _ in parts[1] { scale *= 10 }
    return min(bytes + Int64(fraction) * factor / scale, most)
  }
}

extension FileTest: CustomStringConvertible {
  /// The test as it is typed; it reads as the same test.
  package var description: String {
    switch self {
    case .any: "has:file"
    case .picture: "has:picture"
    case .name(let pattern): "file:\(Query.value(pattern))"
    case .size(let range):
      if range.upperBound == .max {
        "file:>=\(range.lowerBound)"
      } else if range.lowerBound == 0 {
        "file:<=\(range.upperBound)"
      } else {
        "file:\(range.lowerBound)..\(range.upperBound)"
      }
    }
  }
}

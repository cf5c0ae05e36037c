import Journal

/// A search in the lines of the help or of a page, without case and accents.
///
/// It finds a text anywhere in a line, as `less` does, because lines of a page have no words to index.
public struct PageSearch: Equatable, Sendable {
  /// What is searched for.
  public var text: String
  /// The first line that was shown when the search began; giving it up leads back there.
  public var origin: Int
  /// The line of the match that was gone to last.
  public var line: Int?

  /// Makes a search.
  public init(text: String = "", origin: Int, line: Int? = nil) {
    self.text = text
    self.origin = origin
    self.line = line
  }

  /// The lines with a match, ascending.
  public func matches(in lines: [String]) -> [Int] {
    lines.indices.filter { !places(in: lines[$0]).isEmpty }
  }

  /// The matches in a line, in bytes of its UTF-8, ascending and apart.
  public func places(in line: String) -> [Range<Int>] {
    let wanted = Array(Folding.fold(text.trimmed).utf8)
    guard !wanted.isEmpty else { return [] }
    // The folded line, and for each of its bytes the character of the line that it comes from.
    var folded: [UInt8] = []
    var sources: [Range<Int>] = []
    var start = 0
    for character in line {
      let end = start + character.utf8.count
      for byte in Folding.fold(String(character)).utf8 {
        folded.append(byte)
        sources.append(start..<end)
      }
      start = end
    }
    var places: [Range<Int>] = []
    var index = 0
    while index + wanted.count <= folded.count {
      if folded[index..<index + wanted.count].elementsEqual(wanted) {
        let last = sources[index + wanted.count - 1]
        places.append(sources[index].lowerBound..<last.upperBound)
        index += wanted.count
      } else {
        index += 1
      }
    }
    return places
  }
}

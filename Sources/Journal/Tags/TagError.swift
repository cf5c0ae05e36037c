/// Why a text is not a tag.
public struct TagError: Error, Equatable, Sendable {
  /// What can be wrong with a tag.
  public enum Problem: Equatable, Sendable {
    /// There is nothing but white space.
    case empty
    /// A character that no tag has.
    case character(Character)
    /// No letter or digit, or a `-` or `/` at an end or beside a `/`.
    case form
  }

  /// What was given.
  public let input: String
  /// What is wrong with it.
  public let problem: Problem
}

extension TagError.Problem {
  /// What is wrong with a text that starts with `#` or `@` and is not a tag.
  static func problem(in typed: String) -> TagError.Problem {
    let strange = typed.dropFirst().first { character in
      !character.unicodeScalars.allSatisfy {
        TagScanner.isLetter($0) || TagScanner.isJoiner($0) || $0 == "/"
      }
    }
    return strange.map { .character($0) } ?? .form
  }
}

extension TagError: CustomStringConvertible {
  /// What is wrong and what a tag looks like, on one line.
  public var description: String {
    switch problem {
    case .empty: "a tag is missing: give a word such as home or @anna"
    case .character(let character):
      "\"\(input)\" is not a tag: \"\(character)\" cannot stand in one;"
        + " use letters, digits, \"-\", \"_\" and \"/\""
    case .form:
      "\"\(input)\" is not a tag: names joined by \"/\", with a letter or digit,"
        + " and no \"-\" or \"/\" at their ends"
    }
  }
}

/// What is wrong with a query, and where.
public struct QueryError: Error, Hashable, Sendable {
  /// What can be wrong with a query.
  public enum Problem: Error, Hashable, Sendable {
    /// A word before a colon that is no field; the field that may have been meant.
    case unknownField(String, suggestion: String?)
    /// A word after `is:` that is nothing an entry can be; the one that may have been meant.
    case unknownFlag(String, suggestion: String?)
    /// A field without a value.
    case missingValue(field: String)
    /// A value that is not a date.
    case date(WhenError)
    /// A value of `words:` or `id:` that is not what the field needs.
    case number(field: String, value: String)
    /// A number of words that no entry can have.
    case noSuchCount(String)
    /// `#` or `@` and something that is not a tag.
    case tag(String)
    /// A quotation mark without its partner.
    case openQuote
    /// An opening parenthesis without its partner, or the other way round.
    case parenthesis(String)
    /// An operator with nothing to work on.
    case missingTerm(after: String)
    /// A word or phrase without letters and digits.
    case noWord(String)
    /// A `*` that does not stand at the end of a word.
    case star(String)
    /// More parentheses and negations inside one another than anybody needs.
    case tooDeep
    /// A query longer than any that a person types.
    case tooLong
    /// More words, tags and fields than anybody needs.
    case tooManyTerms
  }

  /// Where it is wrong, in characters from 1.
  public let column: Int
  /// What is wrong there.
  public let problem: Problem
}

extension QueryError: CustomStringConvertible {
  /// Where and what is wrong, on one line: `column 9: unknown field "sinse:", did you mean
  /// "since:"?`.
  public var description: String { "column \(column): \(problem)" }
}

extension QueryError.Problem: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .unknownField(let name, let suggestion):
      "unknown field \"\(name):\""
        + (suggestion.map { ", did you mean \"\($0):\"?" }
          ?? "; to search for the text put it in quotation marks")
    case .unknownFlag(let name, let suggestion):
      "unknown \"is:\(name)\", "
        + (suggestion.map { "did you mean \"is:\($0)\"?" }
          ?? "there are is:starred, is:untagged, is:deleted and is:edited")
    case .missingValue(let field): "nothing after \"\(field):\""
    case .date(let error): "\(error)"
    case .number("id", let value): "\"\(value)\" is not a number of an entry, as in id:42"
    case .number(_, let value):
      "\"\(value)\" is not a number of words, as in words:>200 or words:100..200"
    case .noSuchCount(let value): "no entry can have \"\(value)\" words"
    case .tag(let text): "\"\(text)\" is not a tag; use letters, digits, \"-\", \"_\" and \"/\""
    case .openQuote: "the quotation mark is never closed"
    case .parenthesis("("): "the parenthesis is never closed"
    case .parenthesis: "this parenthesis was never opened"
    case .missingTerm(let after): "nothing to search for beside \"\(after)\""
    case .noWord(let text): "\"\(text)\" has no letter or digit to search for"
    case .star(let text): "\"\(text)\": a * stands only at the end of a word"
    case .tooLong: "a query has \(QueryParser.lengthLimit) bytes at most"
    case .tooManyTerms: "a query has \(QueryParser.termLimit) words, tags and fields at most"
    case .tooDeep: "more than \(QueryParser.depthLimit) levels inside one another"
    }
  }
}

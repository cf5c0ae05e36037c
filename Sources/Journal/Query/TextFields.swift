/// What a parser knows of the fields in texts: `mood:4` asks for one, `moood:4` is a slip.
package enum TextFields {
  /// Nothing: a name that is near one of the language is a slip.
  case unknown
  /// Texts may have any field: of a query that was checked before.
  case any
  /// The keys of a journal's fields, read when a query has a name of none of the language's.
  case keys(() -> [String])
}

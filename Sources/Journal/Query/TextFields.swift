/// The field names known to the query parser: `mood:4` asks for a field, `moood:4` is a typing error.
package enum TextFields {
  /// Nothing: a name that is near one of the language is a slip.
  case unknown
  /// Texts may have any field: of a query that was checked before.
  case any
  /// The keys of a journal's fields, read when a query has a name that is not in the query language.
  case keys(() -> [String])
}

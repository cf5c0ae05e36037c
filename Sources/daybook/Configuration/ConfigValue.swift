/// A value in a configuration file, of the kinds that mean something in one.
enum ConfigValue: Equatable {
  case text(String)
  case number(Int)
  case flag(Bool)
  /// A table without anything in it; others are told by what they hold.
  case emptyTable
  /// A list, a date, or another kind that no key takes.
  case other(String)
}

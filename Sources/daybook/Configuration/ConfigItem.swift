/// A key with its value in a configuration file, and the line it stands on.
struct ConfigItem: Equatable {
  /// The names of the tables around it, then its own.
  var path: [String]
  /// What it is set to.
  var value: ConfigValue
  /// The line, from 1.
  var line: Int
}

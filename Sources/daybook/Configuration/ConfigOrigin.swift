/// Where the value of a setting comes from.
enum ConfigOrigin: Equatable, CustomStringConvertible {
  /// Nobody said anything.
  case standard
  /// A line of the configuration file.
  case file(String, line: Int)
  /// A variable of the environment.
  case environment(String)
  /// An option of the command line.
  case option(String)

  /// `default`, `config.toml:3`, `environment EDITOR`, `option --journal`.
  var description: String {
    switch self {
    case .standard: "default"
    case .file(let name, let line): "\(name):\(line)"
    case .environment(let name): "environment \(name)"
    case .option(let name): "option \(name)"
    }
  }
}

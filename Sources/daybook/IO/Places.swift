import Files
import Glibc

/// The directories of this user's data and state, by the XDG specification.
enum Places {
  /// The environment variables for the journal's path.
  static func journalVariables() -> [String: String] {
    let names = ["DAYBOOK_JOURNAL", "XDG_DATA_HOME", "HOME"]
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        variable(name).map { (name, $0) }
      })
  }

  /// The directory of drafts and of the history of commands, `$XDG_STATE_HOME/daybook`.
  ///
  /// - Throws: ``Failure`` 73 when neither `XDG_STATE_HOME` nor `HOME` is a directory path.
  static func state() throws(Failure) -> String {
    try directory("XDG_STATE_HOME", ".local/state")
  }

  /// The directory of the configuration, `$XDG_CONFIG_HOME/daybook`; nil when neither
  /// `XDG_CONFIG_HOME` nor `HOME` is a directory path.
  static func configuration() -> String? {
    try? directory("XDG_CONFIG_HOME", ".config")
  }

  /// The directory of files that can be made again, `$XDG_CACHE_HOME/daybook`; nil when neither
  /// `XDG_CACHE_HOME` nor `HOME` is a directory path.
  static func cache() -> String? {
    try? directory("XDG_CACHE_HOME", ".cache")
  }

  /// A typed path with `~/` expanded.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = variable("HOME") else { return path }
    return home + path.dropFirst()
  }

  /// A path with `~/` for the home directory.
  static func abbreviated(_ path: String) -> String {
    guard let home = variable("HOME"), home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }

  /// The names in a typed directory, those of directories with a trailing slash.
  static func names(in typed: String) -> [String] {
    let directory = typed.isEmpty ? "." : expanded(typed)
    return Directory.names(in: directory).map { name in
      var status = stat()
      let isDirectory =
        stat("\(directory)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      return isDirectory ? name + "/" : name
    }
  }

  /// Whether two paths refer to the same file, existing or not; `~/` is the home directory.
  static func isSame(_ path: String, _ other: String) -> Bool {
    canonical(path) == canonical(other)
  }

  /// A typed path without symbolic links; as it is if it leads to no file.
  static func canonical(_ path: String) -> String {
    let whole = expanded(path)
    guard let real = realpath(whole, nil) else { return whole }
    defer { free(real) }
    return String(cString: real)
  }

  /// The value of an environment variable; an empty one counts as unset.
  static func variable(_ name: String) -> String? {
    let value = getenv(name).map { String(cString: $0) }
    return value?.isEmpty == false ? value : nil
  }

  /// Relative paths are ignored, as the specification requires.
  private static func directory(_ name: String, _ inHome: String) throws(Failure) -> String {
    if let path = variable(name), path.hasPrefix("/") { return "\(path)/daybook" }
    guard let home = variable("HOME"), home.hasPrefix("/") else {
      throw Failure(
        .cannotCreate, "HOME is not set to an absolute path; set HOME or \(name)")
    }
    return "\(home)/\(inHome)/daybook"
  }
}

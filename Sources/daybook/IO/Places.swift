import Glibc

/// Where this user's data and state live, after the XDG specification.
enum Places {
  /// The variables that lead to the journal.
  static func journalVariables() -> [String: String] {
    let names = ["DAYBOOK_JOURNAL", "XDG_DATA_HOME", "HOME"]
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        variable(name).map { (name, $0) }
      })
  }

  /// The folder of drafts and of the history of commands, `$XDG_STATE_HOME/daybook`.
  ///
  /// - Throws: ``Failure`` 73 when neither `XDG_STATE_HOME` nor `HOME` names a folder.
  static func state() throws(Failure) -> String {
    try folder("XDG_STATE_HOME", ".local/state")
  }

  /// The folder of the configuration, `$XDG_CONFIG_HOME/daybook`; nil when neither `XDG_CONFIG_HOME`
  /// nor `HOME` names a folder.
  static func configuration() -> String? {
    try? folder("XDG_CONFIG_HOME", ".config")
  }

  /// A path as a person types it, with `~/` for the home.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = variable("HOME") else { return path }
    return home + path.dropFirst()
  }

  /// A path as a person would type it.
  static func abbreviated(_ path: String) -> String {
    guard let home = variable("HOME"), home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }

  /// The names in a folder that was typed, those of folders with a slash behind them.
  static func names(in typed: String) -> [String] {
    let folder = typed.isEmpty ? "." : expanded(typed)
    return DraftFile.names(in: folder).map { name in
      var status = stat()
      let isFolder = stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      return isFolder ? name + "/" : name
    }
  }

  /// Whether two paths lead to the same file, or would; `~/` is the home folder.
  static func isSame(_ path: String, _ other: String) -> Bool {
    canonical(path) == canonical(other)
  }

  private static func canonical(_ path: String) -> String {
    let whole = expanded(path)
    guard let real = realpath(whole, nil) else { return whole }
    defer { free(real) }
    return String(cString: real)
  }

  /// The value of a variable of the environment; an empty one counts as not set.
  static func variable(_ name: String) -> String? {
    let value = getenv(name).map { String(cString: $0) }
    return value?.isEmpty == false ? value : nil
  }

  /// Relative paths do not count, as the specification says.
  private static func folder(_ name: String, _ inHome: String) throws(Failure) -> String {
    if let path = variable(name), path.hasPrefix("/") { return "\(path)/daybook" }
    guard let home = variable("HOME"), home.hasPrefix("/") else {
      throw Failure(
        .cannotCreate, "HOME is not set to an absolute path; set HOME or \(name)")
    }
    return "\(home)/\(inHome)/daybook"
  }
}

import Glibc

/// Where this user's data and state live, after the XDG specification.
enum Places {
  /// The folder of the usual journal, `$XDG_DATA_HOME/daybook`.
  ///
  /// - Throws: ``Failure`` 73 when neither `XDG_DATA_HOME` nor `HOME` names a folder.
  static func data() throws(Failure) -> String {
    try folder("XDG_DATA_HOME", ".local/share")
  }

  /// The usual journal.
  ///
  /// - Throws: ``Failure`` 73 when there is no place for it.
  static func journal() throws(Failure) -> String { try data() + "/journal.sqlite" }

  /// The folder of drafts, `$XDG_STATE_HOME/daybook/drafts`.
  ///
  /// - Throws: ``Failure`` 73 when neither `XDG_STATE_HOME` nor `HOME` names a folder.
  static func drafts() throws(Failure) -> String {
    try folder("XDG_STATE_HOME", ".local/state") + "/drafts"
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

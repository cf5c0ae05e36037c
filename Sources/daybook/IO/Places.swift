import Glibc

/// Where this user's state lives.
enum Places {
  /// The folder of drafts, `$XDG_STATE_HOME/daybook/drafts`.
  ///
  /// - Throws: ``Failure`` 73 when neither `XDG_STATE_HOME` nor `HOME` names a folder.
  static func drafts() throws(Failure) -> String {
    if let state = absolute("XDG_STATE_HOME") { return "\(state)/daybook/drafts" }
    if let home = absolute("HOME") { return "\(home)/.local/state/daybook/drafts" }
    throw Failure(.cannotCreate, "HOME is not set to an absolute path; set HOME or XDG_STATE_HOME")
  }

  /// A variable's value; relative paths do not count, as the XDG specification says.
  private static func absolute(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else {
      return nil
    }
    return value
  }
}

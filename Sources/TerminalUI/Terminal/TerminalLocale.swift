import Glibc

/// The character set of the process, which ncurses, readline and `wcwidth` all ask for.
public enum TerminalLocale {
  /// Takes the user's locale, with UTF-8 in any case, and tells whether the terminal is UTF-8.
  ///
  /// The journal is UTF-8 whatever `LANG` says, so under `LANG=C` only the character type is
  /// replaced. readline reads the environment again at each prompt; that is why the variables
  /// change too. To be called before any thread is started.
  ///
  /// - Returns: False when the user's own locale cannot show UTF-8: the screen then shows `?`.
  @discardableResult
  public static func adopt() -> Bool {
    setlocale(LC_ALL, "")
    if isUTF8 { return true }
    if let all = getenv("LC_ALL"), all.pointee != 0 {
      setenv("LANG", all, 1)
      unsetenv("LC_ALL")
    }
    for name in ["C.UTF-8", "en_US.UTF-8"] where setlocale(LC_CTYPE, name) != nil {
      setenv("LC_CTYPE", name, 1)
      break
    }
    return false
  }

  private static var isUTF8: Bool {
    guard let name = nl_langinfo(Int32(CODESET)) else { return false }
    return String(cString: name) == "UTF-8"
  }
}

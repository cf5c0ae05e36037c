import Screen

/// The commented configuration that `daybook config init` writes.
///
/// It has every setting with its default after a `#` without a blank: a line becomes a setting
/// when its `#` is removed. Names, purposes and values come from ``SettingKey``.
enum ConfigExample {
  /// The text of the file.
  static var text: String {
    let settings = SettingKey.all.map { key in
      "# \(about(key))\n#\(key.name) = \(key.shown(Settings()) ?? key.example)"
    }
    return (settings.isEmpty ? [] : [heading] + settings + [tables]).joined(separator: "\n\n")
      + "\n"
  }

  private static let heading = """
    # The configuration of Daybook. Remove the # of a line to change its setting; the values are the
    # defaults, or examples for settings without one. `daybook config show` prints the settings in
    # use, `man daybook-config` explains them.
    """

  private static let tables = """
    # Queries with names, for :view NAME.
    #[views]
    #work = "#work since:1m"

    # Templates of new entries, templates/NAME.md beside this file; "" for none.
    #[templates]
    #default = "daily"
    #friday = "week"

    # Keys; `daybook config keys` prints all of them in this form, "" removes one.
    #[keys]
    #"x" = "star"
    #"<C-n>" = "move-down"
    #[keys.reading]
    #"<Space>" = "next-entry"

    # A theme of your own, for theme = "mine".
    #[themes.mine]
    #base = "calm"
    #header = "bold #5f87af"
    """

  /// The purpose of a setting as a sentence, with its values if they are few.
  private static func about(_ key: SettingKey) -> String {
    let purpose = key.about.prefix(1).uppercased() + key.about.dropFirst()
    guard !key.values.isEmpty else { return purpose + "." }
    return "\(purpose): \(key.values.joined(separator: ", "))."
  }

  /// Writes the file, and its directory.
  ///
  /// - Throws: ``Failure`` 73 for an existing file unless `replacing`, or when no directory is known.
  static func write(to path: String?, replacing: Bool) throws {
    let edit = try ConfigEdit(path)
    guard replacing || !edit.exists else {
      throw Failure(.cannotCreate, "\(path ?? ""): the file exists; --force replaces it")
    }
    try edit.replace(text)
  }
}

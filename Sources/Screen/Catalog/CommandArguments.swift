import Journal

/// Reading the arguments of commands with a form of their own.
extension Command {
  /// On the screen the first word that is no option is the file of an export; a query may follow.
  static func parseExport(_ rest: String) throws(Failure) -> [String] {
    let words = try words(rest)
    guard !words.isEmpty else {
      throw Failure(message: "export: give a file name, for example :export journal.md")
    }
    let namesFile = words.contains { $0.hasPrefix("-o") || $0.hasPrefix("--output") }
    let file = words.indices.first { index in
      let isValue = index > 0 && ["--format", "--id"].contains(words[index - 1])
      return !isValue && !words[index].hasPrefix("-")
    }
    guard !namesFile, let file else { return ["export"] + words }
    return ["export"] + words[..<file] + ["-o"] + words[file...]
  }

  /// The statistic of the headers may be anywhere among the words.
  static func parseField(_ rest: String) throws(Failure) -> Command {
    var words = try words(rest)
    var statistic: FieldMeasure.Statistic?
    for choice in FieldMeasure.Statistic.allCases {
      guard let place = words.firstIndex(of: "--\(choice.rawValue)") else { continue }
      words.remove(at: place)
      statistic = choice
    }
    guard let name = words.first, Field.isKey(Folding.fold(name)) else {
      throw Failure(message: "field: give a name first; :fields lists them")
    }
    return .field(name, statistic, query: Array(words.dropFirst()))
  }

  static func onEntry(_ verb: Verb, _ rest: String) throws(Failure) -> Command? {
    if verb == .edit, let space = rest.firstIndex(of: " ") {
      let text = String(rest[space...]).trimmed
      if let number = Int64(rest[..<space]) { return .editText(number, text) }
      return .run([verb.rawValue, String(rest[..<space]), "--", text])
    }
    // The shell's parser handles several entries and queries.
    if verb != .edit, rest.contains(" ") || rest.hasPrefix(verb == .show ? "--" : "-") {
      return nil
    }
    return .onEntry(verb, try number(rest, for: verb.rawValue))
  }

  static func parseAdd(_ rest: String) throws(Failure) -> Command? {
    if let template = template(rest) { return .addFromTemplate(template) }
    // The shell's parser handles options; a line with unbalanced quotation marks is text.
    if rest.hasPrefix("--"), (try? words(rest)) != nil { return nil }
    guard !rest.isEmpty else { throw Failure(message: "add: nothing to save; give a text") }
    if DatePrefix.begins(rest) { return .run(["add", "--", rest]) }
    return .add(rest)
  }

  /// Whether a line has an option among its words; one with unbalanced quotation marks is a text.
  static func hasOption(_ rest: String) -> Bool {
    ((try? words(rest)) ?? []).contains { $0.hasPrefix("--") && $0.utf8.count > 2 }
  }

  /// Options that the page of statistics does not have, such as `--format json`, run as in a shell.
  static func parseStatistics(_ rest: String) throws(Failure) -> Command? {
    var (year, field): (Int?, String?) = (nil, nil)
    var rest = rest.trimmed
    while hasOption(rest) {
      // A value may follow its option after `=`.
      let words = rest.split(maxSplits: 2, omittingEmptySubsequences: true) {
        $0 == " " || ($0 == "=" && rest.hasPrefix("--"))
      }
      guard words.count > 1 else { return nil }
      switch words[0] {
      case "--year":
        guard let number = Int(words[1]), 1...9_999 ~= number else {
          throw Failure(message: "stats: \(words[1]) is not a year")
        }
        year = number
      case "--field":
        // The shell's parser says what is wrong with a name.
        guard Field.isKey(Folding.fold(String(words[1]))) else { return nil }
        field = String(words[1])
      default: return nil
      }
      rest = words.count > 2 ? String(words[2]).trimmed : ""
    }
    return .statistics(rest, year: year, field: field)
  }

  /// The template of a line without a text; the text is written in the user's editor.
  private static func template(_ rest: String) -> String? {
    guard rest.hasPrefix("--template"), let words = try? words(rest) else { return nil }
    if words.count == 2, words[0] == "--template" { return words[1] }
    let start = "--template="
    return words.count == 1 && rest.hasPrefix(start) ? String(words[0].dropFirst(start.count)) : nil
  }

  static func viewCommand(_ rest: String) -> Command {
    let words = rest.split(separator: " ", maxSplits: 1)
    switch (words.first, words.count) {
    case ("save"?, 2): return .saveView(String(words[1]).trimmed)
    case ("delete"?, 2): return .deleteView(String(words[1]).trimmed)
    default: return .view(rest)
    }
  }

  /// `KEY VALUE`, `KEY=VALUE`, `KEY?` or `KEY`.
  static func setCommand(_ rest: String) throws(Failure) -> Command {
    let end = rest.firstIndex { $0 == " " || $0 == "=" } ?? rest.endIndex
    var key = String(rest[..<end])
    var value = end < rest.endIndex ? String(rest[rest.index(after: end)...]).trimmed : ""
    if value.hasPrefix("=") { value = String(value.dropFirst()).trimmed }
    if key.hasSuffix("?"), value.isEmpty { key.removeLast() }
    guard !key.isEmpty else { throw Failure(message: "set: give a setting; :set lists them") }
    guard !value.isEmpty else { return .setting(key) }
    return .set(key, unquoted(value))
  }

  /// A text without the quotation marks around it, as a shell or a file would remove them.
  static func unquoted(_ text: String) -> String {
    let quotes: [Character] = ["\"", "'"]
    guard text.count > 1, let first = text.first, quotes.contains(first), text.last == first else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }

  /// The place of the file may be left out.
  static func parseSaveFile(_ rest: String) throws(Failure) -> Command {
    let words = try words(rest)
    let place = words.first.flatMap { Int($0) }
    let paths = place == nil ? words : Array(words.dropFirst())
    guard let path = paths.first, !path.isEmpty else {
      throw Failure(message: "save-file: give a path, for example :save-file 2 ~/photo.jpg")
    }
    guard paths.count == 1, place.map({ $0 > 0 }) ?? true else {
      throw Failure(
        message: "save-file: give a number from 1 and a path, with blanks in quotation marks")
    }
    return .saveFile(place, path)
  }
}

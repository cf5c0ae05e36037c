import Journal

/// Completes the word before the cursor, by what the prompt asks for: tags with their counts, fields
/// and values of queries, dates, commands with their options and arguments.
///
/// A pure function of the words it was given, the line and the cursor. Text after the cursor
/// makes no difference. Names match from their beginning, without case or accents, and are completed
/// as they are stored; tags come by use, the most used first.
package struct Completer: Sendable {
  /// The material for completions.
  package var words: CompletionWords
  /// The most candidates given: more are no help.
  package static let limit = 100

  /// Makes a completer.
  package init(_ words: CompletionWords) {
    self.words = words
  }

  /// The ways to complete the word before the cursor.
  ///
  /// - Parameters:
  ///   - line: The whole text of the prompt.
  ///   - point: The cursor, in bytes of the text's UTF-8.
  /// - Complexity: Linear in the number of words known and, for a command, in the line; the length
  ///   of an entry's text makes no difference.
  package func completion(
    of line: String, at point: Int, for purpose: PromptPurpose
  ) -> Completion {
    let context = CompletionContext(purpose)
    if context == .text, let link = CompletionWord(linkIn: line, endingAt: point) {
      let range = link.start..<link.start + link.text.utf8.count
      return Completion(range: range, candidates: Array(links(link.text).prefix(Self.limit)))
    }
    if context == .text, !words.values.isEmpty,
      let field = FieldBeingTyped(in: line, endingAt: point)
    {
      return values(of: field)
    }
    if purpose == .attachment {
      let path = String(decoding: line.utf8.prefix(max(0, point)), as: UTF8.self)
      return completion(of: CompletionWord(text: path, start: 0), context)
    }
    guard context == .command else {
      let word = CompletionWord(in: line, endingAt: point)
      let found = completion(of: word, context)
      guard context == .text, found.candidates.isEmpty, !word.text.isEmpty else { return found }
      let range = found.range
      return Completion(range: range, candidates: plainWords(word, in: line))
    }
    let place = CommandPlace(line, point, in: words.commands)
    if let file = place.file { return completion(of: file, at: point) }
    guard place.context == .settingValue else { return completion(of: place.word, place.context) }
    return completion(of: place.word, .choice(values(of: place.words.dropFirst().first ?? "")))
  }

  private func completion(of word: CompletionWord, _ context: CompletionContext) -> Completion {
    let found = candidates(for: word.text, context).prefix(Self.limit)
    let range = word.start..<word.start + word.text.utf8.count
    return Completion(range: range, candidates: Array(found))
  }

  /// The completions of a word without a sign: a date as far as it is written, the date of a day
  /// by its name, at the start of a line the name of a field.
  private func plainWords(_ word: CompletionWord, in line: String) -> [CompletionCandidate] {
    let isNumber = word.text.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
    guard !isNumber else { return dates(word.text) }
    // Behind the marks of a list or a task, and in brackets.
    let isFirst = line.utf8.prefix(word.start).reversed().prefix { $0 != 0x0A }
      .allSatisfy { " \t-*+>[]xX.".utf8.contains($0) || 0x30...0x39 ~= $0 }
    let isBracketed = line.utf8.prefix(word.start).last == UInt8(ascii: "(")
    if word.text.hasPrefix("[") {
      return names(words.fields, String(word.text.dropFirst())).map {
        CompletionCandidate("[\($0.text)::")
      }
    }
    let fields = isFirst || isBracketed ? names(words.fields, word.text) : []
    let days = word.text.utf8.count < 3 ? [] : names(When.names, word.text)
    return fields.map { CompletionCandidate($0.text + "::") }
      + days.compactMap { name in
        When.day(named: name.text, today: words.today).map {
          CompletionCandidate($0.description, detail: name.text)
        }
      }
  }

  /// Names of files, in quotation marks where they need them.
  private func completion(of word: PathWord, at point: Int) -> Completion {
    let found = files(word.text).compactMap { file -> CompletionCandidate? in
      guard let text = word.spelling(of: file.text, isOpen: file.isOpen) else { return nil }
      return CompletionCandidate(text, isOpen: file.isOpen)
    }
    return Completion(range: word.start..<point, candidates: Array(found.prefix(Self.limit)))
  }

  /// Candidates that take the whole word's place.
  func candidates(for word: String, _ context: CompletionContext) -> [CompletionCandidate] {
    switch context {
    case .text: tags(endingText: word)
    case .query: query(word)
    case .date: dates(word)
    case .tag: tagNames(word)
    case .entry: entries(word)
    case .entryOrTag: word.first?.isNumber == true ? entries(word) : tagNames(word)
    case .entryOrDate: (word.isEmpty ? [] : entries(word)) + dates(word)
    case .command: names(words.commands.names, word)
    case .theme: names(words.themes, word)
    case .field: names(words.fields, word)
    case .template: names(words.templates, word)
    case .view: names(words.views, word)
    case .viewOrVerb: names(words.views + ["save", "delete"], word)
    case .path: paths(word)
    case .file: files(word)
    case .setting: names(words.settings.map(\.name), word)
    case .settingValue: []
    case .choice(let choices): names(choices, word)
    case .choiceOrField(let choices): names(choices + words.fields, word)
    case .nothing: []
    }
  }

  /// The directory whose files a completion at this place asks for, as it was typed: `~/notes/`, or
  /// empty for the one we are in; `nil` in any other place.
  package func directory(in line: String, at point: Int, for purpose: PromptPurpose) -> String? {
    if purpose == .attachment {
      return Self.directory(of: String(decoding: line.utf8.prefix(max(0, point)), as: UTF8.self))
    }
    guard purpose == .command else { return nil }
    let place = CommandPlace(line, point, in: words.commands)
    guard [.path, .file].contains(place.context) else { return nil }
    return Self.directory(of: place.word.text)
  }

  /// The letters of a title that were typed after `[[`, whose titles ``CompletionWords/titles`` must have;
  /// `nil` in any other place.
  package func linkTarget(in line: String, at point: Int, for purpose: PromptPurpose) -> String? {
    guard CompletionContext(purpose) == .text else { return nil }
    return CompletionWord(linkIn: line, endingAt: point)?.text
  }

  /// The journals that were open lately, then files and directories.
  ///
  /// Names begin with what was typed, case included: so does the file system.
  private func paths(_ typed: String) -> [CompletionCandidate] {
    let recent = words.journals.filter { $0.hasPrefix(typed) }.map { CompletionCandidate($0) }
    return recent + files(typed).filter { file in !recent.contains { $0.text == file.text } }
  }

  /// Files and directories of the directory that was typed; hidden ones only after a full stop.
  private func files(_ typed: String) -> [CompletionCandidate] {
    let directory = Self.directory(of: typed)
    let start = typed.dropFirst(directory.count)
    return words.files.filter { name in
      name.hasPrefix(start) && (name.first != "." || start.first == ".")
    }.map { CompletionCandidate(directory + $0, isOpen: $0.hasSuffix("/")) }
  }

  /// A path as far as its last slash.
  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  private func values(of setting: String) -> [String] {
    words.settings.first { $0.name == setting }?.values ?? []
  }

  /// The names that begin with what was typed.
  func names(_ names: [String], _ typed: String) -> [CompletionCandidate] {
    let start = Folding.fold(typed)
    return names.filter { Folding.fold($0).utf8.starts(with: start.utf8) }
      .map { CompletionCandidate($0) }
  }

  private func entries(_ typed: String) -> [CompletionCandidate] {
    words.entries.filter { String($0.number).hasPrefix(typed) }
      .map { CompletionCandidate(String($0.number), detail: $0.title) }
  }
}

// MARK: - Tags

extension Completer {
  /// The tag at the end of a word of a text: `(#ho`, where it may begin.
  private func tags(endingText word: String) -> [CompletionCandidate] {
    guard let start = CompletionWord.tagStart(in: word) else { return [] }
    let prefix = String(word[..<start])
    return tags(typed: String(word[start...])).map { $0.behind(prefix) }
  }

  /// The tags that begin with what was typed, sign included.
  func tags(typed: String) -> [CompletionCandidate] {
    let isMention = typed.utf8.first == UInt8(ascii: "@")
    return tags(beginning: Tag.key(of: typed))
      .filter { ($0.name.utf8.first == UInt8(ascii: "@")) == isMention }
      .map { CompletionCandidate(Tag.typed($0.name), detail: String($0.count)) }
  }

  /// The names of tags for where no sign is needed; one that is typed stays, and so does a `+` or
  /// `-` before it.
  private func tagNames(_ word: String) -> [CompletionCandidate] {
    guard let first = word.unicodeScalars.first else {
      return tags(beginning: "").map { CompletionCandidate($0.name, detail: String($0.count)) }
    }
    switch first {
    case "#", "@": return tags(typed: word)
    case "+", "-":
      return tagNames(String(word.unicodeScalars.dropFirst())).map { $0.behind(String(first)) }
    default:
      return tags(beginning: Folding.fold(word))
        .map { CompletionCandidate($0.name, detail: String($0.count)) }
    }
  }

  private func tags(beginning key: String) -> [CompletionWords.TagUse] {
    words.tags.map { (Tag.key(of: $0.name), $0) }
      .filter { $0.0.utf8.starts(with: key.utf8) }
      .sorted { ($1.1.count, $0.0) < ($0.1.count, $1.0) }
      .map(\.1)
  }
}

// MARK: - Links

extension Completer {
  /// The ends of a link: titles, days by their names, and days and months as far as they are written.
  private func links(_ typed: String) -> [CompletionCandidate] {
    let end = "]]"
    let titles = words.titles.map { CompletionCandidate($0.title + end, isOpen: true) }
    guard let first = typed.utf8.first else { return titles }
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      let days = names(When.names, typed).compactMap { name in
        When.day(named: name.text, today: words.today).map {
          CompletionCandidate($0.description + end, detail: name.text, isOpen: true)
        }
      }
      return titles + days
    }
    // A month is a target already, and may go on with a day.
    let month = Day(typed + "-01").map { CompletionCandidate($0.monthKey + end, isOpen: true) }
    let dates = dates(typed).map {
      $0.isOpen ? $0 : CompletionCandidate($0.text + end, isOpen: true)
    }
    return titles + (month.map { [$0] } ?? []) + dates
  }
}

// MARK: - Dates

extension Completer {
  private static let days = When.names + ["last-week", "last-month", "last-year"]

  /// Dates as people say them, and the parts of a date as far as it is written: `2026-`, `2026-11`,
  /// `2026-11-21`.
  func dates(_ typed: String) -> [CompletionCandidate] {
    guard let first = typed.utf8.first else {
      return names(Self.days, "") + [CompletionCandidate(year(words.today.year), isOpen: true)]
    }
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return names(Self.days, typed)
    }
    let parts = typed.split(separator: "-", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return years(typed)
    case 2: return months(parts[0], typed)
    case 3: return days(parts[0], parts[1], typed)
    default: return []
    }
  }

  private func year(_ number: Int) -> String { Self.digits(number, 4) + "-" }

  /// This year and those before it, the latest first.
  private func years(_ typed: String) -> [CompletionCandidate] {
    let this = words.today.year
    return (max(1, this - 50)...this).reversed().map(year).filter { $0.hasPrefix(typed) }
      .prefix(10).map { CompletionCandidate($0, isOpen: true) }
  }

  private func months(_ year: Substring, _ typed: String) -> [CompletionCandidate] {
    guard year.utf8.count == 4, Int(year) != nil else { return [] }
    let months = (1...12).map { "\(year)-\(Self.digits($0, 2))" }
    // A month is a date already, and may go on with a day.
    if months.contains(typed) { return [CompletionCandidate(typed + "-", isOpen: true)] }
    return months.filter { $0.hasPrefix(typed) }.map { CompletionCandidate($0, isOpen: true) }
  }

  private func days(
    _ year: Substring, _ month: Substring, _ typed: String
  ) -> [CompletionCandidate] {
    guard year.utf8.count == 4, month.utf8.count == 2, let year = Int(year),
      let month = Int(month), Day(year: year, month: month, day: 1) != nil
    else { return [] }
    let start = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-"
    return (1...Day.length(ofMonth: month, year: year)).map { start + Self.digits($0, 2) }
      .filter { $0.hasPrefix(typed) }.map { CompletionCandidate($0) }
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Completer {
  /// A word of a query: a tag, a field, or a field's value; each may be turned around by a `-`.
  func query(_ word: String) -> [CompletionCandidate] {
    if word.hasPrefix("-") {
      return query(String(word.unicodeScalars.dropFirst())).map { $0.behind("-") }
    }
    if word.hasPrefix("#") || word.hasPrefix("@") { return tags(typed: word) }
    guard let colon = word.unicodeScalars.firstIndex(of: ":") else {
      let typed = word.lowercased()
      return QueryField.all.map { "\($0.name):" }.filter { $0.hasPrefix(typed) }
        .map { CompletionCandidate($0, isOpen: true) }
        + (typed.isEmpty
          ? [] : fields(typed).map { CompletionCandidate($0.text + ":", isOpen: true) })
    }
    let end = word.unicodeScalars.index(after: colon)
    let name = word[..<colon].lowercased()
    guard let field = QueryField.all.first(where: { $0.name == name }) else {
      return queryValues().map { $0.behind(String(word[..<end])) }
    }
    return values(of: field, String(word[end...])).map { $0.behind(String(word[..<end])) }
  }

  /// A day of every year.
  private func everyYear(_ typed: String) -> [CompletionCandidate] {
    let start = "*-"
    guard typed.hasPrefix(start) else { return [CompletionCandidate("*-today")] }
    return dates(String(typed.dropFirst(2))).map { $0.behind(start) }
  }

  private func values(of field: QueryField, _ typed: String) -> [CompletionCandidate] {
    switch field.value {
    case .days where typed.hasPrefix("*"): everyYear(typed)
    case .days: dates(typed) + (typed.isEmpty ? everyYear(typed) : [])
    case .start, .end, .before, .after: dates(typed)
    case .number, .entry: candidates(for: typed, .entry)
    case .field: fields(typed)
    case .tag: candidates(for: typed, .tag)
    case .state, .fileKind, .file, .wordCount, .stored, .target, .source:
      names(field.choices, typed)
    }
  }

  /// The names of fields in texts that queries can ask about as they are.
  private func fields(_ typed: String) -> [CompletionCandidate] {
    let key = Folding.fold(typed)
    return words.fields.filter { name in
      Folding.fold(name).hasPrefix(key)
        && !QueryField.all.contains { $0.name == Folding.fold(name) }
    }.map { CompletionCandidate($0) }
  }
}

import Journal

extension Completer {
  /// The fields of the query language.
  private static let fields = ["is:", "since:", "until:", "on:", "words:", "id:"]
  /// What an entry can be.
  private static let states = ["starred", "untagged", "deleted", "edited"]

  /// A word of a query: a tag, a field, or a field's value; each may be turned around by a `-`.
  func query(_ word: String) -> [CompletionCandidate] {
    if word.hasPrefix("-") {
      return query(String(word.unicodeScalars.dropFirst())).map { $0.behind("-") }
    }
    if word.hasPrefix("#") || word.hasPrefix("@") { return tags(typed: word) }
    guard let colon = word.unicodeScalars.firstIndex(of: ":") else {
      let typed = word.lowercased()
      return Self.fields.filter { $0.hasPrefix(typed) }
        .map { CompletionCandidate($0, isOpen: true) }
    }
    let end = word.unicodeScalars.index(after: colon)
    let field = String(word[..<end])
    return values(of: field.lowercased(), String(word[end...])).map { $0.behind(field) }
  }

  /// A day of every year.
  private func everyYear(_ typed: String) -> [CompletionCandidate] {
    let start = "*-"
    guard typed.hasPrefix(start) else { return [CompletionCandidate("*-today")] }
    return dates(String(typed.dropFirst(2))).map { $0.behind(start) }
  }

  private func values(of field: String, _ typed: String) -> [CompletionCandidate] {
    switch field {
    case "is:": names(Self.states, typed)
    case "on:" where typed.hasPrefix("*"): everyYear(typed)
    case "on:": dates(typed) + (typed.isEmpty ? everyYear(typed) : [])
    case "since:", "until:": dates(typed)
    case "id:": candidates(for: typed, .entry)
    default: []
    }
  }
}

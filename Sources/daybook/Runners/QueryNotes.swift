import Journal
import JournalStore
import Screen

/// What is said of the list that a filter shows.
enum QueryNotes {
  /// The message for a list that a typed filter shows; `nil` if it is what was typed.
  ///
  /// - Throws: the errors of the store.
  static func note(on typed: ListScope, _ event: Event, in store: any EntryStore) throws -> String?
  {
    guard case .list(.shown(let scope, let sections, _, _, _, _)) = event else { return nil }
    if let note = prefixNote(typed, scope) { return note }
    guard sections.allSatisfy({ $0.count == 0 }) else { return nil }
    let meant = try Query.meant(scope.filter) { Set(try store.tagCounts().map(\.key)) }
    return meant.map { "no entry matches \(words(of: scope)); did you mean \($0)?" }
  }

  /// The message when the filter's last word matched as a prefix.
  private static func prefixNote(_ typed: ListScope, _ scope: ListScope) -> String? {
    let words = words(of: typed)
    guard typed.takesPrefix, scope.filter == words + "*" else { return nil }
    // Of a single word no match exists; of several, no entry has all of them.
    return words.allSatisfy { $0.isLetter || $0.isNumber }
      ? "no word \"\(words)\"; showing \(scope.filter)"
      : "no entry matches \(words); showing \(scope.filter)"
  }

  private static func words(of scope: ListScope) -> String {
    scope.filter.split(separator: " ").joined(separator: " ")
  }
}

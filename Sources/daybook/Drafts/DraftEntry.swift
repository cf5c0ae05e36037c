import Journal
import JournalStore

/// The fields of the entry of a draft beside its text, as `daybook add --date --star` says.
struct DraftEntry: Equatable {
  /// When it happened; `nil` for the time when it is saved.
  var created: Moment?
  /// The day of that time; `nil` without one.
  var day: Day?
  var starred = false
  /// The paths of files that somebody chose for it, with `^X a`, Tab or `add --attach`; its text has links to them.
  var files: [String] = []

  /// Whether it says nothing.
  var isEmpty: Bool { self == DraftEntry() }

  /// Takes a line of a draft.
  ///
  /// - Returns: whether the field is one of these.
  mutating func take(_ field: String, _ value: String) -> Bool {
    switch field {
    case "created": created = Moment(value)
    case "day": day = Day(value)
    case "starred": starred = value == "yes"
    case "attach": files += PercentEscapes.decoded(value.utf8).map { [$0] } ?? []
    default: return false
    }
    return true
  }

  /// The lines of a draft.
  var lines: String {
    (created.map { "created \($0)\n" } ?? "") + (day.map { "day \($0)\n" } ?? "")
      + (starred ? "starred yes\n" : "")
      + files.map { "attach \(PathLink.encoded($0))\n" }.joined()
  }

  /// The entry with a text, written now if nothing says otherwise.
  func entry(_ text: String, now: Moment, rule: DayRule) -> NewEntry {
    NewEntry(
      text: text, created: created ?? now, day: day ?? rule.day(of: created ?? now),
      starred: starred, modified: created == nil ? nil : now)
  }
}

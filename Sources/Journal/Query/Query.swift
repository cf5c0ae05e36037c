/// A question to a journal: which entries to show.
///
/// It is what a person typed, understood: dates are days already, words are folded. The language is
/// described at ``parse(_:now:clock:rule:prefixLastWord:)``.
public indirect enum Query: Hashable, Sendable {
  /// Everything that is not in the trash.
  case everything
  /// Entries that all of these match; two or more.
  case and([Query])
  /// Entries that one of these at least matches; two or more.
  case or([Query])
  /// Entries that this does not match.
  case not(Query)
  /// Entries with this word, in the form of ``Folding/words(of:)``.
  case word(String)
  /// Entries with a word that starts like this.
  case prefix(String)
  /// Entries with these words, two or more, one after the other; under `prefix` the last one counts
  /// also when it is the start of a word.
  case phrase([String], prefix: Bool = false)
  /// Entries with the tag of this key or a child of it: `work`, `@anna`.
  case tag(String)
  /// Entries with a tag whose key starts like this.
  case tagPrefix(String)
  /// Entries that are something.
  case flag(Flag)
  /// Entries of this day or later.
  case since(Day)
  /// Entries of this day or earlier.
  case until(Day)
  /// Entries of these days.
  case on(ClosedRange<Day>)
  /// Entries of this day in any year.
  case everyYear(month: Int, day: Int)
  /// Entries with so many words.
  case words(ClosedRange<Int>)
  /// The entry with this number.
  case id(Int64)

  /// What `is:` asks for.
  public enum Flag: String, CaseIterable, Sendable {
    /// The writer starred it.
    case starred
    /// It has no tag.
    case untagged
    /// It is in the trash.
    case deleted
    /// It was changed after it was written.
    case edited
  }
}

extension Query {
  /// The names that may stand before a colon.
  public static let fieldNames = ["is", "since", "until", "on", "words", "id"]

  /// Whether entries in the trash may match: only when the query has `is:deleted` in it.
  ///
  /// Without it, entries in the trash are left out whatever else the query says.
  public var wantsDeleted: Bool {
    switch self {
    case .flag(.deleted): true
    case .and(let parts), .or(let parts): parts.contains(where: \.wantsDeleted)
    case .not(let part): part.wantsDeleted
    default: false
    }
  }
}

import ArgumentParser

extension CompletionKind {
  /// Numbers of entries, with their titles; of those in the trash where the command works there.
  static let entries = journal(.entries)
  /// Words of the query language: tags with their counts, fields, dates.
  static let query = journal(.query)
  /// Dates as people say them.
  static let date = journal(.date)
  /// Names of tags, with their counts.
  static let tags = journal(.tags)
  /// Tags inside a text.
  static let text = journal(.text)

  private static func journal(_ subject: ShellCompletion.Subject) -> CompletionKind {
    .custom { words, _, _ in ShellCompletion(words: words).candidates(subject) }
  }
}

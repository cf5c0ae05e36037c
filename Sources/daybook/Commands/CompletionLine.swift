import ArgumentParser
import Journal
import TextLayout

/// The form in which each shell reads a candidate: all candidates of all lists pass through it.
///
/// Candidates may be names of files that somebody else has chosen, and the script for bash gives
/// them to `compgen -W`, which expands its words as the shell does: `$(command)` would run.
enum CompletionLine {
  /// The line for a candidate; only fish and zsh show a description.
  ///
  /// - Returns: `nil` for a candidate that a shell would not insert as it is: one that is not
  ///   printable on one line, one that begins with `~`, which shells leave unquoted, and for bash one
  ///   with `$`, which bash leaves unquoted, too, or with a backquote.
  static func text(
    _ candidate: String, _ detail: String? = nil, for shell: CompletionShell?
  ) -> String? {
    // By bytes: with a combining mark, a quotation mark is another character, but not for a shell.
    guard let first = candidate.utf8.first, first != UInt8(ascii: "~"),
      candidate.isSame(as: Sanitizing.line(candidate))
    else { return nil }
    let words = detail.map { Sanitizing.line($0, columns: 60) } ?? ""
    switch shell {
    case .bash:
      let isExpanded = candidate.utf8.contains {
        $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "`")
      }
      return isExpanded ? nil : quoted(candidate)
    case .fish: return words.isEmpty ? candidate : "\(candidate)\t\(words)"
    case .zsh:
      let name = Self.replacing([#"\"#: #"\\"#, ":": #"\:"#], in: candidate)
      return words.isEmpty ? name : "\(name):\(words)"
    default: return candidate
    }
  }

  /// One word in single quotes, inside which a shell expands nothing.
  private static func quoted(_ text: String) -> String {
    "'" + replacing(["'": #"'\''"#], in: text) + "'"
  }

  private static func replacing(_ pairs: [Unicode.Scalar: String], in text: String) -> String {
    text.unicodeScalars.map { pairs[$0] ?? String($0) }.joined()
  }
}

extension CompletionKind {
  /// Numbers of entries, with their titles; of entries in the trash for commands on the trash.
  static let entries = journal(.entries)
  /// Words of the query language: tags with their counts, fields, dates.
  static let query = journal(.query)
  /// Dates in words.
  static let date = journal(.date)
  /// Names of tags, with their counts.
  static let tags = journal(.tags)
  /// Names of fields in use.
  static let fields = journal(.fields([]))
  /// Orders of lists, also by a field.
  static let orders = journal(.fields(ListOrder.allCases.map(\.rawValue)))
  /// Kinds of sections, also of a field.
  static let sections = journal(.fields(Grouping.allCases.map(\.rawValue)))
  /// Tags inside a text.
  static let text = journal(.text)
  /// Names of themes.
  static let themes = names { Configuration.ofUser.themes.names }
  /// Names of templates.
  static let templates = names { Configuration.ofUser.templates.names }

  private static func names(_ list: @escaping @Sendable () -> [String]) -> CompletionKind {
    .custom { _, _, _ in list().compactMap { CompletionLine.text($0, for: .requesting) } }
  }

  private static func journal(_ subject: ShellCompletion.Subject) -> CompletionKind {
    .custom { words, _, _ in ShellCompletion(words: words).candidates(subject) }
  }
}

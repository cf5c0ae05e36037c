/// Which template a new entry begins with, where, and when.
public struct TemplateRule: Hashable, Sendable {
  /// The journal's path as typed; nothing for all journals.
  public var journal: String?
  /// The weekday, 1 for Monday; nothing for all days.
  public var weekday: Int?
  /// The template's name; empty for none.
  public var name: String

  /// Makes a rule.
  public init(journal: String? = nil, weekday: Int? = nil, name: String) {
    self.journal = journal
    self.weekday = weekday
    self.name = name
  }

  /// The names a rule may have in a configuration, the usual one first, then Monday to Sunday.
  public static let keys = [
    "default", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The rule's name in a configuration.
  public var key: String { Self.keys[weekday ?? 0] }
}

extension Settings {
  /// The rule for a new entry, if there is one: that of its journal before that of all journals, that
  /// of its weekday before that of all days.
  ///
  /// - Parameter isJournal: whether a path is that of the entry's journal.
  public func templateRule(weekday: Int, isJournal: (String) -> Bool) -> TemplateRule? {
    let own = templates.filter { $0.journal.map(isJournal) ?? false }
    for rules in [own, templates.filter { $0.journal == nil }] {
      if let rule = rules.last(where: { $0.weekday == weekday }) { return rule }
      if let rule = rules.last(where: { $0.weekday == nil }) { return rule }
    }
    return nil
  }
}

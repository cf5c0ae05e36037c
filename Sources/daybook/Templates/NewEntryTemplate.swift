import Journal
import JournalApp
import JournalStore

/// The template that a new entry begins with, found and filled in.
struct NewEntryTemplate {
  /// The text with its places filled in; empty without a template.
  private(set) var filled = FilledTemplate()
  /// What is wrong, a line each; none of it keeps anybody from writing.
  private(set) var warnings: [String] = []

  /// No template.
  init() {}

  /// Finds and fills in a template.
  ///
  /// - Parameters:
  ///   - name: its name; empty for none; nothing for the one that the configuration names for this
  ///     journal and day.
  ///   - journal: the journal's path.
  ///   - store: gives the journal, where open task items are asked for.
  /// - Throws: ``Failure`` 66 for a name that is none, and what the store throws. A template that the
  ///   configuration names and that is not there is only warned of.
  init(
    _ name: String?, journal: String, created: Moment, day: Day,
    configuration: Configuration = .ofUser, store: () throws -> any EntryStore
  ) throws {
    let rule =
      name == nil
      ? configuration.settings.templateRule(weekday: day.weekday) {
        Places.isSame($0, journal)
      } : nil
    guard let wanted = name ?? rule?.name, !wanted.isEmpty else { return }
    let template: Template
    do {
      template = try configuration.templates.template(named: wanted)
    } catch {
      guard let rule else { throw error }
      let origin = configuration.origin(of: rule.path.joined(separator: "."))
      warnings = ["\(origin): \(error.message)"]
      return
    }
    let items = template.needsOpenItems ? try CarryOver.openItems(in: store(), before: day) : []
    filled = template.filled(
      with: .init(
        created: created, day: day,
        style: configuration.settings.dateStyle(names: .ofUser), openItems: items))
    warnings = filled.problems.map { "\(TemplateLibrary.file(wanted)):\($0.line): \($0)" }
  }
}

extension TemplateRule {
  /// The names that lead to it in a configuration file.
  var path: [String] { ["templates"] + (journal.map { [$0] } ?? []) + [key] }
}

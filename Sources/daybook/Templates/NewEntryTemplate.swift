import Journal
import JournalStore
import Markdown
import Screen

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

/// The user's templates: files `NAME.md` in the folder `templates` beside `config.toml`.
///
/// A file is read when its template is used and not before.
struct TemplateLibrary {
  /// The folder; nothing where no folder of the configuration is known.
  var folder: String?

  /// The names of the templates, in order.
  var names: [String] {
    guard let folder else { return [] }
    return DraftFile.names(in: folder).filter { $0.hasSuffix(".md") }
      .map { String($0.dropLast(3)) }.filter { !$0.isEmpty && !$0.hasPrefix(".") }.sorted()
  }

  /// What messages call a template's file.
  static func file(_ name: String) -> String { "templates/\(name).md" }

  /// The template with a name.
  ///
  /// - Throws: ``Failure`` 66 when there is none, naming the nearest and where it could be; 78 for a
  ///   file that cannot be read.
  func template(named name: String) throws(Failure) -> Template {
    let text: String?
    do {
      text = try fileText(name)
    } catch {
      throw Failure(.notUsable, error.description.replacingIgnored)
    }
    guard var text else { throw missing(name) }
    // An editor ends the last line; the line after it is not meant.
    if text.utf8.last == UInt8(ascii: "\n") { text = String(Substring(text.utf8.dropLast())) }
    return Template(text)
  }

  /// A name is no path: nothing outside of the folder can be named.
  private func fileText(_ name: String) throws(ConfigProblem) -> String? {
    guard let folder, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
    return try ConfigFile.text("\(folder)/\(name).md", called: Self.file(name))
  }

  private func missing(_ name: String) -> Failure {
    let nearest = Spelling.nearest(to: name, among: names)
    let advice =
      nearest.map { "did you mean \"\($0)\"?" }
      ?? folder.map { "write it as \($0)/\(name.contains("/") ? "NAME" : name).md" }
      ?? "set HOME or XDG_CONFIG_HOME"
    return Failure(.noInput, "no template \"\(name)\"; \(advice)")
  }
}

extension String {
  /// A problem of a file that is read for one purpose only: there is nothing else it could be ignored
  /// for.
  fileprivate var replacingIgnored: String {
    let end = "; the file is ignored"
    return hasSuffix(end) ? String(dropLast(end.count)) : self
  }
}

/// Task items that were left open.
enum CarryOver {
  /// How far back open items are looked for, in entries.
  private static let lookBack = 1_000

  /// The open items of the last day before another one that has some, in the order they were written.
  ///
  /// - Throws: what the store throws.
  static func openItems(in store: any EntryStore, before day: Day) throws -> [String] {
    var found: (day: Day, texts: [String])?
    try store.forEachEntry(
      of: .entries(query: .until(day.adding(days: -1)), limit: Self.lookBack)
    ) { _, entry in
      if let found, found.day != entry.day { return false }
      let isOpen = Document(entry.text).taskItems.contains { $0.box.state == .open }
      if isOpen { found = (entry.day, (found?.texts ?? []) + [entry.text]) }
      return true
    }
    // Newest entries come first; the items are wanted as they were written.
    return CarriedItems.lines(from: found?.texts.reversed() ?? [])
  }
}

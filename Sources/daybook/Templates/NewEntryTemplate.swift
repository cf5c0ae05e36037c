import Files
import Journal
import JournalStore
import Markdown
import Screen

/// The template of a new entry, found and filled in.
struct NewEntryTemplate {
  /// The text with its placeholders replaced; empty without a template.
  private(set) var filled = FilledTemplate()
  /// The errors, one per line; none of them blocks writing.
  private(set) var warnings: [String] = []

  /// No template.
  init() {}

  /// Finds and fills in a template.
  ///
  /// - Parameters:
  ///   - name: its name; empty for no template; nil for the configured one of this journal and day.
  ///   - journal: the journal's path.
  ///   - store: returns the journal, if open task items are needed.
  /// - Throws: ``Failure`` 66 for an unknown name, and the error of the store. A missing template
  ///   of the configuration is only a warning.
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
  /// Its path in a configuration file.
  var path: [String] { ["templates"] + (journal.map { [$0] } ?? []) + [key] }
}

/// The user's templates: files `NAME.md` in the directory `templates` beside `config.toml`.
///
/// Each file is read when its template is used.
struct TemplateLibrary {
  /// The directory; nil if no configuration directory is known.
  var directory: String?

  /// The names of the templates, in order.
  var names: [String] {
    guard let directory else { return [] }
    return Directory.names(in: directory).filter { $0.hasSuffix(".md") }
      .map { String($0.dropLast(3)) }.filter { !$0.isEmpty && !$0.hasPrefix(".") }.sorted()
  }

  /// The name of a template's file in messages.
  static func file(_ name: String) -> String { "templates/\(name).md" }

  /// The template with a name.
  ///
  /// - Throws: ``Failure`` 66 if it does not exist, with the nearest one and its path; 78 for an
  ///   unreadable file.
  func template(named name: String) throws(Failure) -> Template {
    let text: String?
    do {
      text = try fileText(name)
    } catch {
      throw Failure(.notUsable, "\(error.file): \(error.message)")
    }
    guard var text else { throw missing(name) }
    // An editor terminates the last line; that line feed is not part of the text.
    if text.utf8.last == UInt8(ascii: "\n") { text = String(Substring(text.utf8.dropLast())) }
    return Template(text)
  }

  /// A name is not a path: it cannot refer to files outside the directory.
  private func fileText(_ name: String) throws(ConfigProblem) -> String? {
    guard let directory, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      return nil
    }
    return try ConfigFile.text("\(directory)/\(name).md", called: Self.file(name))
  }

  private func missing(_ name: String) -> Failure {
    let nearest = Spelling.nearest(to: name, among: names)
    let advice =
      nearest.map { "did you mean \"\($0)\"?" }
      ?? directory.map { "write it as \($0)/\(name.contains("/") ? "NAME" : name).md" }
      ?? "set HOME or XDG_CONFIG_HOME"
    return Failure(.noInput, "no template \"\(name)\"; \(advice)")
  }
}

/// Task items that are still open.
enum CarryOver {
  /// The maximum number of earlier entries to search for open items.
  private static let lookBack = 1_000

  /// The open items of the latest earlier day that has some, in the order they were written.
  ///
  /// - Throws: the error of the store.
  static func openItems(in store: any EntryStore, before day: Day) throws -> [String] {
    var found: (day: Day, texts: [String])?
    try store.forEachEntry(
      of: .entries(query: .until(day.adding(days: -1)), limit: Self.lookBack)
    ) { _, entry in
      if let found, found.day != entry.day { return false }
      // Most texts have no box, and need no parser.
      let isOpen =
        entry.text.utf8.contains(UInt8(ascii: "["))
        && Document(entry.text).taskItems.contains { $0.box.state == .open }
      if isOpen { found = (entry.day, (found?.texts ?? []) + [entry.text]) }
      return true
    }
    // Newest entries come first; the items are wanted as they were written.
    return CarriedItems.lines(from: found?.texts.reversed() ?? [])
  }
}

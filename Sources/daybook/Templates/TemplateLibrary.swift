import Journal
import JournalApp

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

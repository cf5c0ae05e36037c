import Journal

/// The further names of the notes of a vault, by which links of Obsidian may name them: `aliases` in front matter.
///
/// A link by an alias becomes one to the title of the note's entry, or to the day of a daily note. The name of a
/// file comes before an alias, and of several notes with an alias the first one has it.
struct NoteAliases: Sendable {
  /// The targets of links, by the keys of the aliases.
  private var targets: [String: String] = [:]

  init() {}

  /// Reads the front matter of the notes; those that cannot be read have no aliases.
  ///
  /// - Throws: `GivenUp`.
  init(of directory: any ImportDirectory, _ options: ImportOptions) throws {
    let files = directory.files.filter(NotePaths.isNote)
    let names = Set(files.map { Journal.Link.key(of: String($0.fileParts.name)) })
    for file in files {
      do {
        let stream = try directory.open(file)
        guard Self.mayHaveAliases(try stream.peek(Self.headLength)) else { continue }
        add(LineEnds.unified(try stream.rest()), file, besides: names, options)
      } catch let error as GivenUp {
        throw error
      } catch {}
    }
  }

  /// The target of a link by an alias; `nil` for another name.
  func target(of name: String) -> String? {
    targets.isEmpty ? nil : targets[Journal.Link.key(of: name)]
  }

  private static let headLength = 16 << 10

  private static func mayHaveAliases(_ head: [UInt8]) -> Bool {
    head.starts(with: "---".utf8)
      && String(decoding: head, as: UTF8.self).lowercased().contains("alias")
  }

  private mutating func add(
    _ bytes: [UInt8], _ file: String, besides names: Set<String>, _ options: ImportOptions
  ) {
    var lines = TextLines(bytes)
    var matter = FrontMatter(&lines)
    guard let value = matter?.takeValues(["aliases", "alias"]),
      let target = Self.target(bytes, file, options)
    else { return }
    let aliases: [String] =
      if case .text(let text) = value { text.split(separator: ",").map(String.init) } else {
        value.texts
      }
    for alias in aliases {
      let key = Journal.Link.key(of: alias)
      guard case .title = Journal.Link.target(ofKey: key), !key.isEmpty, !names.contains(key),
        targets[key] == nil
      else { continue }
      targets[key] = target
    }
  }

  /// What names the entry of a note: its day for a daily note, else its title.
  private static func target(_ bytes: [UInt8], _ file: String, _ options: ImportOptions) -> String?
  {
    if let name = DatedName(path: file, order: options.nameOrder), name.isDay, name.title.isEmpty {
      return name.time.day.description
    }
    var source = MarkdownSource(bytes, path: file, options: options)
    guard case .entry(let entry, _)? = try? source.next() else { return nil }
    return Journal.Link.targets(naming: Entry.title(of: entry.text)).first
  }
}

import Files
import Glibc
import JournalStore
import Screen

/// Edits views in `config.toml` and changes nothing else: comments, order, line ends, links and
/// permissions stay.
///
/// A line is inserted, replaced or removed as text. The result is parsed before it is written:
/// unless it equals the old file except for this view, nothing is written, and the message contains
/// the line to write by hand.
struct ConfigEdit {
  private let path: String
  private static let table = "views"

  /// Opens a file, which need not exist yet.
  ///
  /// - Throws: ``Failure`` when no directory is known.
  init(_ path: String?) throws(Failure) {
    guard let path else {
      throw Failure(.cannotCreate, "no directory for config.toml; set HOME or XDG_CONFIG_HOME")
    }
    self.path = path
  }

  /// Sets the query of a view.
  ///
  /// - Returns: whether the view is new.
  /// - Throws: ``Failure`` when the file is not TOML, has the view in another form, or cannot be
  ///   written.
  func set(_ view: SavedView) throws -> Bool {
    let line = "\(TOMLText.key(view.name)) = \(TOMLText.quoted(view.query))"
    let text = try read()
    let old = try document(text)
    let place = old.items.first { $0.path == [Self.table, view.name] }
    var lines = Lines(text)
    if let place {
      lines.replace(place.line, with: line)
    } else if let last = old.items.last(where: { $0.path.first == Self.table })?.line
      ?? lines.header(Self.table)
    {
      lines.insert(line, below: last)
    } else {
      lines.append(table: Self.table, line)
    }
    let wanted = old.items.filter { $0.path != [Self.table, view.name] }
    try write(
      lines.text, wanted: wanted.map(Self.entry) + [([Self.table, view.name], .text(view.query))],
      byHand: line)
    return place == nil
  }

  /// Removes a view.
  ///
  /// - Throws: ``Failure``, as for ``set(_:)``.
  func remove(view name: String) throws {
    let text = try read()
    let old = try document(text)
    guard let place = old.items.first(where: { $0.path == [Self.table, name] }) else { return }
    var lines = Lines(text)
    lines.remove(place.line)
    try write(
      lines.text, wanted: old.items.filter { $0.path != [Self.table, name] }.map(Self.entry),
      byHand: nil)
  }

  // MARK: The file

  /// Whether there is a file, or anything else, at the path.
  var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private func read() throws -> String {
    do {
      return try ConfigFile.text(path, called: ConfigReader.file) ?? ""
    } catch {
      throw Failure(.inputOutput, "\(error); nothing was written")
    }
  }

  private func document(_ text: String) throws -> ConfigDocument {
    do {
      return try ConfigDocument(text, file: ConfigReader.file)
    } catch {
      throw Failure(.notUsable, "\(error); repair it first")
    }
  }

  private static func entry(_ item: ConfigItem) -> (path: [String], value: ConfigValue) {
    (item.path, item.value)
  }

  private func write(
    _ text: String, wanted: [(path: [String], value: ConfigValue)], byHand line: String?
  ) throws {
    let found = (try? ConfigDocument(text, file: ConfigReader.file))?.items.map(Self.entry) ?? []
    // A table without its last line is irrelevant.
    let kept = found.filter { $0.value != .emptyTable }
    let same = { (items: [(path: [String], value: ConfigValue)]) in
      items.filter { $0.value != .emptyTable }.map { "\($0.path)\($0.value)" }.sorted()
    }
    guard same(kept) == same(wanted) else {
      let advice = line.map { "add \($0) below [views] by hand" } ?? "remove it by hand"
      throw Failure(.notDone, "config.toml has its views in another form; \(advice)")
    }
    try replace(text)
  }

  /// Replaces the file and keeps its permissions; the target of a link is replaced.
  ///
  /// A new file has mode 0600, its directory 0700.
  ///
  /// - Throws: ``Failure`` when it cannot be written.
  func replace(_ text: String) throws {
    let target = Self.resolved(path) ?? path
    var status = stat()
    let isThere = stat(target, &status) == 0
    if !isThere { try DraftFile.makeDirectory(Directory.of(target)) }
    Leftovers.remove(beside: target)
    do {
      try AtomicFile(target, mode: isThere ? status.st_mode & 0o7777 : 0o600)
        .write(Array(text.utf8))
    } catch {
      throw Failure.system(error.code, path)
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// The lines of a text, each with its end.
private struct Lines {
  private var lines: [String]
  private let end: String

  init(_ text: String) {
    end = text.utf8.contains(0x0D) ? "\r\n" : "\n"
    var lines: [String] = []
    var rest = text.unicodeScalars[...]
    while let feed = rest.firstIndex(of: "\n") {
      lines.append(String(rest[...feed]))
      rest = rest[rest.index(after: feed)...]
    }
    if !rest.isEmpty { lines.append(String(rest)) }
    self.lines = lines
  }

  var text: String { lines.joined() }

  /// The line of a table's header, from 1.
  func header(_ name: String) -> Int? {
    lines.firstIndex { line in
      let words = line.unicodeScalars.prefix { $0 != "#" }
        .filter { !$0.properties.isWhitespace }
      return String(String.UnicodeScalarView(words)) == "[\(name)]"
    }.map { $0 + 1 }
  }

  /// Replaces a line; a comment after the value stays.
  mutating func replace(_ number: Int, with line: String) {
    guard lines.indices.contains(number - 1) else { return }
    let old = lines[number - 1]
    lines[number - 1] = line + Self.comment(of: old) + end
  }

  mutating func insert(_ line: String, below number: Int) {
    if number >= lines.count { endLast() }
    lines.insert(line + end, at: min(number, lines.count))
  }

  mutating func append(table: String, _ line: String) {
    endLast()
    if !lines.isEmpty { lines.append(end) }
    lines += ["[\(table)]" + end, line + end]
  }

  mutating func remove(_ number: Int) {
    if lines.indices.contains(number - 1) { lines.remove(at: number - 1) }
  }

  private mutating func endLast() {
    guard let last = lines.last, last.unicodeScalars.last != "\n" else { return }
    lines[lines.count - 1] = last + end
  }

  /// The comment after a quoted value, with the blanks before it.
  private static func comment(of line: String) -> String {
    var quote: Unicode.Scalar?
    var isEscaped = false
    var blanks = ""
    let scalars = line.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      if let open = quote {
        if isEscaped {
          isEscaped = false
          continue
        }
        if scalar == "\\", open == "\"" { isEscaped = true }
        if scalar == open { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
      } else if scalar == "#" {
        let rest = scalars[index...].filter { $0 != "\n" && $0 != "\r" }
        return blanks + String(String.UnicodeScalarView(rest))
      }
      blanks = scalar == " " || scalar == "\t" ? blanks + String(scalar) : ""
    }
    return ""
  }
}

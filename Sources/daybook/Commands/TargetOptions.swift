import ArgumentParser
import Journal
import JournalStore
import Screen

/// The entries of a command: by name, or the matches of a query.
struct TargetOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("All entries that match, instead of IDs.", valueName: "query"),
    completion: .query)
  var query: String?

  @Argument(
    help: "Numbers, UUIDs, or at least 6 first or last characters of a UUID; - for standard input.",
    completion: .entries)
  var id: [String] = []

  func validate() throws {
    guard id.isEmpty || query == nil else {
      throw ValidationError("name entries or use --where, not both")
    }
    // A script with an empty variable must not select the whole journal.
    guard query?.allSatisfy(\.isWhitespace) != true else {
      throw ValidationError("--where needs a query")
    }
  }

  /// The names, those on standard input included, or the query; without both the entries selected
  /// on the screen.
  ///
  /// - Throws: ``Failure`` 64 for an invalid query; when standard input is not text, or has no
  ///   names.
  func read(in context: CommandContext) throws -> Target {
    if let query {
      // A wrong query must not create a journal; only the journal knows its fields.
      _ = try QueryWords.parsed([query], context.settings, .any)
      return .query(query, context.settings)
    }
    if !id.isEmpty { return .names(try References.words(id, in: context)) }
    return .numbers(try References.selected(in: context))
  }

  /// The target of a command, before it is looked up in a journal.
  enum Target {
    /// Numbers and uuids.
    case names([String])
    /// Numbers of existing entries.
    case numbers([Int64])
    /// The matches of a query.
    case query(String, Settings)

    /// The numbers of the entries, each once, in the given order.
    ///
    /// All names are looked up in one state of the journal.
    ///
    /// - Parameter inTrash: whether a query searches the trash even without `is:deleted`.
    /// - Throws: ``Failure`` 1 for a query without matches; the errors of resolving a name.
    func numbers(in store: any EntryStore, inTrash: Bool = false) throws -> [Int64] {
      switch self {
      case .names(let names): return try References.numbers(names, in: store)
      case .numbers(let numbers): return numbers
      case .query(let text, let settings):
        var query = try QueryWords.parsed([text], settings, store.textFields)
        if inTrash, !query.wantsDeleted { query = .and([query, .flag(.deleted)]) }
        let numbers = try store.numbers(matching: query)
        guard !numbers.isEmpty else { throw Failure(.notDone, "no entry matches \"\(text)\"") }
        return numbers
      }
    }
  }
}

/// Names of entries on the command line.
enum References {
  /// The numbers of the named entries, each once.
  ///
  /// - Throws: the errors of resolving a name.
  static func numbers(_ names: [String], in store: any EntryStore) throws -> [Int64] {
    var seen: Set<Int64> = []
    return try store.inspect { _ in
      try names.compactMap { name in
        let number = try store.resolve(reference: name)
        return seen.insert(number).inserted ? number : nil
      }
    }
  }

  /// The names; `-` means those on standard input.
  ///
  /// - Throws: ``Failure`` when standard input is not text, or has no names.
  static func words(_ words: [String], in context: CommandContext) throws(Failure) -> [String] {
    var all: [String] = []
    for word in words {
      if word == "-" {
        let bytes = try context.standardInput().whole("standard input")
        let text = try TextInput.entry(from: bytes, name: "standard input")
        all += text.split(whereSeparator: \.isWhitespace).map(String.init)
      } else {
        all.append(word)
      }
    }
    guard !all.isEmpty else { throw Failure(.notDone, "no entry named") }
    return all
  }

  /// The numbers of the entries that are marked or selected on the screen.
  ///
  /// - Throws: `ValidationError` in a shell, ``Failure`` 1 on a screen without entries.
  static func selected(in context: CommandContext) throws -> [Int64] {
    guard context.isOnScreen else { throw ValidationError("name entries, or use --where QUERY") }
    guard let selection = context.selection else {
      throw Failure(.notDone, "no entry selected; give a number")
    }
    return try selection.numbers()
  }

  /// The single entry of a command: the named one, else the one selected on the screen.
  ///
  /// - Throws: `ValidationError` in a shell, ``Failure`` 1 if several are marked or none is
  ///   selected.
  static func one(_ id: String?, in context: CommandContext) throws -> String {
    if let id { return id }
    guard context.isOnScreen else { throw ValidationError("name an entry") }
    let numbers = try selected(in: context)
    guard numbers.count == 1, let number = numbers.first else {
      throw Failure(.notDone, "\(Numbers.entries(numbers.count)) are marked; give one number")
    }
    return String(number)
  }
}

/// Dates and tags given as options.
enum Dates {
  /// The date of an entry: now, or the given date.
  ///
  /// - Throws: ``Failure`` 65 for an invalid date.
  static func written(
    _ words: String?, clock: WallClock, rule: DayRule
  ) throws(Failure) -> (created: Moment, day: Day) {
    let now = clock.moment()
    guard let words else { return (now, rule.day(of: now)) }
    do {
      let when = try When.parse(words, now: now, clock: clock, rule: rule)
      return try when.resolved(now: now, clock: clock, rule: rule)
    } catch {
      throw Failure(.badData, "--date: \(error)")
    }
  }

  /// Runs a parser whose errors are the user's.
  static func usage<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
    do {
      return try body()
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }
}

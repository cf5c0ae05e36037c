import ArgumentParser
import Journal
import JournalStore
import Screen

/// The entries that a command is about: by name, or all that a query matches.
struct TargetOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("All entries that match, instead of names.", valueName: "query"),
    completion: .query)
  var query: String?

  @Argument(
    help: "Numbers, uuids, or 6 or more first or last characters of one; - reads them from stdin.",
    completion: .entries)
  var id: [String] = []

  func validate() throws {
    guard id.isEmpty || query == nil else {
      throw ValidationError("Name entries or use --where, not both")
    }
    // An empty variable of a script must not mean the whole journal.
    guard query?.allSatisfy(\.isWhitespace) != true else {
      throw ValidationError("--where needs a query")
    }
  }

  /// The names, those on standard input included, or the query; without both the entries that are
  /// selected on the screen.
  ///
  /// - Throws: ``Failure`` 64 for a wrong query; when standard input is not text, or names nothing.
  func read(in context: CommandContext) throws -> Target {
    if let query { return .query(try QueryWords.parsed([query], context.settings), text: query) }
    if !id.isEmpty { return .names(try References.words(id, in: context)) }
    return .numbers(try References.selected(in: context))
  }

  /// What a command is about, before it is looked up in a journal.
  enum Target {
    /// Numbers and uuids.
    case names([String])
    /// Numbers of entries that are there.
    case numbers([Int64])
    /// All that match, with the words that were typed.
    case query(Query, text: String)

    /// The numbers of the entries, each once, in the order they were named in.
    ///
    /// All names are looked up in one state of the journal.
    ///
    /// - Parameter inTrash: whether a query looks in the trash even if it does not say `is:deleted`.
    /// - Throws: ``Failure`` 1 when a query matches nothing; what resolving a name throws.
    func numbers(in store: any EntryStore, inTrash: Bool = false) throws -> [Int64] {
      switch self {
      case .names(let names): return try References.numbers(names, in: store)
      case .numbers(let numbers): return numbers
      case .query(var query, let text):
        if inTrash, !query.wantsDeleted { query = .and([query, .flag(.deleted)]) }
        let numbers = try store.numbers(matching: query)
        guard !numbers.isEmpty else { throw Failure(.notDone, "no entry matches \"\(text)\"") }
        return numbers
      }
    }
  }
}

/// Entries as people name them on the command line.
enum References {
  /// The numbers of the entries named, each once.
  ///
  /// - Throws: what resolving throws.
  static func numbers(_ names: [String], in store: any EntryStore) throws -> [Int64] {
    var seen: Set<Int64> = []
    return try store.inspect { _ in
      try names.compactMap { name in
        let number = try store.resolve(reference: name)
        return seen.insert(number).inserted ? number : nil
      }
    }
  }

  /// The names, `-` standing for those on standard input.
  ///
  /// - Throws: ``Failure`` when standard input is not text, or names nothing.
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
    guard context.isOnScreen else { throw ValidationError("Name entries, or use --where QUERY") }
    guard let selection = context.selection else {
      throw Failure(.notDone, "no entry selected; give its number")
    }
    return try selection.numbers()
  }

  /// The only entry that a command is about: the one named, else the one selected on the screen.
  ///
  /// - Throws: `ValidationError` in a shell, ``Failure`` 1 when several are marked or none is selected.
  static func one(_ id: String?, in context: CommandContext) throws -> String {
    if let id { return id }
    guard context.isOnScreen else { throw ValidationError("Name an entry") }
    let numbers = try selected(in: context)
    guard numbers.count == 1, let number = numbers.first else {
      throw Failure(.notDone, "\(Numbers.entries(numbers.count)) are marked; give one number")
    }
    return String(number)
  }
}

/// Dates and tags that a person typed as options.
enum Dates {
  /// When an entry is written: now, or the date that was named.
  ///
  /// - Throws: ``Failure`` 65 for a date that cannot be understood.
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

  /// Runs a parser of ours whose errors are the user's.
  static func usage<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
    do {
      return try body()
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }
}

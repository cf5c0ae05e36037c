import ArgumentParser
import Journal
import JournalStore

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
    guard id.isEmpty == (query != nil) else {
      throw ValidationError(
        id.isEmpty ? "Name entries, or use --where QUERY" : "Name entries or use --where, not both")
    }
    // An empty variable of a script must not mean the whole journal.
    guard query?.allSatisfy(\.isWhitespace) != true else {
      throw ValidationError("--where needs a query")
    }
  }

  /// The numbers of the entries, each once, in the order they were named in.
  ///
  /// - Parameter inTrash: whether a query looks in the trash even if it does not say `is:deleted`.
  /// - Throws: ``Failure`` 64 for a wrong query, 1 when it matches nothing; what resolving a name
  ///   throws.
  func numbers(in store: any EntryStore, inTrash: Bool = false) throws -> [Int64] {
    guard let query else { return try References.numbers(id, in: store) }
    var parsed = try QueryWords.parsed([query])
    if inTrash, !parsed.wantsDeleted { parsed = .and([parsed, .flag(.deleted)]) }
    let numbers = try store.numbers(matching: parsed)
    guard !numbers.isEmpty else { throw Failure(.notDone, "no entry matches \"\(query)\"") }
    return numbers
  }
}

/// Entries as people name them on the command line.
enum References {
  /// The numbers of the entries named, each once; `-` stands for names on standard input.
  ///
  /// All names are looked up in one state of the journal.
  ///
  /// - Throws: ``Failure`` when standard input is not text or names none; what resolving throws.
  static func numbers(_ words: [String], in store: any EntryStore) throws -> [Int64] {
    let names = try self.words(words)
    var seen: Set<Int64> = []
    return try store.inspect { _ in
      try names.compactMap { name in
        let number = try store.resolve(reference: name)
        return seen.insert(number).inserted ? number : nil
      }
    }
  }

  private static func words(_ words: [String]) throws(Failure) -> [String] {
    var all: [String] = []
    for word in words {
      if word == "-" {
        let text = try TextInput.entry(from: StandardInput.bytes(), name: "standard input")
        all += text.split(whereSeparator: \.isWhitespace).map(String.init)
      } else {
        all.append(word)
      }
    }
    guard !all.isEmpty else { throw Failure(.notDone, "no entry named") }
    return all
  }
}

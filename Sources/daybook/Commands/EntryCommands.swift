import ArgumentParser
import Journal
import JournalStore

/// `daybook show`: whole entries.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print whole entries.",
    discussion: """
      Examples:
        daybook show 42
        daybook show --format json 42 43
      """)

  @Option(help: "What to print.")
  var format: AddCommand.Format = .text

  @OptionGroup var options: GlobalOptions
  @Argument(help: "Numbers or parts of uuids; - reads them from standard input.") var id: [String]

  func run() throws {
    let store = try JournalOpening.store(options, for: .reading)
    let output = Output()
    for (index, reference) in try References.words(id).enumerated() {
      let entry = try store.entry(store.resolve(reference: reference))
      if format == .json {
        try output.line(EntryJSON.text(of: entry))
      } else {
        if index > 0 { try output.line("") }
        try show(entry, on: output)
      }
    }
    try output.flush()
  }

  private func show(_ entry: Entry, on output: Output) throws {
    let star = entry.starred ? " *" : ""
    let trash = entry.deleted == nil ? "" : " (in the trash)"
    try output.line("\(entry.number)  \(entry.day) \(entry.created.clockText)\(star)\(trash)")
    try output.line(output.isTerminal ? Sanitizing.body(entry.text) : entry.text)
  }
}

/// `daybook edit`: a new text for an entry.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Give an entry a new text.",
    discussion: """
      The text comes from the arguments, else from standard input, else from $VISUAL or $EDITOR.

      Examples:
        daybook edit 42
        daybook edit 42 Bought bread and milk
      """)

  @OptionGroup var options: GlobalOptions
  @Argument(help: "A number or part of a uuid.") var id: String
  @Argument(help: "The new text; - for standard input.") var text: [String] = []

  func run() throws {
    let store = try JournalOpening.store(options, for: .writing)
    let old = try store.entry(store.resolve(reference: id))
    let purpose = Draft.Purpose.edit(uuid: old.uuid)
    let source = try TextSource.text(text, base: old.text, for: purpose)
    guard !source.text.allSatisfy(\.isWhitespace) else {
      throw Failure(.notDone, "nothing to save; daybook delete \(old.number) deletes the entry")
    }
    let edited: Entry?
    do {
      edited = try store.edit(old.number, text: source.text, expecting: old.checksum)
    } catch {
      throw TextSource.kept(Array(source.text.utf8), purpose, Failure(explaining: error))
    }
    source.committed()
    guard let edited else { throw Failure(.notDone, "entry \(old.number) already has this text") }
    try Console.tell("\(edited.number)\t\(edited.uuid)")
  }
}

/// Entries as people name them on the command line.
enum References {
  /// The references in `words`; `-` stands for those on standard input, separated by white space.
  ///
  /// - Throws: ``Failure`` when standard input is not text or names none.
  static func words(_ words: [String]) throws(Failure) -> [String] {
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

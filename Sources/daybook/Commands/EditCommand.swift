import ArgumentParser
import Journal
import JournalStore

/// `daybook edit`: a new text for an entry.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Give an entry a new text.",
    discussion: """
      The text comes from the arguments, else from standard input, else from $VISUAL or $EDITOR. If
      somebody else changed the entry meanwhile nothing is saved, and the text is kept as a draft.
      Prints the entry's number and its uuid, with a tab between them.

      Examples:
        daybook edit 42
        daybook edit 42 Bought bread and milk
        sed s/bread/milk/ notes.txt | daybook edit 42 -
      """)

  @OptionGroup var options: GlobalOptions
  @Argument(help: "A number or part of a uuid.", completion: .entries) var id: String
  @Argument(help: "The new text; - for standard input.", completion: .text) var text: [String] = []

  func run() throws {
    let (store, old, isIntact) = try opened()
    let purpose = Draft.Purpose.edit(uuid: old.uuid)
    let source = try TextSource.text(
      text, base: old.text, for: purpose, written: old.created, in: options.journal,
      takesUnchanged: !isIntact)
    guard !source.text.allSatisfy(\.isWhitespace) else {
      throw Failure(.notDone, "nothing to save; daybook delete \(old.number) deletes the entry")
    }
    let edited: Entry?
    do {
      edited = try save(source.text, over: old, in: store)
    } catch {
      throw TextSource.kept(
        Array(source.text.utf8), purpose, in: options.journal, Failure(explaining: error))
    }
    source.committed()
    guard let edited else { throw Failure(.notDone, "entry \(old.number) already has this text") }
    try Console.tellDone("\(edited.number)\t\(edited.uuid)")
  }

  /// Saves the text; in a file that took the journal's place meanwhile, in the entry of the same uuid.
  private func save(
    _ text: String, over old: Entry, in store: any EntryStore
  ) throws -> Entry? {
    do {
      return try store.edit(old.number, text: text, expecting: old.checksum)
    } catch let error as StoreError where error.kind == .replaced {
      return try JournalOpening.changing(options) { store in
        try store.edit(
          store.resolve(reference: old.uuid), text: text, expecting: old.checksum)
      }
    }
  }
}

extension EditCommand {
  /// The journal, the entry and whether its text is what was stored; whatever fails, the new text is
  /// kept, of a new entry where it is not known of which one it is.
  private func opened() throws -> (store: any EntryStore, entry: Entry, isIntact: Bool) {
    var purpose = Draft.Purpose.newEntry
    do {
      let store = try JournalOpening.store(options, for: .writing)
      let old = try store.entry(store.resolve(reference: id))
      purpose = .edit(uuid: old.uuid)
      guard old.deleted == nil else { throw Failure.inTrash(old) }
      return (store, old, try store.inspect { try $0.isIntact(number: old.number) })
    } catch {
      throw TextSource.unsaved(text, purpose, in: options.journal, error)
    }
  }
}

extension Failure {
  /// The entry would have to be restored first.
  static func inTrash(_ entry: Entry) -> Failure {
    Failure(
      .notDone,
      "entry \(entry.number) is in the trash; daybook restore \(entry.number) brings it back")
  }
}

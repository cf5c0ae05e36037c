import ArgumentParser
import Journal
import JournalStore

/// `daybook edit`: replaces an entry's text.
struct EditCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Replace the text of an entry.",
    discussion: """
      The text comes from the arguments, otherwise from standard input or, if that is a terminal,
      from $VISUAL or $EDITOR. If another program has changed the entry meanwhile, both changes are
      merged by words; if both changed the same words, nothing is saved, and the text is kept as a
      draft. Prints the entry's number and its UUID, with a tab between them.

      Examples:
        daybook edit 42
        daybook edit 42 Bought bread and milk
        sed s/bread/milk/ notes.txt | daybook edit 42 -
      """.reflowed)

  static let wordOrder = WordOrder.text

  @OptionGroup var options: GlobalOptions
  @Argument(help: "A number or part of a UUID.", completion: .entries) var id: String
  @Argument(help: "The new text; - for standard input.", completion: .text) var text: [String] = []

  func run(in context: CommandContext) throws {
    let source = TextSource(context, journal: options.journal)
    let (store, old, isIntact) = try opened(context, source)
    let purpose = Draft.Purpose.edit(uuid: old.uuid)
    let new = try source.text(
      text, base: old.text, for: purpose, written: old.created,
      takesUnchanged: !isIntact || !old.conflicts.isEmpty)
    guard !new.text.allSatisfy(\.isWhitespace) else {
      throw Failure(
        .notDone, "nothing to save; \(command: "delete \(old.number)") deletes the entry")
    }
    let edited: Entry?
    do {
      edited = try save(new.text, over: old, in: store, context)
    } catch {
      throw source.kept(Array(new.text.utf8), purpose, Failure(explaining: error))
    }
    new.committed()
    guard let edited else { throw Failure(.notDone, "entry \(old.number) already has this text") }
    if !edited.text.isSame(as: new.text) {
      context.complain("entry \(edited.number) was changed meanwhile; both changes are merged")
    }
    try context.printDone(
      "\(edited.number)\t\(edited.uuid)", news: "saved entry \(edited.number)")
  }

  /// Saves the text; in a file that replaced the journal meanwhile, in the entry with the same
  /// uuid.
  private func save(
    _ text: String, over old: Entry, in store: any EntryStore, _ context: CommandContext
  ) throws -> Entry? {
    do {
      return try store.edit(
        old.number, text: text, expecting: old.checksum, knowing: old.conflicts)
    } catch let error as StoreError where error.kind == .replaced && !context.isOnScreen {
      return try context.changing { store in
        try store.edit(
          store.resolve(reference: old.uuid), text: text, expecting: old.checksum,
          knowing: old.conflicts)
      }
    }
  }
}

extension EditCommand {
  /// The journal, the entry, and whether the text is unchanged.
  ///
  /// On any failure the new text is kept as a draft, of a new entry if the entry is unknown.
  private func opened(
    _ context: CommandContext, _ source: TextSource
  ) throws -> (store: any EntryStore, entry: Entry, isIntact: Bool) {
    var purpose = Draft.Purpose.newEntry
    do {
      let store = try context.store(for: .writing)
      let old = try store.entry(store.resolve(reference: id))
      purpose = .edit(uuid: old.uuid)
      guard old.deleted == nil else { throw Failure.inTrash(old) }
      return (store, old, try store.inspect { try $0.isIntact(number: old.number) })
    } catch {
      throw source.unsaved(text, purpose, error)
    }
  }
}

extension Failure {
  /// The failure for an entry that must be restored first.
  static func inTrash(_ entry: Entry) -> Failure {
    Failure(
      .notDone,
      "entry \(entry.number) is in the trash; \(command: "restore \(entry.number)") restores it")
  }
}

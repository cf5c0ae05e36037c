import Journal
import JournalStore
import Screen
import SectionedResults

/// Applies the changes of effects to the journal, and reports the results.
final class EntryActions {
  let store: any EntryStore
  /// The present journal while ``store`` is one of the past.
  let present: (any EntryStore)?
  private let listing: Listing
  /// When a day ends.
  var rule: DayRule
  /// The key that shows an added entry hidden by the list.
  private let revealingKey: String

  /// The entry for whose questions a command opened the screen; `nil` in most runs.
  var asked: AskedEntry?

  /// - Parameter listing: the list that shows the journal.
  init(
    store: any EntryStore, present: (any EntryStore)? = nil, listing: Listing, rule: DayRule,
    revealing key: String
  ) {
    self.store = store
    self.present = present
    self.listing = listing
    self.rule = rule
    revealingKey = key
  }

  // MARK: Which entries

  /// The number of a target's entry; of several entries the first.
  ///
  /// - Throws: `ResultsError` for a row that does not exist.
  func number(of target: Target) throws -> Int64 {
    switch target {
    case .entry(let number): number
    case .entries(let numbers): numbers.first ?? 0
    case .row(let path): try listing.results.number(at: path)
    }
  }

  /// The numbers of a target's entries.
  ///
  /// - Throws: `ResultsError` for a row that does not exist.
  func numbers(of target: Target) throws -> [Int64] {
    if case .entries(let numbers) = target { return numbers }
    return [try number(of: target)]
  }

  /// A target's entry; `nil` if it was purged, or is in the trash while the list is not the trash.
  ///
  /// - Throws: the errors of the store.
  func entry(_ target: Target) throws -> Entry? {
    let number = try number(of: target)
    return try store.entries([number]).first { $0.deleted == nil || listing.scope.isTrash }
  }

  /// A target's entries that still exist.
  ///
  /// - Throws: the errors of the store.
  func entries(_ target: Target) throws -> [Entry] {
    try store.entries(try numbers(of: target))
  }

  /// The tags common to all entries, as they are typed.
  ///
  /// - Throws: the errors of the store.
  func commonTags(of target: Target) throws -> [String] {
    var common: [String]?
    let numbers = try numbers(of: target)
    // Whole texts, a few at a time: of very many entries the first ones usually have no common tag.
    for start in stride(from: 0, to: numbers.count, by: 200) {
      for entry in try store.entries(Array(numbers[start..<min(start + 200, numbers.count)])) {
        let tags = entry.tags
        let keys = Set(tags.map(Tag.key(of:)))
        common = common.map { $0.filter { keys.contains(Tag.key(of: $0)) } } ?? tags
      }
      if common?.isEmpty == true { return [] }
    }
    return (common ?? []).map(Tag.typed)
  }

  /// The date of a single entry, in words that ``redate(_:_:_:)`` accepts; `nil` for several
  /// entries.
  ///
  /// - Throws: the errors of the store.
  func date(of target: Target) throws -> String? {
    let numbers = try numbers(of: target)
    guard numbers.count == 1, let entry = try store.entries(numbers).first else { return nil }
    let created = entry.created
    // A time in another time zone would be read as one in the local zone.
    guard created.offset == store.clock.offset(at: created.seconds) else {
      return created.description
    }
    let text = created.description
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }

  // MARK: Changes

  /// Adds an entry, written now unless its command or its draft says otherwise.
  ///
  /// - Parameter named: files that the text names by their paths.
  func add(
    _ text: String, as draft: DraftEntry = DraftEntry(), naming named: [String: FileContent] = [:],
    step: (Int) throws -> Void = { _ in }
  ) throws -> Saved {
    let shot =
      asked == nil && draft.created == nil
      ? AttachedFiles.taken(aloneIn: text, naming: named, store.clock, rule) : nil
    var draft = draft
    if let shot { (draft.created, draft.day) = (shot.created, shot.day) }
    let new =
      asked?.entry(text) ?? draft.entry(text, now: store.clock.moment(), rule: rule)
    let files = asked?.files ?? []
    guard
      let entry = try files.isEmpty && named.isEmpty
        ? store.add([new]).first
        : store.add(new, attaching: files, naming: named, step: step)
    else { return Saved("nothing added") }
    asked?.saved = entry
    // A date that was typed days ago would be a surprise.
    let source = shot == nil ? "" : " as the picture"
    let date =
      asked == nil && draft.created != nil
      ? ", dated \(DateStyle.ofUser.text(of: entry.day))\(source)" : ""
    guard let path = try listing.results.path(of: entry.number) else {
      var news = Saved("added entry \(entry.number)\(date)", unseen: entry.number)
      news.hiding = hiding(news)
      return news
    }
    return Saved("added entry \(entry.number)\(date)", at: path)
  }

  /// Replaces the text of an entry; merges it with another change since the edit started.
  ///
  /// - Parameter named: files that the text names by their paths.
  ///
  /// - Parameter known: the conflicts that the entry had when the edit began; others stay open.
  func edit(
    _ number: Int64, _ text: String, expecting base: Int64?, knowing known: String? = nil,
    naming named: [String: FileContent] = [:], step: (Int) throws -> Void = { _ in }
  ) throws -> Saved {
    let old = try store.entry(number)
    // A text that was typed on the edited entry has a base, and a page of its own for this case.
    guard base != nil || old.deleted == nil else { throw Failure.inTrash(old) }
    let links = try LinksToTitle(of: old, losing: Entry.title(of: text), in: store)
    let edited = try store.edit(
      number, text: text, expecting: base, knowing: known, naming: named, step: step)
    let isMerged =
      named.isEmpty
      ? edited?.text.isSame(as: text) == false
      : base.map { $0 != old.checksum } ?? false
    let isSettled = edited.map { $0.conflicts.isEmpty && !old.conflicts.isEmpty } ?? false
    let isOpen = edited?.conflicts.isEmpty == false
    let words =
      edited == nil
      ? "entry \(number) is unchanged"
      : isSettled
        ? "conflict settled: saved entry \(number)"
        : isOpen
          ? "saved entry \(number)\(isMerged ? ", merged with its change elsewhere" : "");"
            + " another text waits: H"
          : isMerged
            ? "saved entry \(number), merged with its change elsewhere; u undoes yours"
            : "saved entry \(number)"
    var saved = try shown(Saved(words), number)
    if edited != nil { try links.ask(with: &saved) }
    return saved
  }

  /// The news with the rows of its entry, or that the list hides it.
  private func shown(_ news: Saved, _ number: Int64) throws -> Saved {
    var news = news
    news.path = try listing.results.path(of: number)
    news.twin = try listing.results.pathInOtherYears(of: number)
    guard news.path == nil, try isHidden(number) else { return news }
    (news.unseen, news.hiding) = (number, hiding(news))
    return news
  }

  /// Whether the list lacks an entry because of its filter, and not since it is deleted.
  private func isHidden(_ number: Int64) throws -> Bool {
    guard !listing.scope.isTrash, !listing.scope.coverage.isWhole,
      try listing.results.path(of: number) == nil
    else { return false }
    return try store.entries([number]).first.map { $0.deleted == nil } ?? false
  }

  private func hiding(_ news: Saved) -> String {
    (news.text.contains(";") ? "; " : ", ") + "hidden by this list; \(revealingKey) goes there"
  }

  /// Appends a file to the text of an entry.
  func attach(_ content: FileContent, to number: Int64) throws -> Saved {
    try store.attach([content], to: number)
    return try shown(
      Saved("attached \(content.stored.name) to entry \(number); u undoes it"), number)
  }

  /// Replaces the text of an entry unconditionally, and takes the entry out of the trash.
  func overwrite(_ number: Int64, _ text: String) throws -> Saved {
    try store.restore([number])
    return try edit(number, text, expecting: nil)
  }

  /// Saves two versions in conflict as one text, with each line that one of them has.
  func keepBoth(_ number: Int64, _ versions: [Int], expecting base: Int64) throws -> Saved {
    let texts = try store.versions(number).filter { versions.contains($0.index) }.map(\.text)
    guard texts.count == 2 else { return Saved("entry \(number) has changed; look again") }
    // A third text was not on the page, and stays open.
    return try edit(
      number, TextMerge.both(texts[0], texts[1]), expecting: base,
      knowing: EntryConflicts.stored(texts))
  }

  /// Restores the text of a version, and takes the entry out of the trash.
  ///
  /// - Parameter other: the version whose text was beside it on the page.
  func restoreVersion(
    _ number: Int64, version: Int, comparedWith other: Int?, expecting base: Int64
  ) throws -> Saved {
    let old = try store.entry(number)
    let versions = try store.versions(number)
    let wanted = versions.first { $0.index == version }?.text ?? old.text
    let links = try LinksToTitle(of: old, losing: Entry.title(of: wanted), in: store)
    let new = try store.putBack(
      version: version, of: number, comparedWith: other, expecting: base)
    guard let new else { return Saved("entry \(number) already has this text") }
    let place = old.deleted == nil ? "" : ", out of the trash"
    let words =
      old.conflicts.isEmpty
      ? "version \(version) of \(versions.count) restored\(place); u undoes it"
      : new.conflicts.isEmpty
        ? "conflict settled: version \(version) stays\(place); u undoes"
        : "version \(version) stays\(place); another text waits; u undoes"
    var saved = try shown(Saved(words), number)
    try links.ask(with: &saved)
    return saved
  }

  /// The state of an entry that another program changed.
  ///
  /// - Throws: ``StoreError`` when the journal cannot be read, which says nothing of the entry.
  func fate(of number: Int64) throws -> EditConflict.Fate {
    guard let entry = try store.entries([number]).first else { return .purged }
    return entry.deleted == nil ? .changed : .deleted
  }

  /// The current text of an entry that another program changed; `nil` if it is in the trash or purged.
  ///
  /// - Parameter base: the checksum of the text that the edit began with.
  func theirs(of number: Int64, beside mine: String, base: Int64?) -> EditConflict.Theirs? {
    guard let entry = try? store.entries([number]).first, entry.deleted == nil else { return nil }
    let start = base.flatMap { base in
      try? store.versions(number).last { Entry.checksum(of: $0.text) == base }?.text
    }
    return EditConflict.Theirs(
      text: entry.text, written: entry.modified, author: author(of: entry), mine: mine, base: start)
  }

  /// Where the latest change of an entry was made, as far as the log says.
  private func author(of entry: Entry) -> String {
    let set = try? store.changeSets(latest: 100).first {
      $0.count == 1 ? $0.title.isSame(as: entry.title) : $0.at == entry.modified
    }
    if let set, set.source == .sync, set.actor != ChangeAuthor.sync, !set.actor.isEmpty {
      return "by a sync from \(Sanitizing.line(set.actor))"
    }
    return switch set?.source {
    case .screen: "on a screen"
    case .command: "by a command"
    case .sync: "by a sync"
    case .mcp: "by an MCP client"
    case .program: "by another program"
    case .unknown, nil: "elsewhere"
    }
  }

  /// Changes a target's entries.
  ///
  /// - Throws: the errors of the store.
  func change(
    _ target: Target, _ change: EntryChange, _ options: BulkOptions = BulkOptions()
  ) throws -> Saved {
    let links = try linksToTagged(target, change)
    let changed = try change.apply(to: try numbers(of: target), in: store, options)
    guard let first = changed.first else {
      if case .entry(let number) = target { _ = try store.entry(number) }
      return Saved(change.newsOfNothing)
    }
    let isNamedOne: Bool = if case .entries = target { false } else { true }
    let isOne: Bool = if case .delete = change { changed.count == 1 } else { isNamedOne }
    let entries = isOne ? "entry \(first)" : Numbers.entries(changed.count)
    var saved = Saved(change.news(entries))
    if case .delete = change {
      saved.deleted = changed
    } else if isNamedOne {
      // Another program may have deleted it while the prompt was open.
      if !listing.scope.isTrash, try store.entries([first]).first?.deleted != nil {
        saved.text += ", which is in the trash"
      }
      saved = try shown(saved, first)
      try links?.ask(with: &saved)
      return saved
    } else {
      let hidden = try changed.prefix(Self.mostLookedUp).count(where: isHidden)
      if hidden > 0 { saved.hiding = ", \(Numbers.grouped(hidden)) of them hidden by this list" }
    }
    return saved
  }

  /// The links to an entry whose title has tags, which a change of tags may take from it.
  private func linksToTagged(_ target: Target, _ change: EntryChange) throws -> LinksToTitle? {
    if case .entries = target { return nil }
    guard case .tag = change, let entry = try entries(target).first,
      entry.deleted == nil, entry.title.contains(where: { $0 == "#" || $0 == "@" })
    else { return nil }
    return try LinksToTitle(of: entry, losing: nil, in: store)
  }

  /// The most entries of a change that are looked up in the list.
  private static let mostLookedUp = 256

  /// Gives a target's entries in the present journal the state that they have in that of the past.
  ///
  /// - Throws: the errors of the store.
  func restorePast(_ target: Target, _ options: BulkOptions) throws -> Saved {
    let entries = try entries(target)
    guard let present, let first = entries.first else { return Saved("no entry selected") }
    let links = try entries.compactMap { past in
      try present.entries([past.number]).first.map {
        try LinksToTitle(of: $0, losing: past.title, in: present)
      }
    }
    let changed = try present.restore(ofPast: entries, options)
    let named = { (count: Int, number: Int64) in
      count == 1 ? "entry \(number)" : Numbers.entries(count)
    }
    guard let number = changed.first else {
      let verb = entries.count == 1 ? "is" : "are"
      return Saved("\(named(entries.count, first.number)) \(verb) the same as then")
    }
    var saved = Saved("restored \(named(changed.count, number)); in the present u undoes it")
    if links.count == 1 {
      try links[0].ask(with: &saved)
    } else {
      let lost = Set(try links.flatMap { try $0.lost().map(\.number) }).count
      if lost > 0 {
        saved.text =
          "restored \(named(changed.count, number)); links in \(Numbers.entries(lost)) lead nowhere now"
      }
    }
    return saved
  }

  /// The change that stars entries, unstars them, or toggles their star.
  ///
  /// - Throws: the errors of the store.
  func starChange(_ target: Target, _ change: StarChange) throws -> EntryChange {
    switch change {
    case .give: .star
    case .take: .unstar
    case .toggle: try areStarred(numbers(of: target)) ? .unstar : .star
    }
  }

  /// Whether all existing entries of the numbers have a star.
  private func areStarred(_ numbers: [Int64]) throws -> Bool {
    guard numbers.count > 1_000 else { return try store.entries(numbers).allSatisfy(\.starred) }
    // A query avoids reading the whole texts of very many entries.
    let starless = Query.and([
      .not(.flag(.starred)), listing.scope.isTrash ? .flag(.deleted) : .everything,
    ])
    return try Set(numbers).isDisjoint(with: store.numbers(matching: starless))
  }

  /// Undoes the latest change of this screen, else of the time before it.
  func undo(_ options: BulkOptions = BulkOptions()) throws -> Saved {
    Saved(try store.undo(.session, options).news, showsChange: true)
  }

  func redo(_ options: BulkOptions = BulkOptions()) throws -> Saved {
    Saved(try store.redo(.session, options).news, showsChange: true)
  }
}

import Journal
import JournalStore
import Screen
import SectionedResults

/// Reads whole entries and their versions for the reader and the pages that show them.
final class ReadRunner {
  private let journal: ScreenJournal
  private let send: (Event) -> Void
  /// Chooses entries, by the time of the start, so that keys lead to the same ones at the same time.
  private var randomness: RandomSequence

  init(_ journal: ScreenJournal, send: @escaping (Event) -> Void) {
    self.journal = journal
    self.send = send
    randomness = RandomSequence(seed: UInt64(bitPattern: journal.store.clock.moment().seconds))
  }

  /// Reads an entry or one of its versions.
  ///
  /// - Throws: the errors of the store.
  func run(_ effect: ReadEffect) throws {
    switch effect {
    case .entry(let target):
      if let entry = try journal.actions.entry(target) {
        send(.reader(.opened(entry, versions: try journal.store.versionCount(of: entry.number))))
      } else {
        send(.reader(.gone(try journal.actions.number(of: target))))
      }
    case .preview(let target):
      let entry = try journal.actions.entry(target)
      let versions = try entry.map { try journal.store.versionCount(of: $0.number) } ?? 1
      send(.reader(.previewed(entry, versions: versions)))
    case .files(let target):
      guard let entry = try journal.actions.entry(target) else {
        return send(.reader(.gone(try journal.actions.number(of: target))))
      }
      let page = FilesPage(
        of: entry, try journal.store.attachments(of: entry),
        absent: journal.store.wordsForAbsentFile)
      send(.files(.opened(page)))
    case .day(let words): try readDays(journal.listing.days(of: words))
    case .days(let days): try readDays(days)
    case .links(let target, let count):
      let links = try journal.actions.entry(target).map { Reading.links(of: $0.text) } ?? []
      send(.reader(.linksFound(links, count: count)))
    case .follow(let link, let number):
      send(.reader(.ledTo(try goal(of: link, in: number))))
    case .namesakes(let link, let number): try choose(link, in: number)
    case .lead(let goal): send(.reader(.ledTo(goal)))
    case .random(let query, let other):
      guard let number = try random(query, except: other) else {
        throw Failure(.notDone, query == nil ? "there are no entries" : "no entries match")
      }
      send(.reader(.ledTo(query == nil ? .listed(number) : .entry(number))))
    case .versions(let target): try showVersion(of: journal.actions.number(of: target), nil)
    case .version(let number, let index): try showVersion(of: number, index)
    }
  }

  /// Reads the entries of some days, in the order of their times.
  private func readDays(_ days: ClosedRange<Day>) throws {
    let request = ResultsRequest.entries(
      query: .and([.since(days.lowerBound), .until(days.upperBound)]), order: .oldest,
      grouping: .none)
    let keys = try journal.store.read {
      try $0.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
    }
    let entries = try journal.store.entries(keys.prefix(DayPage.most).map(\.id.number))
    send(.reader(.daysRead(days, entries, count: keys.count)))
  }

  /// Any entry that a query matches, or in a row of the list.
  private func random(_ query: String?, except other: Int64?) throws -> Int64? {
    let (store, listing) = (journal.store, journal.listing)
    if let query {
      return try store.randomEntry(
        matching: listing.parsed(query, takesPrefix: false), except: other, using: &randomness)
    }
    let list = listing.results.list
    let counts = list.sectionCounts
    let rows = counts.reduce(0, +)
    guard rows > 0 else { return nil }
    var number: Int64?
    // The same entry may have several rows.
    for _ in 0..<8 where number == nil || number == other {
      var row = Int.random(in: 0..<rows, using: &randomness)
      var section = 0
      while row >= counts[section] {
        row -= counts[section]
        section += 1
      }
      number = try list.identity(at: RowPath(section, row)).number
    }
    return number
  }

  /// Lists the entries of the title that a link names, or follows it if there are none to choose from.
  private func choose(_ link: Link, in number: Int64) throws {
    let titles = try journal.store.namesakes(link, limit: TitleFinder.most)
    guard titles.count > 1 else { return send(.reader(.ledTo(try goal(of: link, in: number)))) }
    let items = titles.map {
      Menu.Item(
        Entry.plainTitle(of: $0.title),
        detail: "entry \($0.number), \(DateStyle.ofUser.text(of: $0.day))",
        effect: .read(.lead(.entry($0.number))))
    }
    send(.menu(.opened(Menu(title: "entries", items: items))))
  }

  /// Where a link leads.
  private func goal(of link: Link, in number: Int64) throws -> LinkGoal {
    switch try journal.store.destination(of: link, in: number) {
    case .entry(let number): .entry(number)
    case .days(let days) where days.lowerBound == days.upperBound:
      .days(days.lowerBound.description)
    case .days(let days): .days(days.lowerBound.monthKey)
    case .nothing(let title): .nothing(title)
    }
  }

  /// Reads a version of an entry with its changes to the one before, also of an entry in the trash.
  private func showVersion(of number: Int64, _ index: Int?) throws {
    guard let entry = try journal.store.entries([number]).first else {
      return send(.reader(.gone(number)))
    }
    let versions = try journal.store.versions(number)
    guard let version = index.flatMap({ versions.dropFirst($0 - 1).first }) ?? versions.last else {
      return send(.reader(.gone(number)))
    }
    // A text in conflict is compared with the one that it is in conflict with.
    let open = Set(EntryConflicts.hashes(entry.conflicts))
    let other =
      open.isEmpty
      ? nil
      : version.isCurrent
        ? versions.last { open.contains(EntryConflicts.hash(of: $0.text)) }
        : open.contains(EntryConflicts.hash(of: version.text)) ? versions.last : nil
    let before =
      other?.text ?? (version.index > 1 ? versions[version.index - 2].text : version.text)
    let difference = TextDifference(from: before, to: version.text)
    let conflict: VersionPage.Conflict? = other.map {
      let origin = $0.origin(among: versions, against: version)
      return .init(
        index: $0.index, written: origin.written,
        author: Self.author(of: origin, isCompared: true),
        difference: AlignedDifference(difference.folded(around: VersionPage.Conflict.context)))
    }
    let own = version.origin(among: versions, against: other)
    let page = VersionPage(
      number: number, index: version.index, count: versions.count, written: own.written,
      author: Self.author(of: own, isCompared: other != nil), base: entry.checksum,
      isInTrash: entry.deleted != nil,
      conflict: conflict,
      difference: MarkedDifference(difference))
    send(.versions(.opened(page)))
  }

  /// Where a version was written, in words; that it was here is news only beside one from elsewhere, whose time
  /// is that of the sync.
  private static func author(of version: EntryVersion, isCompared: Bool) -> String? {
    if isCompared, version.isImported { return "came from an imported file" }
    return switch version.source {
    case .screen, .command: isCompared ? "written here" : nil
    case .sync:
      version.program == ChangeAuthor.sync || version.program.isEmpty
        ? "came from another device" : "came from \(Sanitizing.line(version.program))"
    case .mcp, .program: version.program.isEmpty ? nil : "by \(Sanitizing.line(version.program))"
    case .unknown: nil
    }
  }
}

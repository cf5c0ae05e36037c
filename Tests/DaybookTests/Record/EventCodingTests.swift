import Foundation
import Journal
import Markdown
import SectionedResults
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Each event and each effect is the same after a record.
@Suite("The coding of events")
struct EventCodingTests {
  private static let day = Day(daysSinceEpoch: 20_778)
  private static let moment = Moment(seconds: 1_795_280_400, offset: -12_600)
  private static let path = RowPath(3, 7)
  private static let entry = Entry(
    uuid: "u", number: 7, created: moment, modified: moment, day: day,
    text: "東京\u{FEFF} \"\\ \u{0} \u{1}\u{2028}\r\n👩‍👩‍👧", starred: true, deleted: moment, conflicts: "c"
  )
  private static let row = EntryRow(
    id: EntryRowID(number: 7, tag: "t"), entry, title: "title", tags: ["t"], checksum: .min)
  private static let scope = ListScope(
    filter: "#a", order: .title, grouping: .tag, isTrash: true, takesPrefix: true)
  private static let sections = [ListWidget.Section(key: "k", count: 3, folded: true)]
  private static let query = Query.and([
    .everything, .not(.word("w")), .or([.prefix("p"), .phrase(["a", "b"], prefix: true)]),
    .tag("t"),
    .tagPrefix("u"), .flag(.conflict), .since(day), .until(day), .on(day...day),
    .everyYear(month: 2, day: 29), .words(1...9), .id(4),
  ])
  private static var menu: Menu {
    var menu = Menu(
      title: "menu",
      items: effects.map { Menu.Item("label", detail: "detail", effect: $0, draft: "draft") },
      selected: 1, offset: 1, refresh: .menu(.listTags))
    menu.narrow(to: "la")
    return menu
  }
  private static var page: OutputPage {
    var page = OutputPage(title: "t", heading: "h", lines: ["a", "b"], roles: [1: .added])
    page.request = .command(.refresh(["list"]))
    return page
  }
  private static var batch: ResultsBatch {
    var batch = ResultsBatch(from: 4, to: 5, sectionCountsAfter: [1, 2])
    (batch.deletedSections, batch.insertedSections, batch.insertedSectionKeys) = ([1], [2], ["k"])
    (batch.deletedRows, batch.insertedRows) = ([path], [path])
    (batch.moves, batch.updates, batch.carriedRows) = (
      [.init(from: path, to: path)], [.init(from: path, to: path)], [.init(from: path, to: path)]
    )
    return batch
  }
  private static var statistics: Statistics {
    var statistics = Statistics()
    statistics.days = [DayCount(day: day, entries: 2, words: 3)]
    statistics.hours[7] = 2
    (statistics.starred, statistics.trash, statistics.tagCount) = (1, 2, 3)
    statistics.longest = .init(number: 7, day: day, words: 3)
    return statistics
  }
  private static var version: VersionPage {
    let difference = TextDifference(from: "a b\nc", to: "a x\nd")
    return VersionPage(
      number: 7, index: 1, count: 2, written: moment, base: -1, isInTrash: true,
      conflict: .init(index: 2, written: moment, difference: AlignedDifference(difference)),
      difference: MarkedDifference(difference))
  }
  private static var settings: Settings {
    var settings = Settings()
    settings.dayRule = DayRule(endsAt: 30)
    settings.dateFormat = DateFormat("%d.%m.%Y", .date)
    settings.autoSync = AutoSync(["start", "idle 5m"]) ?? AutoSync()
    settings.templates = [TemplateRule(journal: "j", weekday: 2, name: "n")]
    settings.views = [SavedView(name: "work", query: "#work")]
    (settings.editor, settings.purgeAfter, settings.lockAfter) = ("vi", "1y", .max)
    return settings
  }
  private static var opening: Opening {
    var opening = Opening(
      journal: "j", today: day, size: Size(columns: 80, lines: 24), settings: settings)
    (opening.filter, opening.keepsPrompt, opening.isReadOnly) = ("f", true, true)
    (opening.keysAreTyped, opening.isLinear) = (false, true)
    (opening.drawsPictures, opening.pictureCell) = (true, CellSize(width: 9, height: 19))
    opening.view.order = .oldest
    opening.view.folded = ["k"]
    return opening
  }
  private static var news: CommandNews {
    var news = CommandNews(["a"])
    (news.lines, news.roles, news.news) = (["l"], [0: .removed], "n")
    (news.failure, news.isUsageError) = ("f", true)
    news.proposal = .command(.run(["import", "--yes"], on: nil))
    return news
  }

  private static let effects: [Effect] =
    [Target.row(path), .entry(.max), .entries([1, 2])].map { .change(.delete($0)) }
    + [StarChange.give, .take, .toggle].map { .change(.star(.entry(1), $0)) }
    + [EditConflict.Answer.overwrite, .both, .addAsNew, .keepDraft].map {
      .change(.resolve(EditConflict(number: 1, fate: .deleted, text: "t", draft: "d"), $0))
    }
    + [MarkChange.toggle, .add, .replace].map { .list(.markRows(path...path, $0, then: .delete)) }
    + [Landing.nearest, .entry(3), .top].map { .query(.show(scope, $0)) }
    + [SearchDirection.here, .forward, .backward].map {
      .query(.find("x", from: $0 == .here ? nil : .header(2), $0))
    }
    + [PlaceUse.jump, .present, .mark("a")].map { .list(.findPlace(path, $0)) }
    + [
      .prompt(.open(.newEntry, text: "t")), .prompt(.reopen(.edit(3), text: "t")),
      .prompt(.edit(.entry(1))), .prompt(.carryOver), .prompt(.armDraftTimer),
      .prompt(.resume(.command, text: "t", "r")), .prompt(.saveDraft(.date, "t", at: 2)),
      .prompt(.close(.search)), .prompt(.countDrafts), .prompt(.discardDraft(.filter)),
      .prompt(.discardEmptiedDraft(.titles)), .prompt(.listDrafts), .prompt(.openDraft("d")),
      .prompt(.removeDraft("d")), .editor(.newEntry(template: "t")), .editor(.edit(.entry(1))),
      .editor(.continue(.tags, "t")), .editor(.continue(.edit(1), "t", base: 7)),
      .change(.add("t")), .change(.edit(1, "t", base: 7)), .change(.edit(1, "t")),
      .change(.restore(.entry(1))), .change(.restorePast(.entry(1))), .menu(.openPast("d")),
      .menu(.leavePast), .prompt(.open(.question(form), text: "t")),
      .change(.tag(.entry(1), "t")), .change(.redate(.entry(1), "t")),
      .change(.restoreVersion(1, version: 2, expecting: 3)),
      .change(.tick(.entry(1), fromLine: 2, item: nil)), .change(.undo), .change(.redo),
      .change(.redirect([LinkUse(number: 1, key: "k")], to: 2)),
      .list(.reload), .list(.findDay("d")), .query(.markAll), .list(.findMarked([1])),
      .list(.listIndexTitles), .list(.countTrash), .list(.parseSearch("s")), .list(.findEntry(1)),
      .list(.measure("n", .mean, query: "q")),
      .list(.armHighlightTimer), .query(.countMatches("s", at: path)), .query(.prepareSearch),
      .query(.findTitles("t")), .query(.countStatistics(scope, year: 2026, field: "f")),
      .query(.countDays(day...day)), .query(.countSidebar), .query(.countViews(["#a"])),
      .query(.findLinks(1)), .query(.findPictures(scope)), .read(.day("d")),
      .read(.days(day...day)),
      .change(.keepBoth(1, versions: [2, 3], expecting: 4, thenEdit: true)),
      .change(.review(EditConflict(number: 1, fate: .purged, text: "t", draft: "d"))),
      .read(.random("q", except: 1)), .read(.follow(Journal.Link.all(in: "[[a#b|c]]")[0], in: 1)),
      .read(.namesakes(Journal.Link.all(in: "[[a#b|c]]")[0], in: 1)), .read(.lead(.entry(1))),
      .query(.listDay(day, limit: 3)),
      .read(.entry(.entry(1))), .read(.preview(.entry(1))), .read(.versions(.entry(1))),
      .read(.links(.entry(1), count: 2)), .read(.version(1, nil)), .program(.copy(.entry(1))),
      .program(.pipe(.entry(1), "sort")), .program(.openLink("a")),
      .read(.files(.entry(1))), .program(.copyHash("h", of: "n")), .prompt(.attach("p")),
      .program(.pastePicture(.entry(1))),
      .command(.run(["a"], on: .entry(1))), .command(.refresh(["a"])), .command(.cancelSync),
      .settings(.useTheme("t")), .menu(.listTags), .menu(.listFields), .menu(.listJournals),
      .settings(.listSettings), .settings(.showSetting("s")), .settings(.set("a", "b")),
      .settings(.saveView("v", scope)), .settings(.deleteView("v")), .menu(.openJournal("j")),
      .terminal(.redraw), .terminal(.suspend), .terminal(.quit(3)),
    ]

  /// A form at its second question.
  private static let form: Form = {
    guard var form = Form("x\n? one\n? mood::") else { preconditionFailure("it has questions") }
    form.take("1")
    _ = form.go(by: 1)
    return form
  }()

  private static let events: [Event] =
    [MouseAction.Kind.click, .drag, .release, .wheel(-3)].map {
      .mouse(MouseAction($0, column: 1, line: 2))
    }
    + [EditConflict.Fate.changed, .deleted, .purged].map {
      .question(
        .conflictFound(
          EditConflict(
            number: 1, fate: $0,
            theirs: EditConflict.Theirs(
              text: "a", written: Moment(seconds: 1, offset: 0), author: "by a sync", mine: "b"))))
    }
    + [
      .question(
        .conflictReviewed(EditConflict(number: 1, fate: .purged, text: "t", draft: "d")))
    ]
    + effects.map { .journal(.failed("f", doing: $0)) }
    + [SyncOutcome.done("d"), .failed("f"), .cancelled].map { .sync(.ended($0, isAsked: true)) }
    + [
      .key("<Enter>"), .prompt(.wanted),
      .prompt(
        .opened(.redate, text: "t", present: ["p"], isUnsaved: true, index: 1, count: 2)),
      .prompt(.formFound(form)), .prompt(.attachmentAsked),
      .files(
        .opened(
          FilesPage(
            number: 1,
            files: [
              .init(name: "n", details: "d", target: "t", hash: "h", fileName: "f")
            ]))),
      .gallery(
        .found(
          scope,
          [
            .init(
              entry: FoundTitle(number: 1, title: "t", day: day), place: 2, hash: "h",
              shown: ShownPicture(hash: "h", width: 3, height: 4), details: "d", fileName: "f")
          ], count: 5)),
      .prompt(.changed(label: "l", text: "t", point: 1, index: 2)), .prompt(.selectionMoved(-1)),
      .prompt(.submitted("t")), .prompt(.submitted("t", base: 7)), .prompt(.cancelled("t")),
      .prompt(.movedToEditor("t")), .prompt(.fullScreenToggled), .prompt(.pageTurned(-1)),
      .prompt(.misspelledFound([0..<3])), .prompt(.suggestionsFound(nil)),
      .prompt(
        .suggestionsFound(SpellingChoice(word: "teh", range: 0..<3, suggestions: ["the"]))),
      .prompt(.completionsFound(["c"])), .prompt(.candidatesFound(["c"])),
      .prompt(.draftTimerFired), .prompt(.draftsCounted(1, edits: 2)),
      .prompt(.emptiedDraftDiscarded), .prompt(.notKept("r", .pipe, text: "t")), .prompt(.kept),
      .question(.asked(Question("q", effect: .change(.undo), refusal: "r"))),
      .list(.batchArrived(batch)),
      .list(.reloaded(sections, generation: 1, selection: path, query: query)),
      .list(
        .shown(scope, sections, generation: 1, selection: path, leaving: 3, query: query)),
      .list(.notShown(scope, "r", isRefused: true)), .list(.searchParsed("s", query)),
      .list(.searchPrepared), .list(.searchFailed("r")), .list(.workCancelled),
      .list(.placeRestored(folded: ["a"], selection: path, screenLine: 1)),
      .list(.highlightEnded), .list(.deletionSettled), .list(.dayFound(nil, note: "n")),
      .list(.matchFound("s", path, wrapping: .forward)),
      .list(
        .matchesCounted("s", MatchPlace(index: 1, count: 2, path: path, generation: 3))),
      .list(.rowsMarked([1], .add, then: .delete)), .list(.allMarked([1])),
      .list(.trashCounted(TrashContents(count: 1, isUndone: true))),
      .list(.placeFound(1, .jump)), .list(.entryFound(path)),
      .list(.measured(FieldMeasure(name: "n", unit: FieldUnit("u"), statistic: .sum))),
      .reader(.opened(entry, versions: 2)), .reader(.pictureFailed("h")),
      .reader(.daysRead(day...day, [entry], count: 2)),
      .reader(.previewed(entry, versions: 2)), .reader(.previewed(nil)), .reader(.gone(1)),
      .reader(.linksFound([DocumentLink(range: 1..<2, text: "t", address: "a")], count: 1)),
      .reader(
        .linked(
          EntryLinks(
            number: 1, broken: ["b"], sources: [FoundTitle(number: 2, title: "t", day: day)],
            count: 3))),
      .reader(.ledTo(.entry(1))), .reader(.ledTo(.listed(1))), .reader(.ledTo(.days("2026-11"))),
      .reader(.ledTo(.nothing("t"))),
      .versions(.opened(version)),
      .calendar(.daysCounted(day...day, [DayCount(day: day, entries: 1, words: 2)])),
      .calendar(.dayListed(day, [row])), .jump(.titlesFound([IndexTitle(title: "t", section: 1)])),
      .menu(.opened(menu)), .menu(.updated(menu)), .menu(.draftRemoved(left: menu)),
      .menu(.titlesFound("t", [FoundTitle(number: 1, title: "t", day: day)])),
      .statistics(.counted(scope, statistics, today: day, year: 2026, years: [2026])),
      .statistics(
        .summed(
          scope, field: "f",
          FieldStatistics([(day, .number(FixedDecimal(5), unit: "km"))], by: .day),
          today: day, year: 2026, years: [2026])),
      .sidebar(
        .contentsFound(
          SidebarContents(
            entries: 1, tags: [.init(tag: "t", count: 2)], months: [.init(day: day, count: 3)]))),
      .sidebar(.viewsCounted(["#a": 3])),
      .sync(
        .noted(
          SyncNote(unsent: 1, conflicts: 2, hasFailed: true, isRunning: true, progress: .merging(2))
        )),
      .sync(.progressed(.transfer(GitProgress(.sending, done: 1, total: 2)))),
      .output(.opened(page)), .output(.updated(["a"], lines: ["b"])),
      .journal(
        .saved(Saved("s", at: path, showsChange: true, unseen: 1, deleted: [2]))),
      .journal(.noted("n")), .journal(.failed("f")), .journal(.working("w")),
      .journal(.working(nil)), .journal(.changed),
      .journal(.opened(opening)), .journal(.dayChanged(day)), .command(.finished(news)),
      .settings(.changed(settings)), .settings(.viewsChanged(settings.views)),
      .terminal(.resized(Size(columns: 1, lines: 2))), .terminal(.backgroundFound(.max)),
      CellSize(width: 9, height: 19).map { .terminal(.pictureCellFound($0)) }
        ?? .terminal(.inputEnded),
      .terminal(.messageExpired), .terminal(.inputEnded), .terminal(.signalled(15)),
    ]

  @Test("every event is the same after it was written and read")
  func same() throws {
    for event in Self.events {
      var bytes: [UInt8] = []
      let line = TimedLine(at: 5, line: .event(event))
      try line.json().append(to: &bytes)
      #expect(!bytes.contains(0x0A))
      let again = try TimedLine(JSONValue(bytes))
      #expect(again == line)
    }
  }

  @Test("there is a sample of every case of every event and effect in the sources")
  func complete() throws {
    let samples = Set(
      Self.events.map(DebugLog.name(of:)).map(Self.beginning)
        + Self.effects.map(DebugLog.name(of:)).map(Self.beginning))
    for root in ["Event", "Effect"] {
      let features = try Self.cases(of: root)
      #expect(features.count > 8)
      for feature in features {
        guard let type = feature.payload.first(where: { $0.hasSuffix(root) || $0 == "ListQuery" })
        else {
          #expect(samples.contains(feature.name), "\(feature.name)")
          continue
        }
        for one in try Self.cases(of: type) {
          let name = "\(feature.name).\(one.name)"
          #expect(samples.contains(name), "\(name)")
        }
      }
    }
  }

  /// The first two names: `prompt.submitted`.
  private static func beginning(_ name: String) -> String {
    let parts = name.split(separator: ".")
    return ["key", "mouse"].contains(parts[0])
      ? String(parts[0]) : parts.prefix(2).joined(separator: ".")
  }

  /// The cases of an enum in the sources, with the words of their payloads.
  private static func cases(of type: String) throws -> [(name: String, payload: [String])] {
    let directory = Repository.root.appending(path: "Sources/Screen")
    for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: directory.appending(path: path), encoding: .utf8)
      guard let start = text.range(of: "enum \(type): ") else { continue }
      let body = text[start.upperBound...]
      let end = try #require(body.range(of: "\n}")).lowerBound
      return body[..<end].matches(of: #/\n  case `?(\w+)`?(?:\(([^\n]*))?/#).map { match in
        (String(match.1), match.2?.split { !$0.isLetter }.map(String.init) ?? [])
      }
    }
    Issue.record("no enum \(type)")
    return []
  }

  @Test("a new value that makes no sense is refused, not taken")
  func refused() throws {
    let wrong = [
      #"{"at":1,"event":{"_0":{"terminal":{"_0":{"resized":{"_0":{"columns":99999,"lines":1}}}}}}}"#,
      #"{"at":1,"event":{"_0":{"journal":{"_0":{"dayChanged":{"_0":9999999999}}}}}}"#,
      #"{"at":1,"event":{"_0":{"terminal":{"_0":{"signalled":{"_0":99999999999}}}}}}"#,
      #"{"at":1,"event":{"_0":{"nonsense":{}}}}"#, #"{"at":1,"nonsense":{}}"#, #"{"at":1}"#, "[]",
      #"{"at":1,"row":{"_0":{"section":0}}}"#, #"{"at":1,"pressed":{"_0":1}}"#,
    ]
    for text in wrong {
      #expect(throws: DecodingError.self, "\(text)") {
        try TimedLine(JSONValue(Array(text.utf8)))
      }
    }
  }
}

import Journal
import SectionedResults
import SectionedResultsSQL

@testable import JournalStore

/// One state of a journal, as results controllers ask about it.
struct OracleSnapshot: ResultsSnapshot {
  let journal: OracleJournal

  /// How many lists keep their sorted keys.
  private static let keptLists = 4

  func stamp() throws -> StoreStamp { StoreStamp(sequence: journal.lastSequence) }

  func outline(of request: EntryRequest) throws -> [OutlineGroup<EntryRowID>] {
    var grouping = KeyGrouping(request, keeping: .none)
    for key in list(request).keys { grouping.add(key) }
    return grouping.groups
  }

  func keys(of request: EntryRequest, in range: ResultsKeyRange) throws -> [ResultsKey<EntryRowID>]
  {
    Array(list(request).keys(in: range))
  }

  func rows(of request: EntryRequest, ids: [EntryRowID]) throws -> [EntryRow] {
    let projection = RowProjection(request: request)
    let links = LinkOracle(journal.entries.values)
    return ids.compactMap { id in
      journal.entries[id.number].flatMap { entry in
        rows(entry, projection, links).first { $0.id == id }
      }
    }
  }

  private func rows(
    _ entry: Entry, _ projection: RowProjection, _ links: LinkOracle
  ) -> [EntryRow] {
    let query = projection.request.filter ?? .everything
    return query.matches(entry, asking: links.decide)
      ? projection.expanded(entry.row()) { entry.text } : []
  }

  func commits(
    after stamp: StoreStamp, for request: EntryRequest
  ) throws -> [StoreCommit<EntryRow>] {
    guard journal.lastSequence >= stamp.sequence, request.filter?.needsOthers != true else {
      throw ResultsError.historyLost
    }
    let projection = RowProjection(request: request)
    var changes = NetChanges<OracleJournal.Line>(
      rowsBefore: { line in
        guard line.isLost else { return line.before.map(projection.rows) ?? [] }
        if line.wasInTrash, request.filter?.wantsDeleted != true { return [] }
        throw ResultsError.historyLost
      },
      currentRows: { journal.entries[$0].map(projection.rows) ?? [] })
    return try changes.commits(Array(journal.lines(after: stamp.sequence)))
  }

  private func list(_ request: EntryRequest) -> KeyList {
    var plain = request
    (plain.limit, plain.offset) = (nil, 0)
    if let known = journal.lists.first(where: {
      $0.request == plain && $0.sequence == journal.lastSequence
    }) {
      return known
    }
    let projection = RowProjection(request: plain)
    let links = LinkOracle(journal.entries.values)
    let keys = journal.entries.values.flatMap { rows($0, projection, links) }.map(plain.key)
      .sorted(by: plain.precedes)
    let list = KeyList(request: plain, sequence: journal.lastSequence, keys: keys)
    journal.lists = [list] + journal.lists.prefix(OracleSnapshot.keptLists - 1)
    return list
  }
}

/// All keys of a request in order, for one state of a journal.
struct KeyList {
  let request: ResultsRequest<EntryRow>
  let sequence: Int64
  let keys: [ResultsKey<EntryRowID>]

  /// The keys in a range.
  ///
  /// - Complexity: logarithmic, plus the keys themselves.
  func keys(in range: ResultsKeyRange) -> ArraySlice<ResultsKey<EntryRowID>> {
    let start = range.lower.map(index) ?? keys.startIndex
    let end = range.upper.map(index) ?? keys.endIndex
    return keys[start..<max(start, end)]
  }

  private func index(of bound: [SortValue]) -> Int {
    keys.partitioningIndex { request.compare($0.values, bound) >= 0 }
  }
}

/// Reads entries and history of a journal.
struct OracleReader: EntryReading {
  let journal: OracleJournal
  let path: String

  func entry(number: Int64) throws -> Entry? { journal.entries[number] }

  func entry(uuid: String) throws -> Entry? {
    journal.numbersByUUID[uuid].flatMap { journal.entries[$0] }
  }

  func uuids(matching part: String, limit: Int) throws -> [String] {
    let part = part.utf8
    let found = journal.numbersByUUID.keys.filter { uuid in
      uuid.utf8.starts(with: part) || uuid.utf8.suffix(part.count).elementsEqual(part)
    }
    return Array(found.sorted().prefix(limit))
  }

  func numbers(matching query: Query?) throws -> [Int64] {
    let query = query ?? .everything
    let links = LinkOracle(journal.entries.values)
    return journal.entries.values.filter { query.matches($0, asking: links.decide) }
      .map(\.number).sorted()
  }

  func destination(of key: String, from number: Int64) throws -> Int64? {
    guard let source = journal.entries[number] else { return nil }
    return LinkOracle(journal.entries.values).destination(key, from: source)
  }

  func holders(of key: String) throws -> [Int64] {
    LinkOracle(journal.entries.values).holders(key).map(\.number)
  }

  func isBroken(_ key: String) throws -> Bool {
    guard case .title = Link.target(ofKey: key) else { return false }
    guard let source = journal.entries.values.first else { return true }
    return LinkOracle(journal.entries.values).destination(key, from: source) == nil
  }

  func sources(of key: String) throws -> [Int64] {
    journal.entries.values.filter {
      $0.deleted == nil && Link.all(in: $0.text).contains { $0.key == key }
    }.map(\.number)
  }

  func sources(leadingTo number: Int64) throws -> [Int64] {
    try numbers(matching: .linksTo(number))
  }

  func fieldNames() throws -> [FieldName] {
    var names: [String: FieldName] = [:]
    for number in try numbers(matching: nil) {
      for field in Field.all(in: journal.entries[number]?.text ?? "") {
        names[field.key, default: FieldName(key: field.key, name: field.name, kinds: [:])]
          .kinds[field.value.kind, default: 0] += 1
      }
    }
    return names.values.sorted { $0.key < $1.key }
  }

  func fieldKeys() throws -> [String] {
    Set(journal.entries.values.flatMap { Field.all(in: $0.text).map(\.key) }).sorted()
  }

  func fields(of number: Int64, named key: String) throws -> [FieldRow] {
    guard let entry = journal.entries[number], entry.deleted == nil else { return [] }
    return Field.all(in: entry.text).filter { $0.key == key }
      .map { FieldRow(number: number, day: entry.day, value: $0.value) }
  }

  func forEachField(named key: String, _ body: (FieldRow) throws -> Void) throws {
    for number in try numbers(matching: nil) {
      guard let entry = journal.entries[number] else { continue }
      for field in Field.all(in: entry.text) where field.key == key {
        try body(FieldRow(number: number, day: entry.day, value: field.value))
      }
    }
  }

  func count() throws -> Int { journal.entries.values.count { $0.deleted == nil } }

  func logMark(at sequence: Int64) throws -> String? { "\(sequence)" }

  func tagCounts() throws -> [TagCount] {
    var counts: [String: TagCount] = [:]
    let live = journal.entries.values.filter { $0.deleted == nil }
    for entry in live.sorted(by: OracleReader.isEarlier) {
      for tag in entry.tags {
        let key = Tag.key(of: tag)
        counts[key, default: TagCount(key: key, tag: tag, count: 0)].count += 1
      }
    }
    return counts.values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  func count(ofTagAndBelow key: String) throws -> Int {
    journal.entries.values.count { entry in
      entry.deleted == nil
        && entry.tags.map { Tag.key(of: $0) }.contains { $0 == key || $0.hasPrefix(key + "/") }
    }
  }

  func entriesByDay() throws -> [(day: Day, entries: Int)] {
    let live = journal.entries.values.filter { $0.deleted == nil }
    return Dictionary(grouping: live, by: \.day).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.count) }
  }

  static func isEarlier(_ left: Entry, _ right: Entry) -> Bool {
    (left.day, left.created.seconds, left.number)
      < (right.day, right.created.seconds, right.number)
  }

  func titles(matching typed: String, limit: Int) throws -> [FoundTitle] {
    Self.titles(of: Array(journal.entries.values), matching: typed, limit: limit)
  }

  /// The titles that a slow search of all entries finds.
  static func titles(of entries: [Entry], matching typed: String, limit: Int) -> [FoundTitle] {
    let letters = Folding.fold(typed).unicodeScalars.filter { !$0.properties.isWhitespace }
    let live = entries.filter { $0.deleted == nil }
    guard !letters.isEmpty else {
      return live.sorted { isEarlier($1, $0) }.prefix(limit).map(found)
    }
    let ranked = live.compactMap { entry in
      rank(Array(letters), in: Array(entry.titleKey.unicodeScalars)).map { ($0, entry) }
    }
    return ranked.sorted { a, b in
      a.0 == b.0
        ? (a.1.day, a.1.number) > (b.1.day, b.1.number) : a.0.lexicographicallyPrecedes(b.0)
    }.prefix(limit).map { found($0.1) }
  }

  private static func found(_ entry: Entry) -> FoundTitle {
    FoundTitle(number: entry.number, title: entry.title, day: entry.day)
  }

  /// The kind of beginning, the bytes between the letters and the length, of the best beginning.
  private static func rank(_ letters: [Unicode.Scalar], in text: [Unicode.Scalar]) -> [Int]? {
    func bytes(_ scalars: some Sequence<Unicode.Scalar>) -> Int {
      scalars.reduce(0) { $0 + String($1).utf8.count }
    }
    var best: [Int]?
    for start in text.indices where text[start] == letters[0] {
      var places = [start]
      for letter in letters.dropFirst() {
        guard let last = places.last,
          let next = text.indices.first(where: { $0 > last && text[$0] == letter })
        else { break }
        places.append(next)
      }
      guard places.count == letters.count, let last = places.last else { continue }
      let isWord = start > 0 && (text[start - 1].value >= 0x80 || text[start - 1].isWordASCII)
      let between = (start...last).filter { !places.contains($0) }.map { text[$0] }
      let rank = [start == 0 ? 0 : isWord ? 2 : 1, bytes(between), bytes(text)]
      if best.map({ rank.lexicographicallyPrecedes($0) }) ?? true { best = rank }
    }
    return best
  }

  func versions(of number: Int64) throws -> [EntryVersion] {
    guard let current = journal.entries[number] else { return [] }
    let changes = journal.lines.filter { $0.number == number }
    let first = changes.lazy.compactMap(\.before).first ?? current
    var history = EntryHistory(created: first.created)
    let after = changes.dropFirst().map(\.before) + [current]
    for (line, next) in zip(changes, after) {
      let step = journal.steps.first { $0.id == line.changeSet }
      let (source, program) = (step?.author.source ?? .unknown, step?.author.name ?? "")
      guard let before = line.before else {
        if !line.isLost { history.added(by: source, program, isImport: step?.kind == .importing) }
        continue
      }
      guard next?.text.isSame(as: before.text) != true else { continue }
      history.replaced(
        before.text,
        by: .init(
          moment: step?.at ?? before.modified, source: source, program: program,
          isImport: step?.kind == .importing))
    }
    return history.versions(endingWith: current.text)
  }

  func undoable(in scope: HistoryScope, before limit: ChangeSet.ID?) throws -> ChangeSet? {
    journal.steps.last {
      $0.state == .done && $0.reverses == nil && $0.id < limit ?? .max && isIn(scope, $0)
    }.map(describe)
  }

  func undoneElsewhere(
    in session: HistorySession, after limit: ChangeSet.ID?
  ) throws -> [(set: ChangeSet, undo: ChangeSet.ID)] {
    let scope = HistoryScope(session: session)
    let undone = journal.steps.reversed().filter {
      $0.state == .undone && $0.reverses == nil && $0.id > limit ?? 0 && isIn(scope, $0)
    }
    return undone.compactMap { step in
      journal.steps.last { $0.kind == .undo && $0.reverses == step.id }.flatMap { undo in
        undo.author.session != session.id && undo.first > session.start
          ? (describe(step), undo.id) : nil
      }
    }
  }

  func redoable(in scope: HistoryScope) throws -> ChangeSet? {
    let last = journal.steps.last { ![.undo, .redo].contains($0.kind) && isIn(scope, $0) }
    let undone = journal.steps.last { undo in
      undo.kind == .undo && undo.id > last?.id ?? 0 && isIn(scope, undo)
        && journal.steps.contains { $0.id == undo.reverses && $0.state == .undone }
        && !journal.steps.contains {
          $0.kind == .undo && $0.reverses == undo.reverses && $0.id > undo.id
        }
    }
    return journal.steps.first { $0.id == undone?.reverses }.map(describe)
  }

  func changeSets(latest count: Int, before limit: ChangeSet.ID?) throws -> [ChangeSet] {
    journal.steps.filter { $0.id < limit ?? .max && $0.last > 0 }.reversed().prefix(count)
      .map(describe)
  }

  func lastSequence() throws -> Int64 { journal.lastSequence }

  func syncState() throws -> SyncState? { journal.sync }

  /// Compares all entries of then and now by uuid.
  func forEachChange(since cursor: Int64, _ body: (SyncChange) throws -> Void) throws {
    try checkReach(of: cursor)
    var then = journal.entries
    var lost: [Int64: String] = [:]
    for line in journal.lines(after: cursor).reversed() where cursor > 0 {
      then[line.number] = line.before
      lost[line.number] = nil
      guard line.isLost else { continue }
      let purged = journal.purged.first { $0.number == line.number }
      lost[line.number] = purged?.uuid ?? journal.entries[line.number]?.uuid
    }
    if cursor == 0 { then = [:] }
    var changes: [SyncChange] = []
    let uuids = then.values.map(\.uuid) + journal.entries.values.map(\.uuid) + lost.values
    for uuid in Set(uuids) {
      let now = journal.numbersByUUID[uuid].flatMap { journal.entries[$0] }
      let isLost = lost.values.contains(uuid)
      var before = isLost ? nil : then.values.first { $0.uuid == uuid }
      let number = now?.number ?? before?.number ?? lost.first { $0.value == uuid }?.key ?? 0
      before?.number = number
      if !isLost, before == now { continue }
      changes.append(
        SyncChange(uuid: uuid, number: number, atCursor: before, now: now, isBaseLost: isLost))
    }
    for change in changes.sorted(by: { $0.number < $1.number }) { try body(change) }
  }

  func countChanges(since cursor: Int64) throws -> Int {
    cursor == 0
      ? journal.entries.count : Set(journal.lines(after: cursor).map(\.number)).count
  }

  private func isIn(_ scope: HistoryScope, _ step: OracleJournal.Step) -> Bool {
    guard step.kind != .sync else { return false }
    guard let session = scope.session else { return true }
    return step.author.session == session.id || step.first <= session.start
  }

  private func describe(_ step: OracleJournal.Step) -> ChangeSet {
    let lines = journal.lines(after: step.first - 1).prefix { $0.sequence <= step.last }
    return ChangeSet(
      id: step.id, kind: step.kind, at: step.at, actor: step.author.name,
      source: step.author.source,
      count: Set(lines.map(\.number)).count,
      title: lines.first.map { title(of: $0.number, after: step.last) } ?? "",
      isUndone: isUndone(step), canTakeBack: canTakeBack(step), reverses: step.reverses)
  }

  private func isUndone(_ step: OracleJournal.Step) -> Bool {
    guard let reverses = step.reverses else { return step.state == .undone }
    return journal.steps.contains { $0.reverses == reverses && $0.id > step.id }
  }

  private func canTakeBack(_ step: OracleJournal.Step) -> Bool {
    guard let reverses = step.reverses else { return step.state == .done }
    let state = journal.steps.first { $0.id == reverses }?.state
    return !isUndone(step) && state == (step.kind == .undo ? .undone : .done)
  }

  private func title(of number: Int64, after sequence: Int64) -> String {
    journal.lines(after: sequence).first { $0.number == number && $0.before != nil }?.before?.title
      ?? journal.entries[number]?.title
      ?? journal.lines.last { $0.number == number && $0.before != nil }?.before?.title ?? ""
  }
}

extension OracleReader {
  func dayCounts(in days: ClosedRange<Day>) throws -> [DayCount] {
    Array(try statistics(of: nil).days(in: days))
  }

  func daysWithSeveralOffsets(among days: Set<Day>) throws -> Set<Day> {
    let entries = journal.entries.values.filter { $0.deleted == nil && days.contains($0.day) }
    let offsets = Dictionary(grouping: entries, by: \.day).mapValues {
      Set($0.map(\.created.offset))
    }
    return Set(offsets.filter { $0.value.count > 1 }.keys)
  }

  func statistics(of query: Query?) throws -> Statistics {
    let query = query ?? .everything
    var counter = StatisticsCounter()
    var tally = TagTally()
    let links = LinkOracle(journal.entries.values)
    for entry in journal.entries.values where query.matches(entry, asking: links.decide) {
      let derived = journal.derived(from: entry)
      counter.add(entry, words: derived.words)
      for key in derived.tags { tally.add(key, month: entry.day.monthNumber) }
    }
    var result = counter.finished()
    result.tags = tally.top { $0 }
    let names = tagNames(Set(result.tags.map(\.tag)))
    for index in result.tags.indices {
      result.tags[index].tag = names[result.tags[index].tag] ?? result.tags[index].tag
    }
    result.tagCount = tally.count
    let trash = query == .everything ? .flag(.deleted) : Query.and([query, .flag(.deleted)])
    result.trash = journal.entries.values.count {
      $0.deleted != nil && trash.matches($0, asking: links.decide)
    }
    return result
  }

  /// How tags of these keys were typed first; in the trash only where they are nowhere else.
  private func tagNames(_ keys: Set<String>) -> [String: String] {
    let using = journal.entries.values.filter { entry in
      journal.derived(from: entry).tags.contains(where: keys.contains)
    }
    let ordered = using.sorted { left, right in
      (left.deleted == nil) == (right.deleted == nil)
        ? OracleReader.isEarlier(left, right) : left.deleted == nil
    }
    var names: [String: String] = [:]
    for entry in ordered where names.count < keys.count {
      for tag in entry.tags {
        let key = Tag.key(of: tag)
        if keys.contains(key), names[key] == nil { names[key] = tag }
      }
    }
    return names
  }
}

/// Writes entries of a journal, as one change set.
struct OracleWriter: EntryWriting {
  let journal: OracleJournal
  let path: String
  let set: ChangeSet.ID

  private var reader: OracleReader { OracleReader(journal: journal, path: path) }

  func insert(_ entry: Entry) throws -> Int64 {
    var entry = entry
    if entry.number == 0 { entry.number = journal.lastNumber + 1 }
    journal.set(entry, number: entry.number, in: set)
    return entry.number
  }

  func update(_ entry: Entry, from old: Entry) throws {
    journal.set(entry, number: entry.number, in: set)
  }

  func join(_ step: ChangeSet.ID) { journal.joined = step }

  func setAuthor(_ name: String) { journal.steps[journal.steps.count - 1].author.name = name }

  func remove(_ entry: Entry) throws {
    journal.set(nil, number: entry.number, in: set)
  }

  func forget(_ numbers: [Int64], _ step: () throws -> Void) throws {
    for _ in numbers { try step() }
    let gone = Set(numbers)
    if journal.sync != nil {
      for line in journal.lines where gone.contains(line.number) {
        guard let before = line.before else { continue }
        journal.purged.removeAll { $0.number == line.number }
        journal.purged.append(
          PurgedEntry(number: line.number, uuid: before.uuid, sequence: line.sequence))
      }
    }
    for index in journal.lines.indices where gone.contains(journal.lines[index].number) {
      guard journal.lines[index].before != nil else { continue }
      journal.lines[index].before = nil
      journal.lines[index].isLost = true
    }
    let lost = Set(journal.lines.filter(\.isLost).map(\.number))
    for index in journal.steps.indices where journal.steps[index].last > 0 {
      let step = journal.steps[index]
      let lines = journal.lines(after: step.first - 1).prefix { $0.sequence <= step.last }
      if lines.allSatisfy({ lost.contains($0.number) }) { journal.steps[index].state = .final }
    }
  }

  func forEachImage(
    of set: ChangeSet.ID, among numbers: Set<Int64>?, _ body: (EntryImages) throws -> Void
  ) throws {
    for image in images(of: set) where numbers?.contains(image.number) != false { try body(image) }
  }

  private func images(of set: ChangeSet.ID) -> [EntryImages] {
    guard let step = journal.steps.first(where: { $0.id == set }) else { return [] }
    let lines = journal.lines(after: step.first - 1).prefix { $0.sequence <= step.last }
    // A step of very many entries must not look through all lines for each of them.
    let lasts = Dictionary(lines.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    let nexts = Dictionary(
      journal.lines(after: step.last).map { ($0.number, $0) },
      uniquingKeysWith: { first, _ in first })
    var seen: Set<Int64> = []
    return lines.filter { seen.insert($0.number).inserted }.map { first in
      let number = first.number
      let last = lasts[number] ?? first
      let next = nexts[number]
      let isLost = first.isLost || last.isLost || next?.isLost ?? false
      let after = next.map(\.before) ?? journal.entries[number]
      // An entry that is there after its image was lost was edited unseen: that is a conflict.
      return EntryImages(
        number: number, before: first.before, after: isLost ? nil : after,
        isPurged: first.isLost || (isLost && journal.entries[number] == nil))
    }
  }

  func undo(of set: ChangeSet.ID) throws -> ChangeSet.ID? {
    journal.steps.last { $0.reverses == set && $0.kind == .undo }?.id
  }

  func mark(_ set: ChangeSet.ID, undone: Bool) throws {
    for index in journal.steps.indices {
      if journal.steps[index].id == set { journal.steps[index].state = undone ? .undone : .done }
      if journal.steps[index].id == self.set { journal.steps[index].reverses = set }
    }
  }
}

extension OracleWriter {
  func entry(number: Int64) throws -> Entry? { try reader.entry(number: number) }
  func entry(uuid: String) throws -> Entry? { try reader.entry(uuid: uuid) }
  func uuids(matching part: String, limit: Int) throws -> [String] {
    try reader.uuids(matching: part, limit: limit)
  }
  func numbers(matching query: Query?) throws -> [Int64] { try reader.numbers(matching: query) }
  func count() throws -> Int { try reader.count() }
  func tagCounts() throws -> [TagCount] { try reader.tagCounts() }
  func count(ofTagAndBelow key: String) throws -> Int { try reader.count(ofTagAndBelow: key) }
  func entriesByDay() throws -> [(day: Day, entries: Int)] { try reader.entriesByDay() }

  func statistics(of query: Query?) throws -> Statistics { try reader.statistics(of: query) }
  func dayCounts(in days: ClosedRange<Day>) throws -> [DayCount] {
    try reader.dayCounts(in: days)
  }
  func daysWithSeveralOffsets(among days: Set<Day>) throws -> Set<Day> {
    try reader.daysWithSeveralOffsets(among: days)
  }
  func destination(of key: String, from number: Int64) throws -> Int64? {
    try reader.destination(of: key, from: number)
  }
  func isBroken(_ key: String) throws -> Bool { try reader.isBroken(key) }
  func holders(of key: String) throws -> [Int64] { try reader.holders(of: key) }
  func sources(of key: String) throws -> [Int64] { try reader.sources(of: key) }
  func sources(leadingTo number: Int64) throws -> [Int64] {
    try reader.sources(leadingTo: number)
  }
  func fieldNames() throws -> [FieldName] { try reader.fieldNames() }
  func fieldKeys() throws -> [String] { try reader.fieldKeys() }
  func fields(of number: Int64, named key: String) throws -> [FieldRow] {
    try reader.fields(of: number, named: key)
  }
  func forEachField(named key: String, _ body: (FieldRow) throws -> Void) throws {
    try reader.forEachField(named: key, body)
  }
  func titles(matching typed: String, limit: Int) throws -> [FoundTitle] {
    try reader.titles(matching: typed, limit: limit)
  }
  func logMark(at sequence: Int64) throws -> String? { try reader.logMark(at: sequence) }
  func versions(of number: Int64) throws -> [EntryVersion] { try reader.versions(of: number) }
  func undoable(in scope: HistoryScope, before limit: ChangeSet.ID?) throws -> ChangeSet? {
    try reader.undoable(in: scope, before: limit)
  }
  func undoneElsewhere(
    in session: HistorySession, after limit: ChangeSet.ID?
  ) throws -> [(set: ChangeSet, undo: ChangeSet.ID)] {
    try reader.undoneElsewhere(in: session, after: limit)
  }
  func redoable(in scope: HistoryScope) throws -> ChangeSet? {
    try reader.redoable(in: scope)
  }
  func setSyncState(_ state: SyncState?, endingHere: Bool) throws {
    journal.newSync = (state, endingHere)
  }
  func changeSets(latest count: Int, before limit: ChangeSet.ID?) throws -> [ChangeSet] {
    try reader.changeSets(latest: count, before: limit)
  }
  func lastSequence() throws -> Int64 { try reader.lastSequence() }
  func syncState() throws -> SyncState? { try reader.syncState() }
  func forEachChange(since cursor: Int64, _ body: (SyncChange) throws -> Void) throws {
    try reader.forEachChange(since: cursor, body)
  }
  func countChanges(since cursor: Int64) throws -> Int {
    try reader.countChanges(since: cursor)
  }
}

extension Unicode.Scalar {
  fileprivate var isWordASCII: Bool { properties.isAlphabetic || ("0"..."9").contains(self) }
}

import Foundation
import Journal
import JournalFormats
import JournalStore
import TestSupport

@testable import JournalSync

/// What people do in a world.
extension World {
  /// Changes a journal, and tells the ledgers.
  func change(
    _ event: WorldEvent, _ device: WorldDevice, _ random: inout SeededGenerator
  ) throws {
    let before = device.words
    let lead = device.lead
    let process = device.processes[event.process]
    let what: String
    var undone: Undone?
    do {
      what = try makeChange(event, device, process, &undone, &random)
    } catch let error as StoreError {
      switch error.kind {
      case .conflict, .nothingToUndo, .nothingToRedo:
        return say("\(device.name): \(event.action): \(error)")
      default: throw error
      }
    }
    say("\(device.name): process \(event.process) \(what)")
    try device.noteChange()
    if let undone {
      try checkUndo(undone, process, isOwn: event.action == .undo, device, from: before)
    }
    ledger.record(from: before, to: device.words)
    try links.record(from: lead, to: device.lead, on: device.store)
  }

  private func short(_ entry: Entry) -> String { "\(entry.uuid.prefix(6)) \"\(entry.text)\"" }

  private func makeChange(
    _ event: WorldEvent, _ device: WorldDevice, _ process: WorldDevice.Process,
    _ undone: inout Undone?, _ random: inout SeededGenerator
  ) throws -> String {
    let store = process.store
    // In an order that does not depend on numbers.
    let live = try store.entries(store.numbers(matching: nil)).sorted { $0.uuid < $1.uuid }
    // Half of all changes are of one entry, so that devices meet.
    let chosen = random.chance(percent: 50) ? live.first : live.randomElement(using: &random)
    guard let entry = chosen, event.action != .add else {
      let now = store.clock.moment()
      let new = NewEntry(
        text:
          "\(Self.title(event, &random))\n\(Self.words(event, &random, most: 4)) #t\(random.below(4))",
        created: now, day: now.localDay,
        uuid: EntryUUID.derived(path: "\(script.seed) \(event.id)"))
      return "adds \(short(try store.add([new])[0]))"
    }
    let number = entry.number
    switch event.action {
    case .edit:
      let text = edited(entry.text, event, &random)
      _ = try store.edit(number, text: text)
      return "edits \(short(entry)) to \"\(text)\""
    case .openEdit:
      device.setEdit(
        WorldDevice.OpenEdit(
          uuid: entry.uuid, text: entry.text, checksum: entry.checksum,
          conflicts: entry.conflicts), of: event.process)
      return "opens an editor for \(short(entry))"
    case .saveEdit: return try saveEdit(event, device, process, &random)
    case .link:
      guard let target = live.randomElement(using: &random) else { return "nothing" }
      let link = "[[\(target.title)|\(Self.words(event, &random, most: 1))]]"
      _ = try store.edit(number, text: "\(entry.text)\n\(link)")
      return "links \(short(entry)) by \(link)"
    case .rename: return try rename(entry, event, store, &random)
    case .delete:
      _ = try store.delete([number])
      return "deletes \(short(entry))"
    case .restore:
      let trash = try store.numbers(matching: .flag(.deleted))
      _ = try store.restore(trash)
      return "restores \(trash.count)"
    case .purge:
      hasPurged = true
      return "purges \(try store.purge())"
    case .star:
      let isStarred = random.chance(percent: 60)
      _ = try store.setStarred(isStarred, [number])
      return "stars \(isStarred) \(short(entry))"
    case .redate:
      let created = Moment(
        seconds: 1_700_000_000 + Int64(random.below(40)) * 86_400,
        offset: random.below(5) * 3600)
      _ = try store.redate([number], created: created, day: created.localDay)
      return "redates \(short(entry)) to \(created.localDay)"
    case .retag:
      let (old, new) = ("#t\(random.below(4))", "#t\(random.below(4))")
      _ = try store.retag(live.map(\.number), as: .rename) {
        $0.replacing(old, with: new)
      }
      return "renames \(old) to \(new)"
    case .undo:
      // The screen undoes its own steps; a command has none of its own.
      undone = try store.undo(event.process == 0 ? .session : .journal)
      return "undoes \(undone?.set.kind.rawValue ?? "") \(undone?.set.title ?? "")"
    case .redo:
      undone = try store.redo(event.process == 0 ? .session : .journal)
      return "redoes \(undone?.set.kind.rawValue ?? "") \(undone?.set.title ?? "")"
    case .takeBack:
      let sets = try store.changeSets(latest: 6)
      guard let set = sets.randomElement(using: &random) else { return "nothing" }
      if set.kind == .sync { hasFormerTexts = true }
      undone = try store.takeBack(set.id)
      return "takes back \(set.kind) \(set.title)"
    case .putBack:
      let versions = try store.versions(number)
      guard let version = versions.randomElement(using: &random) else { return "nothing" }
      _ = try store.putBack(version: version.index, of: number)
      return "puts back version \(version.index) of \(short(entry))"
    case .importing:
      let source = devices[random.below(devices.count)]
      let entries = try source.entries.sorted { $0.uuid < $1.uuid }
      var added = 0
      for _ in 0..<2 {
        added += try store.importing { target in
          for entry in entries { try target.add(entry) }
          return target.added
        }
      }
      return "imports \(added) of \(entries.count) from \(source.name), twice"
    case .attach:
      guard store.keepsFiles else { return "attaches nothing" }
      let bytes = SyncRig.noise([0, 10, 600][random.below(3)], seed: UInt64(1 + random.below(3)))
      let path = "\(device.path).attached"
      try Data(bytes).write(to: URL(filePath: path))
      try store.attach([JournalStore.FileContent(path)], to: number)
      return "attaches \(bytes.count) bytes to \(short(entry))"
    case .settle:
      // Saving a text as it is settles what is seen.
      _ = try store.edit(number, text: entry.text)
      return "saves \(short(entry)) as it is"
    case .add, .clock, .restart, .powerCut, .loseCache, .sync, .rest, .remoteEdit, .remoteAdd,
      .remoteDelete, .remoteGoesBack, .remoteStartsAgain, .remoteIsEmptied:
      return "waits"
    }
  }

  /// Adds, removes or replaces words below the title.
  private func edited(
    _ text: String, _ event: WorldEvent, _ random: inout SeededGenerator
  ) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let index = 1 + random.below(lines.count)
    guard index < lines.count, !lines[index].contains("[["), random.below(5) > 0 else {
      lines.insert(Self.words(event, &random, most: 3), at: index)
      return lines.joined(separator: "\n")
    }
    var parts = lines[index].split(separator: " ").map(String.init)
    let position = random.below(parts.count + 1)
    switch random.below(3) {
    case 0 where position < parts.count:
      parts[position] = Self.words(event, &random, most: 1)
    case 1 where position < parts.count: parts.remove(at: position)
    default: parts.insert(Self.words(event, &random, most: 2), at: position)
    }
    lines[index] = parts.joined(separator: " ")
    return lines.joined(separator: "\n")
  }

  /// Saves what was typed in an editor that was opened before, over what others did meanwhile.
  private func saveEdit(
    _ event: WorldEvent, _ device: WorldDevice, _ process: WorldDevice.Process,
    _ random: inout SeededGenerator
  ) throws -> String {
    guard let edit = process.edit else { return "has no editor open" }
    device.setEdit(nil, of: event.process)
    let found = try process.store.inspect { try $0.entry(uuid: edit.uuid) }
    guard let now = found else { return "has an editor of a removed entry open" }
    let text = edited(edit.text, event, &random)
    try process.store.edit(
      now.number, text: text, expecting: edit.checksum, knowing: edit.conflicts)
    // Who types over a text that he has seen removes nothing else.
    let before = device.words[edit.uuid]?.live ?? []
    let seen = Set(WordLedger.marked(edit.text))
    let after = try process.store.entry(now.number)
    let left = try ([after.text] + process.store.conflicts(of: now.number)).flatMap(
      WordLedger.marked)
    let known = Set(
      try process.store.versions(now.number).filter {
        EntryConflicts.hashes(edit.conflicts).contains(EntryConflicts.hash(of: $0.text))
      }.flatMap { WordLedger.marked($0.text) })
    let unseen = before.subtracting(left).subtracting(seen).subtracting(known)
    try Violation.check(
      unseen.sorted().map(String.init), "an edit removed words that it had not seen")
    return "saves its editor over \(short(now)) as \"\(text)\""
  }

  /// Changes a title, and mostly the links to it.
  private func rename(
    _ old: Entry, _ event: WorldEvent, _ store: any EntryStore, _ random: inout SeededGenerator
  ) throws -> String {
    let new = Self.title(event, &random)
    let uses = try store.uses(leadingTo: old.number)
    _ = try store.edit(old.number, text: new + old.text.dropFirst(old.title.count))
    guard random.chance(percent: 75) else { return "renames \(short(old)) to \(new)" }
    let lost = try store.uses(uses, notLeadingTo: old.number)
    if !lost.isEmpty { _ = try store.redirect(lost, to: old.number) }
    return "renames \(short(old)) to \(new) with \(lost.count) links"
  }

  /// Checks that an undo took back a step that it may, and nothing that others wrote.
  ///
  /// - Parameter isOwn: whether the step was not chosen in the list of all steps.
  private func checkUndo(
    _ undone: Undone, _ process: WorldDevice.Process, isOwn: Bool, _ device: WorldDevice,
    from before: WordLedger.Words
  ) throws {
    let set = undone.set
    let own = undone.isRedone ? device.removed[set.id] : device.added[set.id]
    for (uuid, words) in before {
      let left = device.words[uuid]?.live ?? []
      let removed = words.live.subtracting(left).subtracting(own?[uuid] ?? [])
      try Violation.check(
        removed.sorted().map(String.init),
        "\(device.name): taking back \(set.kind) \(set.id) removed words of others")
    }
    guard isOwn else { return }
    if set.kind == .sync { throw Violation("\(device.name): undo took back a synchronisation") }
    if process.author.source == .screen, set.id > process.start, set.actor != process.author.name {
      throw Violation("\(device.name): the screen took back a step of \(set.actor)")
    }
  }

  // MARK: The remote

  /// Changes the remote as a person with plain git.
  func changeRemote(_ event: WorldEvent, _ random: inout SeededGenerator) throws {
    guard let head = remote.head, try devices.allSatisfy({ try $0.store.syncState()?.base != nil })
    else { return }
    if heads.last != head { heads.append(head) }
    switch event.action {
    case .remoteGoesBack:
      let index = random.below(heads.count)
      try forgetUnread()
      hasFormerTexts = true
      remote.head = heads[index]
      return say("the remote goes back to its head \(index + 1) of \(heads.count)")
    case .remoteIsEmptied:
      try forgetUnread()
      hasFormerTexts = true
      remote.head = nil
      return say("the remote is emptied")
    default: break
    }
    guard !script.isSealed else { return }
    let files = remote.texts.filter { SyncHistory.uuid(of: $0.key) != nil }
    let found = files.sorted { $0.key < $1.key }.randomElement(using: &random)
    switch event.action {
    case .remoteStartsAgain:
      let index = random.below(heads.count)
      try forgetUnread()
      hasFormerTexts = true
      remote.head = heads[index]
      remote.commit([], isNewRoot: true)
      say("the history of the remote begins again as its head \(index + 1) of \(heads.count)")
    case .remoteAdd:
      let name = "Notes/2026-11-\(10 + random.below(15)) note\(event.id).md"
      let text = Self.words(event, &random, most: 3)
      remote.commit([(name, text)])
      ledger.record(EntryUUID.derived(path: name), from: "", to: text, WordLedger.marked)
      say("git adds \(name) \"\(text)\"")
    case .remoteDelete:
      guard let (path, text) = found, let uuid = SyncHistory.uuid(of: path) else { return }
      remote.commit([(path, nil)])
      let body = text.range(of: "---\n\n").map { String(text[$0.upperBound...]) } ?? ""
      ledger.record(uuid, from: body, to: "", WordLedger.marked)
      say("git deletes \(path)")
    case .remoteEdit:
      guard let (path, text) = found, let uuid = SyncHistory.uuid(of: path),
        let end = text.range(of: "---\n\n")?.upperBound
      else { return }
      let body = String(text[end...])
      let new = edited(body, event, &random)
      remote.commit([(path, String(text[..<end]) + new)])
      ledger.record(uuid, from: body, to: new, WordLedger.marked)
      say("git edits \(path) to \"\(new)\"")
    default: break
    }
  }

  /// Who replaces the history takes what plain git wrote and no device has read yet.
  private func forgetUnread() throws {
    for (path, text) in remote.texts {
      guard
        let uuid = SyncHistory.uuid(of: path)
          ?? (path.hasPrefix("Notes/") ? EntryUUID.derived(path: path) : nil)
      else { continue }
      let read = devices.reduce(into: Set<Substring>()) { $0.formUnion($1.words[uuid]?.all ?? []) }
      let body = text.range(of: "---\n\n").map { String(text[$0.upperBound...]) } ?? text
      let unread = WordLedger.marked(body).filter { !read.contains($0) }
      ledger.record(uuid, from: unread.joined(separator: "\n"), to: "") {
        $0.split(separator: "\n")
      }
    }
  }
}

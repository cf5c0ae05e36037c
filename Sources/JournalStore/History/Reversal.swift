import Journal

/// Takes the changes of a change set back, inside a transaction.
final class Reversal {
  /// Whether anything was written.
  private(set) var hasEffect = false

  private let set: ChangeSet.ID
  private let count: Int
  private let writer: any EntryWriting
  private let clock: WallClock
  private let options: BulkOptions
  /// The steps done: deciding on an entry and restoring it each cost about half of the work.
  private var done = 0
  /// The entries that cannot simply be replaced by their before image; usually none.
  private var special: [Int64: Decision] = [:]
  private var kept: [Undone.Kept] = []

  /// - Parameter count: the number of the change set's entries.
  init(
    of set: ChangeSet.ID, count: Int, _ writer: any EntryWriting, _ clock: WallClock,
    _ options: BulkOptions
  ) {
    self.set = set
    self.count = count
    self.writer = writer
    self.clock = clock
    self.options = options
  }

  /// The change of an entry.
  private enum Decision {
    /// The before image returns.
    case restore
    /// The before image and the current entry are merged.
    case merge
    /// It stays.
    case keep
    /// It already has its former state.
    case nothing
  }

  /// Takes back what can be taken back.
  ///
  /// Removals come first, since another tool may have given one entry's uuid to another.
  ///
  /// - Parameter verb: "undone" or "redone", for messages.
  /// - Returns: the number of entries taken back completely, and the others.
  /// - Throws: ``StoreError``, when everything would be kept.
  func run(_ verb: String) throws -> (restored: Int, kept: [Undone.Kept]) {
    var gone: [Int64] = []
    let untouched = try writer.takeBackUntouched(set) {
      try step()
      try step()
    }
    let others = untouched?.others
    var known = untouched?.count ?? 0
    hasEffect = untouched?.hasEffect ?? false
    try writer.forEachImage(of: set, among: others) { image in
      if image.isPurged { return keep(image.number, .purged) }
      try step()
      known += 1
      let decision = try decide(image)
      if case .restore = decision {
        if image.after != nil, !image.keepsEntry { gone.append(image.number) }
      } else {
        special[image.number] = decision
      }
    }
    guard known > 0 else {
      throw StoreError(
        .nothingToUndo, at: writer.path,
        "the data of the last change is gone; nothing was \(verb)")
    }
    for number in gone {
      try writer.remove(writer.existing(number))
      hasEffect = true
    }
    try writer.forEachImage(of: set, among: others) { image in
      guard !image.isPurged else { return }
      try step()
      try restore(image)
    }
    if !hasEffect, let first = kept.first(where: { $0.reason != .purged }) {
      throw StoreError(
        .conflict(number: first.number), at: writer.path,
        "entry \(first.number) was \(first.reason == .removed ? "removed" : "changed") since"
          + " by another program; nothing was \(verb)")
    }
    try options.progress?(count, count)
    let partly = kept.count { $0.reason != .purged }
    return (known - partly, kept.sorted { $0.number < $1.number })
  }

  private func step() throws {
    try options.progress?(min(done / 2, count), count)
    done += 1
  }

  private func keep(_ number: Int64, _ reason: Undone.Reason) {
    kept.append(Undone.Kept(number: number, reason: reason))
  }

  private func decide(_ image: EntryImages) throws -> Decision {
    let current = try writer.entry(number: image.number)
    guard let after = image.after else {
      if current == nil { return .restore }
      keep(image.number, .changed)
      return .keep
    }
    guard let current else {
      if image.before == nil { return .nothing }
      keep(image.number, .removed)
      return .keep
    }
    if current.isSame(as: after) { return .restore }
    if image.keepsEntry, current.uuid.isSame(as: after.uuid) { return .merge }
    keep(image.number, .changed)
    return .keep
  }

  private func restore(_ image: EntryImages) throws {
    guard let before = image.before else { return }
    switch special[image.number] {
    case .keep, .nothing: return
    case .merge:
      if let after = image.after { try merge(before, after) }
    case .restore, nil:
      if let after = image.after, image.keepsEntry {
        guard !before.isSame(as: after) else { return }
        try writer.updateKeepingConflicts(before, from: after)
      } else if try writer.contains(uuid: before.uuid) {
        // An import or another device added the entry again under another number.
        return keep(image.number, .changed)
      } else {
        _ = try writer.insert(before)
      }
      hasEffect = true
    }
  }

  private func merge(_ before: Entry, _ after: Entry) throws {
    let current = try writer.existing(after.number)
    var merged = current
    let isWhole = merged.takeBack(from: after, to: before)
    if !isWhole { keep(after.number, .changed) }
    guard !merged.isSame(as: current) else { return }
    merged.modified = clock.moment()
    try writer.updateKeepingConflicts(merged, from: current)
    hasEffect = true
  }
}

extension Entry {
  /// Takes back the change from one state to another, in an entry that was changed since: a merge
  /// of three states for each field, by words for the text.
  ///
  /// A field that was changed since to another value than its former one stays; date and day belong
  /// together. `modified` is not touched.
  ///
  /// - Parameters:
  ///   - after: the state after the change that is taken back: the base of the merge.
  ///   - before: the state before it.
  /// - Returns: whether all of the change was taken back.
  mutating func takeBack(from after: Entry, to before: Entry) -> Bool {
    var isWhole = true
    for group in Entry.mergedFields {
      if group.allSatisfy({ $0.isSame(before, after) || $0.isSame(before, self) }) { continue }
      if group.allSatisfy({ $0.isSame(self, after) }) {
        for field in group { field.copy(from: before, to: &self) }
      } else {
        isWhole = false
      }
    }
    if text.isSame(as: before.text) || after.text.isSame(as: before.text) { return isWhole }
    if text.isSame(as: after.text) {
      text = before.text
      return isWhole
    }
    guard let merged = TextMerge.merge(base: after.text, text, before.text),
      (try? Entry.validate(text: merged)) != nil
    else { return false }
    text = merged
    return isWhole
  }

  /// The fields that are merged as a whole, those in groups that belong together.
  private static let mergedFields: [[EntrySchema.Field]] = {
    let date = ["created", "day"]
    let alone = EntrySchema.fields.filter {
      !(date + ["number", "uuid", "modified", "text"]).contains($0.name)
    }
    return [EntrySchema.fields.filter { date.contains($0.name) }] + alone.map { [$0] }
  }()
}

extension EntrySchema.Field {
  /// Copies the field's value.
  fileprivate func copy(from source: Entry, to target: inout Entry) {
    switch kind {
    case .integer(let access): access.set(&target, access.get(source))
    case .text(let access): access.set(&target, access.get(source))
    case .flag(let access): access.set(&target, access.get(source))
    case .day(let access): access.set(&target, access.get(source))
    case .moment(let access): access.set(&target, access.get(source))
    case .optionalMoment(let access): access.set(&target, access.get(source))
    }
  }
}

extension EntryImages {
  /// Whether both images are the same entry, and not another one under its number.
  fileprivate var keepsEntry: Bool {
    guard let before, let after else { return false }
    return before.uuid.isSame(as: after.uuid)
  }
}

import Journal

/// Repairs links where a merge ends: one side renamed an entry, and the other one links to its former title.
///
/// A link is repaired if all of this holds:
///
/// - It leads nowhere now. Where another entry has the title, the link leads there.
/// - On the side of the link it named an entry that has another title now, perhaps in the trash. Of several entries
///   with the title it is the one to which the link led there.
/// - The other side does not have the link in its text of the same entry. Who renames an entry sees the links
///   to it, and is asked about them: those that were left as they were, stay.
/// - A link can name the new title, and leads to the entry then.
///
/// Only the device that merges both histories sees both, so no two devices repair the same link. The repaired
/// text is a change of this journal, which goes to the remote as any other. Heading and words of a link stay, as
/// do texts in the trash, versions and conflicts; an entry with an open conflict keeps it.
struct LinkRepair {
  let writer: any EntryWriting
  let clock: WallClock
  /// The new targets of links, by the number of their entry.
  private var targets: [Int64: [LinkText: String]] = [:]

  init(_ writer: any EntryWriting, _ clock: WallClock) {
    (self.writer, self.clock) = (writer, clock)
  }

  /// Plans the repair of links of one side.
  ///
  /// - Parameters:
  ///   - titles: what that side calls the entries.
  ///   - isShared: whether the other side has a link in its text of an entry, too.
  mutating func add(
    _ titles: [FormerTitle], _ isShared: (Entry, LinkText) throws -> Bool
  ) throws {
    var byKey: [String: [FormerTitle]] = [:]
    for title in titles {
      for key in title.keys { byKey[key, default: []].append(title) }
    }
    for (key, titles) in byKey.sorted(by: { $0.key < $1.key }) {
      let sources = try writer.sources(of: key)
      guard !sources.isEmpty, try writer.isBroken(key) else { continue }
      for source in sources {
        guard let entry = try writer.entry(number: source) else { continue }
        let links = try LinkText.all(in: entry.text).filter {
          try $0.key == key && targets[source]?[$0] == nil && !isShared(entry, $0)
        }
        guard !links.isEmpty,
          let meant = FormerTitle.meant(by: key, from: entry.created, among: titles),
          let named = try writer.entry(uuid: meant.uuid),
          let target = try target(naming: named, from: source), Link.key(of: target) != key
        else { continue }
        for link in links { targets[source, default: [:]][link] = target }
      }
    }
  }

  /// The name of an entry in a link of another one; in the trash, its name after a restoration.
  private func target(naming entry: Entry, from source: Int64) throws -> String? {
    entry.deleted == nil
      ? try writer.target(naming: entry.title, of: entry.number, from: source)
      : try Link.targets(naming: entry.title).first { try writer.isBroken(Link.key(of: $0)) }
  }

  /// Changes the planned links.
  ///
  /// - Returns: the numbers of the entries whose texts changed.
  func run() throws -> [Int64] {
    try targets.sorted { $0.key < $1.key }.compactMap { source, targets in
      guard let entry = try writer.entry(number: source) else { return nil }
      let text = Link.text(replacingTargetsIn: entry.text) { targets[LinkText($0)] }
      // A longer title may make a text too long.
      guard (try? Entry.validate(text: text)) != nil else { return nil }
      return try writer.rewrite(entry, clock) { $0.text = text } == nil ? nil : source
    }
  }
}

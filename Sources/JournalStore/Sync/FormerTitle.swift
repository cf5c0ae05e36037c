import Journal

/// The title that an entry has on one side of a merge, if the merged entry has another one or is gone.
package struct FormerTitle: Hashable, Sendable {
  /// The entry's permanent identity.
  package let uuid: String
  /// The keys of the links that name it there, the full title first.
  let keys: [String]
  /// When the entry was written, by which a link chooses among several of one title.
  let created: Moment
  /// Whether it is in the trash on that side.
  let isInTrash: Bool

  /// - Parameters:
  ///   - entry: the entry on that side.
  ///   - now: the merged entry; `nil` if it is gone.
  /// - Returns: `nil` if links to its title find it as before, or if no link can name the title.
  package init?(of entry: Entry, now: Entry?) {
    guard let now, now.deleted == nil || entry.deleted != nil, now.titleKey == entry.titleKey else {
      self.init(of: entry)
      return
    }
    return nil
  }

  private init?(of entry: Entry) {
    keys = Link.keys(ofTitleKey: entry.titleKey)
    guard !keys.isEmpty else { return nil }
    (uuid, created, isInTrash) = (entry.uuid, entry.created, entry.deleted != nil)
  }

  /// The entry that a link of a key means on that side, by the rules of ``LinkGraph``: those with all of the
  /// title come before those that have it before tags, and the trash comes last.
  ///
  /// - Parameter source: when the entry with the link was written.
  static func meant(by key: String, from source: Moment, among titles: [FormerTitle])
    -> FormerTitle?
  {
    let full = titles.filter { $0.keys.first == key }
    let named = full.isEmpty ? titles.filter { $0.keys.contains(key) } : full
    let live = named.filter { !$0.isInTrash }
    let sorted = (live.isEmpty ? named : live).sorted {
      ($0.created.seconds, $0.uuid) < ($1.created.seconds, $1.uuid)
    }
    return sorted.last { $0.created.seconds <= source.seconds } ?? sorted.first
  }
}

extension Entry {
  /// Its links, none in the trash: there nobody is asked about them.
  package var liveLinks: Set<LinkText> { deleted == nil ? LinkText.all(in: text) : [] }
}

/// The remote's titles of entries that the journal has changed since both were equal.
package struct RemoteSide {
  /// The titles in the remote of entries that the journal calls otherwise.
  package var titles: [FormerTitle]
  /// Returns the links in the remote's text of an entry; `nil` for an entry that only the remote,
  /// or nobody, has changed, whose text is the same on both sides.
  package var links: (Entry) throws -> Set<LinkText>?

  package init(titles: [FormerTitle], links: @escaping (Entry) throws -> Set<LinkText>?) {
    (self.titles, self.links) = (titles, links)
  }
}

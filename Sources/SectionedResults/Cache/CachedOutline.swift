// SPDX-License-Identifier: MIT

/// The sections, groups and counts of a request at one stamp: the contents of a named cache.
public struct CachedOutline: Codable, Equatable, Sendable {
  /// One group of adjacent rows.
  public struct Group: Codable, Equatable, Sendable {
    /// The identity of the group's section.
    public var section: String
    /// The sort values at which the group starts.
    public var bound: [SortValue]
    /// The number of its rows.
    public var count: Int
  }

  /// The identity of the request: entity, version, filter, sort keys and section field (rule 17).
  public var signature: String
  /// The sequence number of the store's log for which the counts are valid.
  public var sequence: Int64
  /// The token of that number, see ``StoreStamp/token``; 0 in a cache of an earlier version.
  public var token: Int64? = nil
  /// The groups in order.
  public var groups: [Group]

  var stamp: StoreStamp { StoreStamp(sequence: sequence, token: token ?? 0) }
}

/// Storage for named outlines: memory, a file or a table.
public protocol OutlineCacheStorage: AnyObject {
  /// The outline with a name; `nil` if it does not exist or cannot be read.
  func outline(named name: String) -> CachedOutline?

  /// Saves an outline under a name and replaces an earlier one.
  ///
  /// - Throws: when it cannot be saved; the results do not depend on it.
  func save(_ outline: CachedOutline, named name: String) throws

  /// Deletes the outline with a name; `nil` deletes all outlines (rule 19).
  ///
  /// - Throws: when it cannot be deleted.
  func delete(named name: String?) throws
}

/// The named caches of one storage, and the controllers that use them.
///
/// Make one object per storage, and use a storage for one store only. Requests are compared by their printed form,
/// so a filter must print everything that distinguishes it.
public final class ResultsCaches {
  private let storage: any OutlineCacheStorage
  private var users: [String: ObjectIdentifier] = [:]

  /// Makes the caches of a storage; all names are free.
  public init(storage: any OutlineCacheStorage) {
    self.storage = storage
  }

  /// Deletes a cache by name, or all caches if the name is `nil` (rule 19).
  ///
  /// - Throws: the error of the storage.
  public func deleteCache(withName name: String?) throws {
    try storage.delete(named: name)
  }

  /// Whether a cache with this name exists.
  public func contains(_ name: String) -> Bool {
    storage.outline(named: name) != nil
  }

  /// Reserves a name for a controller (rule 20).
  func claim(_ name: String, for user: AnyObject) throws {
    let identity = ObjectIdentifier(user)
    guard users[name, default: identity] == identity else {
      throw ResultsError.cacheInUse(name)
    }
    users[name] = identity
  }

  func release(_ name: String, by user: ObjectIdentifier) {
    if users[name] == user { users[name] = nil }
  }

  /// The outline under a name, if it is one of this request, of this stamp or an earlier one (rule
  /// 17).
  func outline<Row>(
    named name: String, for request: ResultsRequest<Row>, at stamp: StoreStamp
  ) -> CachedOutline? {
    guard let outline = storage.outline(named: name), outline.sequence <= stamp.sequence,
      outline.signature == request.signature
    else { return nil }
    return outline
  }

  func save<Row>(_ state: ResultsState<Row>, named name: String) throws {
    guard let groups = state.tree.cachedGroups else { return }
    let outline = CachedOutline(
      signature: state.tree.request.signature, sequence: state.stamp.sequence,
      token: state.stamp.token, groups: groups)
    try storage.save(outline, named: name)
  }
}

/// Named outlines in memory, for tests and for programs that repeat a request.
public final class MemoryOutlineCache: OutlineCacheStorage {
  private var outlines: [String: CachedOutline] = [:]

  /// Makes an empty storage.
  public init() {}

  /// The outline with a name; `nil` if it does not exist.
  public func outline(named name: String) -> CachedOutline? { outlines[name] }

  /// Saves an outline under a name and replaces an earlier one.
  public func save(_ outline: CachedOutline, named name: String) {
    outlines[name] = outline
  }

  /// Deletes the outline with a name; `nil` deletes all outlines.
  public func delete(named name: String?) {
    if let name { outlines[name] = nil } else { outlines = [:] }
  }
}

extension ResultsState {
  /// The smallest number of written rows after which a new outline may be cheaper.
  private static var fewestRowsWritten: Int { 64 }

  /// Makes the state of a cached outline, brought up to date by the store's change log.
  ///
  /// `nil` when a new outline is needed: the log is lost or long, or the cache contradicts the store.
  ///
  /// - Throws: the error of the store.
  init?(
    _ cached: CachedOutline, of request: ResultsRequest<Row>, in snapshot: any ResultsSnapshot<Row>,
    generation: Int
  ) throws {
    do {
      var reader = try ResultsReader(
        request: request, snapshot: snapshot, since: cached.stamp)
      let written = reader.commits.reduce(0) { $0 + $1.changes.count }
      let rows = cached.groups.reduce(0) { $0 &+ $1.count }
      guard written <= max(Self.fewestRowsWritten, rows / 8) else { return nil }
      let groups = cached.groups.map {
        OutlineGroup<Row.ID>(section: $0.section, bound: $0.bound, count: $0.count)
      }
      tree = try ResultsTree(request: request, outline: groups, loader: reader.keys)
      stamp = cached.stamp
      self.generation = generation
      window = Self.window(over: tree)
      for commit in reader.commits {
        _ = try apply(commit, with: reader)
        reader.advance(past: commit)
      }
      stamp = reader.stamp
      self.generation = generation
    } catch is ResultsError {
      return nil
    }
  }
}

extension ResultsRequest {
  /// Everything that a cached outline depends on, except the store's state (rule 17).
  var signature: String {
    """
    \(Row.entityName) \(Row.entityVersion) \(String(describing: filter)) \
    \(sortKeys.map { "\($0.field) \($0.order)" }) \(String(describing: sectionField))
    """
  }
}

extension ResultsTree {
  /// The tree's groups without keys.
  ///
  /// Leaves that differ only by a tie become one group, since a bound without an identity cannot
  /// separate them.
  ///
  /// `nil` when only a tie separates two sections: such an outline cannot be stored.
  fileprivate var cachedGroups: [CachedOutline.Group]? {
    var groups: [CachedOutline.Group] = []
    var lastValues: [SortValue]?
    for section in sections {
      for leaf in section.leaves where leaf.count > 0 {
        if let last = groups.indices.last, let values = lastValues, leaf.bound.id != nil,
          request.compare(values, leaf.bound.values) == 0
        {
          guard groups[last].section.hasBytes(of: section.key) else { return nil }
          groups[last].count += leaf.count
        } else {
          groups.append(
            CachedOutline.Group(
              section: section.key, bound: leaf.bound.values, count: leaf.count))
        }
        lastValues = leaf.keys?.last?.values
      }
    }
    return groups
  }
}

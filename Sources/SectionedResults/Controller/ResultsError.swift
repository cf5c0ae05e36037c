// SPDX-License-Identifier: MIT

/// An error of a results controller; it never traps and never undoes a save.
public enum ResultsError: Error, Equatable, Sendable {
  /// The request has no sort key (rule 1).
  case noSortKey
  /// The limit, offset or page size is out of range.
  case invalidRange(String)
  /// The sort order does not keep a section together (rule 7).
  ///
  /// It gives a row and a section. After a fetch they are the first row that belongs to an already
  /// completed section; after a commit, the written row and the section that it would split.
  case splitSection(row: String, section: String)
  /// A name was given for a cache, but no storage to keep it in.
  case noCacheStorage(String)
  /// A sort or section field is a computed property without a name, which no store or cache can know.
  case unnamedField
  /// Another controller uses the cache with this name (rule 20).
  case cacheInUse(String)
  /// The request cannot change while the cache with this name exists: delete it first (rule 18).
  case cacheNotDeleted(String)
  /// An access before `performFetch` succeeded (rule 2).
  case notFetched
  /// The row with this identity is no longer in the store.
  case rowIsGone(String)
  /// Another row in the store has this identity.
  case rowExists(String)
  /// No row exists at this path.
  case noSuchRow(RowPath)
  /// A move of the user was to be written inside a callback, or inside another one.
  case reorderingInsideCallback
  /// The store's change log no longer contains all commits after the state shown; fetch again.
  case historyLost
  /// The store's answer contradicts itself, for example a write to a row that it never had.
  case inconsistentStore(String)
}

extension ResultsError: CustomStringConvertible {
  /// The fault and the remedy, in one sentence.
  public var description: String {
    switch self {
    case .noSortKey: "the request has no sort key"
    case .invalidRange(let reason): "the request cannot be shown: \(reason)"
    case .splitSection(let row, let section):
      "the sort order does not keep section “\(section)” together at row \(row): sort by the section first"
    case .noCacheStorage(let name):
      "cache “\(name)” has no storage: give the controller its ResultsCaches"
    case .unnamedField:
      "a computed property has no name: give it one with ResultsField(_:named:)"
    case .cacheInUse(let name): "another controller uses cache “\(name)”"
    case .cacheNotDeleted(let name):
      "delete cache “\(name)” before you change the request"
    case .notFetched: "nothing was fetched: call performFetch() first"
    case .rowIsGone(let id): "row \(id) no longer exists"
    case .rowExists(let id): "another row is \(id) already"
    case .noSuchRow(let path): "there is no row at \(path)"
    case .reorderingInsideCallback:
      "a move of the user cannot be written inside a callback: write it afterwards"
    case .historyLost: "the store no longer has all commits since the last fetch: fetch again"
    case .inconsistentStore(let reason): "the store contradicts itself: \(reason)"
    }
  }
}

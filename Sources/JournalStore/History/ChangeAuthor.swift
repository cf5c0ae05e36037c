import Synchronization

/// The kind of program that made a change set; the change log stores the raw value.
package enum ChangeSource: String, CaseIterable, Sendable {
  /// The screen of this program, its keys and its `:` line.
  case screen
  /// A command of this program in a shell.
  case command
  /// Synchronisation with other devices.
  case sync
  /// A program that uses `daybook mcp`.
  case mcp
  /// Another program, for example `sqlite3` or a text editor.
  case program
  /// Not recorded: the change set is older than the record of sources.
  case unknown = ""
}

/// The author of the changes of an opened store.
package struct ChangeAuthor: Hashable, Sendable {
  /// The kind of program.
  package var source: ChangeSource
  /// The program's name, for example `daybook`.
  package var name: String
  /// A random number of the opened store, by which its own change sets are found; never 0.
  package var session: Int64

  /// Makes an author of a new session.
  package init(_ source: ChangeSource = .command, name: String = "daybook") {
    self.source = source
    self.name = name
    session = Int64.random(in: 1...Int64.max)
  }

  /// The author of change sets of a kind in a store of an author: those of synchronisation are named
  /// as such.
  static func of(_ kind: ChangeKind, in author: ChangeAuthor) -> ChangeAuthor {
    guard kind == .sync else { return author }
    var sync = author
    (sync.source, sync.name) = (.sync, Self.sync)
    return sync
  }

  /// The name of change sets of synchronisation that do not name the other device.
  package static let sync = "sync"
}

/// The place of an opened store in the history of its journal.
package struct HistorySession: Sendable {
  /// The number of the store's own change sets, as in ``ChangeAuthor/session``.
  package var id: Int64
  /// The sequence number of the last change before the store was opened.
  package var start: Int64
  /// The change sets that undo passes over.
  let passed = PassedChanges()

  package init(id: Int64, start: Int64) {
    (self.id, self.start) = (id, start)
  }
}

extension HistorySession: Hashable {
  package static func == (a: HistorySession, b: HistorySession) -> Bool {
    a.id == b.id && a.start == b.start
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(start)
  }
}

/// The change sets of which undo has said that nothing of them can be taken back, or that nothing is left of
/// them, and the undos of others that it has named: the next undo goes on to the change before.
///
/// They are remembered while the store is open, not stored: the process that changed the
/// entries since may take that back.
final class PassedChanges: Sendable {
  private let sets = Mutex<Set<ChangeSet.ID>>([])

  func contains(_ id: ChangeSet.ID) -> Bool { sets.withLock { $0.contains(id) } }

  func insert(_ ids: [ChangeSet.ID]) { sets.withLock { $0.formUnion(ids) } }

  func removeAll() { sets.withLock { $0.removeAll() } }
}

/// The change sets that undo and redo consider.
package enum UndoScope: Hashable, Sendable {
  /// Those of this store, then those from before it was opened; what other processes did meanwhile
  /// is skipped. For the screen.
  case session
  /// Those of all processes. For a command, which has no history of its own.
  case journal
}

/// The change sets that undo and redo consider, in a store: never those of synchronisation.
package struct HistoryScope: Hashable, Sendable {
  /// The session; `nil` for all of them.
  package var session: HistorySession?

  init(_ scope: UndoScope, of store: any EntryStore) {
    self.init(session: scope == .session ? store.session : nil)
  }

  init(session: HistorySession?) { self.session = session }
}

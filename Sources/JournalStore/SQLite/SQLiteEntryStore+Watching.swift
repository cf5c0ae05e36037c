import GRDB

extension SQLiteEntryStore {
  /// Readable when another process may have committed.
  package var changeDescriptor: Int32? { watcher?.descriptor }

  /// Looks whether another process committed, and tells the observers if so.
  ///
  /// Without inotify every call looks.
  package func refresh() throws -> Refresh {
    guard watcher?.takeEvents() ?? true else { return Refresh() }
    let place = currentPlace()
    guard place == .same else { return Refresh(place: place) }
    let found = try takeDataVersion()
    let retry = watcher?.looked(found: found)
    if found {
      if !isReadOnly, try mapped({ try consistent(Settling.isNeeded) }) { try settle() }
      observers.notify()
    }
    return Refresh(changed: found, retryAfter: retry)
  }

  private func currentPlace() -> Refresh.Place {
    guard let now = FileIdentity(path: file.path) else { return .removed }
    return now == file.identity ? .same : .replaced
  }

  /// The number changes when another connection has committed, and only then.
  func dataVersion() throws -> Int {
    try mapped {
      try queue.inDatabase { try Int.fetchOne($0.cachedStatement(sql: "PRAGMA data_version")) ?? 0 }
    }
  }

  private func takeDataVersion() throws -> Bool {
    let version = try dataVersion()
    guard version != knownDataVersion else { return false }
    knownDataVersion = version
    return true
  }
}

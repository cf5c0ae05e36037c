import JournalStore

/// The readable files that the program kept of a journal that is sealed now.
enum ReadableTraces {
  /// Seals its drafts, and overwrites and removes its view, its copy for synchronisation, and the
  /// histories of prompts: they have words of all journals, and no mark of which.
  ///
  /// - Parameters:
  ///   - store: the sealed journal, opened after it was sealed.
  ///   - keepsRepository: whether its copy for synchronisation was made of a sealed repository.
  /// - Throws: ``Failure`` when the state directory is unknown; `GitError`.
  static func remove(of store: any EntryStore, keepsRepository: Bool) throws {
    let drafts = try DraftStore.standard(for: store.path, form: DraftForm(of: store))
    remove(drafts, journal: DraftStore.identity(of: store.path), in: try Places.state())
    if !keepsRepository { try SyncRun.removeRepository(of: store) }
  }

  /// - Parameters:
  ///   - drafts: those of the sealed journal.
  ///   - journal: its real path.
  ///   - state: the state directory.
  static func remove(_ drafts: DraftStore, journal: String?, in state: String) {
    _ = drafts.abandoned()
    if let journal { RecentJournals(directory: state).removeView(of: journal) }
    PromptHistories.remove(from: state)
  }
}

import CSeal

/// The pages that this process has opened and sealed: what sealing costs beside a readable journal.
package struct SealWork: Hashable, Sendable {
  /// The pages that were verified and decrypted.
  package var opened: Int
  /// The pages that were encrypted.
  package var sealed: Int

  /// The work up to now.
  package static var now: SealWork {
    var (opened, sealed) = (0, 0)
    daybook_seal_work(&opened, &sealed)
    return SealWork(opened: opened, sealed: sealed)
  }

  /// The work since an earlier moment.
  package func since(_ start: SealWork) -> SealWork {
    SealWork(opened: opened - start.opened, sealed: sealed - start.sealed)
  }
}

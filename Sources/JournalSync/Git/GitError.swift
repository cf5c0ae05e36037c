/// A failure of git, of a remote or of the repository, as a value with a way out.
package struct GitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons that callers treat differently.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// The program `git` is not installed.
    case gitMissing
    /// The program `git` lacks an option that is used.
    case gitTooOld
    /// The name of the remote is refused before git sees it.
    case badRemote
    /// The remote cannot be reached, ended the connection, or said nothing for too long.
    case unreachable
    /// The remote refuses: authentication, permission, a protected branch.
    case refused
    /// The remote answers, but has no repository at that place.
    case notARepository
    /// The remote sent objects that are damaged or that git forbids.
    case corrupt
    /// The remote needs a newer git, or another object format.
    case tooNew
    /// Another process uses the repository.
    case busy
    /// The local repository is damaged; it is a cache and can be removed and fetched again.
    case damaged
    /// The local disk is full, or its directory cannot be written.
    case storage
    /// The caller ended it.
    case cancelled
    /// Any other failure.
    case failed
  }

  /// The reason.
  package var kind: Kind
  /// One line: the last useful line of git, or our own words; without control characters.
  package var message: String
  /// The advice for the user; empty when there is none.
  package var advice: String
  /// The process that uses a ``Kind/busy`` repository, if it has written its number.
  package var user: Int32?

  package init(_ kind: Kind, _ message: String, advice: String? = nil) {
    self.kind = kind
    self.message = message
    self.advice = advice ?? Self.advice(for: kind)
  }

  /// One line: what, and what to do.
  package var description: String { advice.isEmpty ? message : "\(message); \(advice)" }

  private static func advice(for kind: Kind) -> String {
    switch kind {
    case .gitMissing: "install it: apt install git"
    case .gitTooOld: "git 2.35 or later is needed"
    case .badRemote: "a remote is a directory, file://, ssh://, https://, git:// or user@host:path"
    case .unreachable: "everything is kept for the next time"
    case .refused: "check that you may read and write there: git ls-remote REMOTE"
    case .notARepository: "check the name, or make a repository there: git init --bare"
    case .corrupt: "nothing was received; check the repository there: git fsck"
    case .tooNew: "a newer git may read it"
    case .busy: "try again later"
    case .damaged: "it is a copy and can be fetched again"
    case .storage: "check the disk and its permissions"
    case .cancelled, .failed: ""
    }
  }
}

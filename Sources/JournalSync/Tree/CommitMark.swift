import Journal
import Seal

/// The mark of a commit that a device made with the key of a sealed repository.
///
/// The host of the repository cannot make a file there, but it can commit former files again, and
/// remove some. The mark, in the last line of the message, is a keyed hash of the commit's tree and
/// parents: a commit without it was made by the host, or by a Daybook that did not mark commits yet.
/// Only the head counts: the device that makes a commit on top of another one has merged that. A device that never
/// had the newer state cannot know that the files are former ones.
extension TreeSeal {
  /// The mark of a commit, in hexadecimal digits.
  func mark(tree: ObjectID, parents: [ObjectID]) -> String {
    let names = ([tree] + parents).map(\.description).joined(separator: " ")
    return Hexadecimal.text(of: key.name(of: Array(names.utf8), purpose: "commit in a repository"))
  }

  /// The commit with the files of another one, and with a mark.
  ///
  /// - Throws: ``GitError``.
  func marked(
    _ commit: ObjectID, on parents: [ObjectID], author: CommitAuthor,
    in repository: any SyncRepository
  ) throws -> ObjectID {
    let tree = try repository.tree(of: commit)
    return try repository.commit(
      tree: tree, on: parents, author: author,
      message: "sealed\n\n\(mark(tree: tree, parents: parents))\n")
  }

  /// Whether a commit has its mark.
  ///
  /// - Throws: ``GitError``.
  func hasMark(_ commit: ObjectID, in repository: any SyncRepository) throws -> Bool {
    guard let parts = try repository.parts(of: commit) else { return false }
    return parts.lastLine == mark(tree: parts.tree, parents: parts.parents)
  }
}

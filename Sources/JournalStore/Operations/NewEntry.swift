import Journal

/// An entry that is to be written, with the identity it will keep.
///
/// The uuid is made here and not by the store, so that adding the same value again after an error
/// whose outcome is unknown cannot store it twice.
package struct NewEntry: Hashable, Sendable {
  /// The permanent identity.
  package var uuid: String
  /// The whole text.
  package var text: String
  /// When it was written.
  package var created: Moment
  /// When it was last changed: what an import says, now for an entry dated to another time, else
  /// ``created``.
  package var modified: Moment
  /// The day it belongs to.
  package var day: Day
  /// Whether it is starred.
  package var starred: Bool
  /// When it went to the trash; only imports set it.
  package var deleted: Moment?

  /// Makes an entry to be written, under a fresh uuid unless one is given.
  package init(
    text: String, created: Moment, day: Day, starred: Bool = false, uuid: String? = nil,
    modified: Moment? = nil, deleted: Moment? = nil
  ) {
    self.uuid = uuid ?? EntryUUID.make(atMilliseconds: created.seconds * 1000)
    self.text = text
    self.created = created
    self.modified = modified ?? created
    self.day = day
    self.starred = starred
    self.deleted = deleted
  }

  var entry: Entry {
    Entry(
      uuid: uuid, created: created, modified: modified, day: day, text: text, starred: starred,
      deleted: deleted)
  }
}

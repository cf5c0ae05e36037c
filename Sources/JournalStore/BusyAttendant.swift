/// Is told while a store waits for a journal that another program is writing to, and may end the wait.
///
/// ```swift
/// let attendant = BusyAttendant { milliseconds in wantsToGiveUp() }
/// try BusyAttendant.$current.withValue(attendant) { try store.add([entry]) }
/// ```
///
/// A store that is opened while an attendant is the current one asks it for as long as it is open.
/// A wait that is ended throws ``StoreError/Kind/busy``, as one that was too long does.
package final class BusyAttendant: @unchecked Sendable {
  // Unchecked: a store belongs to one thread, which alone waits for it and changes what is called.

  /// The attendant of what is being done, if it has one.
  @TaskLocal package static var current: BusyAttendant?

  /// Called every few milliseconds of a wait with its length so far in milliseconds; returns whether
  /// to give up.
  package var waits: (_ milliseconds: Int64) -> Bool

  /// Makes an attendant.
  package init(_ waits: @escaping (_ milliseconds: Int64) -> Bool) {
    self.waits = waits
  }
}

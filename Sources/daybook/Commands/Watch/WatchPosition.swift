import ArgumentParser
import Journal
import JournalStore
import SectionedResults

/// A position in the history of a watched list, as `watch` prints it: `STAMP-CHECK`.
///
/// The check is of the list's request and of the change at the stamp. It differs for another list, and
/// for a journal whose history went another way, such as a restored backup.
struct WatchPosition: Equatable, CustomStringConvertible {
  /// The last change that the list shows.
  let stamp: StoreStamp
  /// 16 hexadecimal digits.
  private let check: String

  /// The position of a list at a stamp.
  ///
  /// - Throws: the error of the journal.
  init(of request: ResultsRequest<EntryRow>, at stamp: StoreStamp, in store: any EntryStore) throws
  {
    self.stamp = stamp
    let mark = try store.inspect { try $0.logMark(at: stamp.sequence) }
    // The page size does not change what is listed.
    let list =
      "\(String(describing: request.filter)) \(request.sortKeys) \(String(describing: request.sectionField)) \(String(describing: request.limit)) \(request.offset)"
    let sum = UInt64(bitPattern: Entry.checksum(of: "\(mark ?? "gone")\n\(list)"))
    let digits = String(sum, radix: 16)
    check = String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads a position that `watch` printed; `nil` for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = Int64(parts[0]), sequence >= 0,
      parts[1].utf8.count == 16, UInt64(parts[1], radix: 16) != nil
    else { return nil }
    stamp = StoreStamp(sequence: sequence)
    check = String(parts[1])
  }

  var description: String { "\(stamp.sequence)-\(check)" }
}

extension WatchPosition: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

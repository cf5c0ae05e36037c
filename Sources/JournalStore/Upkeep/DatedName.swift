import Glibc
import Journal

/// Names with the time of day in them, for files that are kept beside a journal.
package enum DatedName {
  /// `journal-2026-11-21T174000.sqlite` for a journal called `journal.sqlite`.
  ///
  /// The ending stays, because a journal's kind follows from its name: what is kept can be opened.
  package static func name(of path: String, at moment: Moment) -> String {
    let name = JournalFile.name(of: path)
    let (stem, ending) = parts(of: name)
    let (hour, minute, second) = moment.localTime
    let time = [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    return "\(stem)-\(moment.localDay)T\(time)\(ending)"
  }

  /// Whether a name is one that ``name(of:at:)`` gives to a copy of a file.
  package static func isName(_ name: Substring, of path: String) -> Bool {
    let (stem, ending) = parts(of: JournalFile.name(of: path))
    guard name.hasPrefix(stem + "-"), name.hasSuffix(ending) else { return false }
    let digits = name.dropFirst(stem.count + 1).dropLast(ending.count).map { character in
      ("0"..."9").contains(character) ? "0" : character
    }
    return String(digits) == "0000-00-00T000000"
  }

  /// A path beside a file, with its dated name, at which nothing stands yet.
  static func free(beside path: String, at moment: Moment) -> String {
    let folder = JournalFile.folder(of: path)
    let (stem, ending) = parts(of: name(of: path, at: moment))
    var candidate = "\(folder)/\(stem)\(ending)"
    var count = 1
    while isTaken(candidate) {
      count += 1
      candidate = "\(folder)/\(stem)-\(count)\(ending)"
    }
    return candidate
  }

  private static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// A name without its ending, and the ending with its full stop.
  private static func parts(of name: String) -> (stem: String, ending: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }
}

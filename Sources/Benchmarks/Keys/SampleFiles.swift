import Foundation
import TestSupport

/// The additions that the pages of row 26 show beside a sample journal's entries: a picture, a task and links
/// in the newest entry, entries in the trash, an old entry in conflict, and a file to import.
enum SampleFiles {
  static let title = "Bread at the river"
  /// The path of the imported file, in the home of the program.
  static let imported = "~/import.txt"

  /// Adds the contents to a copy of a sample journal, by the program itself.
  ///
  /// - Parameter count: the number of its entries.
  static func add(to journal: String, of count: Int, with bench: Bench) throws {
    let picture = "\(bench.data.work)/picture.png"
    try Data(SamplePicture.png(width: 64, height: 48, color: [200, 120, 40, 255]))
      .write(to: URL(filePath: picture))
    try Data("[2020-01-01 09:00] A morning\nWith a text.\n".utf8)
      .write(to: URL(filePath: "\(bench.data.work)/import.txt"))
    let text = "\(title) #home\n\n- [ ] buy flour\n\nSee https://example.org and [[2020-02-02]]."
    let number = "\(count + 3)"
    for arguments in [
      ["add", "in the trash"], ["add", "in the trash, too"], ["add", text],
      ["attach", number, picture], ["star", number], ["delete", "\(count + 1)", "\(count + 2)"],
    ] {
      try ChildProcess([bench.daybook] + arguments, environment: bench.environment(journal)).wait()
    }
    try addConflict(to: journal, number: count + 4, with: bench)
  }

  /// Adds an entry from a note, and changes the same words in it and in the note.
  private static func addConflict(to journal: String, number: Int, with bench: Bench) throws {
    let note = "\(bench.data.work)/note.md"
    let head = "---\nuuid: \(UUID().uuidString.lowercased())\ncreated: 2001-02-03T09:00:00Z\n---\n"
    for (word, edit) in [("dough", "\(number)"), ("flour", nil)] {
      try Data("\(head)The \(word) was heavy.\n".utf8).write(to: URL(filePath: note))
      let edits = edit.map { [["edit", $0, "The bread was heavy."]] } ?? []
      for arguments in [["import", note]] + edits {
        try ChildProcess([bench.daybook] + arguments, environment: bench.environment(journal))
          .wait()
      }
    }
  }
}

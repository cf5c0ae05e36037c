import Foundation
import TestSupport

/// The additions that the pages of row 26 show beside a sample journal's entries: a picture, a task and links
/// in the newest entry, entries in the trash, and a file to import.
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
  }
}

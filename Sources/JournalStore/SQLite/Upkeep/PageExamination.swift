import GRDB

/// SQLite's own check of its pages, told apart into what can be made anew and what cannot.
struct PageExamination {
  let db: Database

  /// More lines than this tell nothing new.
  private static let limit = 20

  func findings() throws -> [Finding] {
    let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(PageExamination.limit))")
    return lines.filter { $0 != "ok" }.map { line in
      let text = line.split(whereSeparator: \.isNewline).joined(separator: " ")
      return Finding(text, PageExamination.isOfIndex(line) ? .mending : .salvage)
    }
  }

  /// An index that does not fit its table is made anew from the table.
  private static func isOfIndex(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    return line.hasPrefix("wrong # of entries in index ")
      || (words.first == "row" && line.contains(" missing from index "))
  }
}

import GRDB
import Journal

/// The text of an entry between two lines of a log.
enum LoggedText {
  case known(String)
  /// Another program replaced it, and nobody had read it.
  case lost
}

/// Writes lines of a file's log into the table of the log.
struct JSONLogWriter {
  private var insertion: RowInsertion
  private let image: RepeatedStatement

  init(_ db: Database) throws {
    let line = ["seq", "change_set", "kind", "number"]
    insertion = RowInsertion(into: "change", line + ["deleted"], in: db)
    image = try RepeatedStatement(
      EntryColumns.insertion(into: "change", line + EntryColumns.image), in: db)
  }

  /// Adds a line.
  ///
  /// - Parameter next: the entry's text after the change; `nil` if there is no entry.
  mutating func add(_ line: JSONDocument.Line, next: LoggedText?) throws {
    guard let before = line.before else {
      try insertion.add(.integer(line.sequence))
      try insertion.add(.integer(line.changeSet))
      try insertion.add(.text(line.isLost ? "purged" : "insert"))
      try insertion.add(.integer(line.number))
      try insertion.add(line.wasInTrash ? .integer(0) : .null)
      return
    }
    image.bind(line.sequence)
    image.bind(line.changeSet)
    image.bind(next == nil ? "delete" : "update")
    image.bind(line.number)
    // The title of a removed entry is stored here only; others are derived when needed.
    let derived = next == nil ? DerivedColumns(text: before.text) : nil
    var isNumber = true
    var index = 0
    EntryColumns.forEachValue(of: before, derived) { value in
      // The first column of an entry is its number, which is already bound.
      defer { isNumber = false }
      if isNumber { return }
      let isText = EntryColumns.image[index] == "text"
      index += 1
      if isText, case .text(let text) = value, case .known(let known)? = next,
        known.isSame(as: text)
      {
        image.bind(nil)
      } else {
        image.bind(value)
      }
    }
    try image.run()
  }

  /// Writes the remaining lines.
  mutating func finish() throws { try insertion.finish() }
}

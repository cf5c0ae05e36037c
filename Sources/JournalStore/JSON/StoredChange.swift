import Journal

/// A line of the change log as it stands in the file.
struct StoredChange {
  private var sequence: Int64?
  private var set: Int64?
  private var number: Int64?
  private var isLost = false
  private var wasInTrash = false
  private var before: StoredEntry?

  /// Reads the next value, which must be an object.
  init(_ reader: inout JSONReader) throws(JSONError) {
    var change = self
    try reader.object { name, reader throws(JSONError) in try change.take(name, &reader) }
    self = change
  }

  private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "seq": sequence = try reader.integerIfAny()
    case "set": set = try reader.integerIfAny()
    case "number": number = try reader.integerIfAny()
    case "lost": isLost = try reader.boolIfAny() ?? false
    case "trash": wasInTrash = try reader.boolIfAny() ?? false
    case "before" where try reader.kind() == .object: before = try StoredEntry(&reader)
    default: _ = try reader.value()
    }
  }

  /// The line; `nil` when a part of it is missing, or no text that undo could bring back.
  ///
  /// Lines come from the newest to the oldest, so that `texts` holds what stood after each.
  func line(_ texts: inout [Int64: String]) -> MemoryJournal.Line? {
    guard let sequence, let set, let number else { return nil }
    var line = MemoryJournal.Line(
      sequence: sequence, changeSet: set, number: number, isLost: isLost, wasInTrash: wasInTrash)
    if let before {
      let text = before.text ?? texts[number] ?? ""
      guard !text.utf8.contains(0), let entry = before.entry(text: text) else { return nil }
      line.before = entry
      line.wasInTrash = entry.deleted != nil
    }
    texts[number] = line.before?.text
    return line
  }
}

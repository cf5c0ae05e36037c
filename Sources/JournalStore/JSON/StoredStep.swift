import Journal

/// A change set as it stands in the file.
struct StoredStep {
  private var numbers: [String: Int64] = [:]
  private var kind: ChangeKind?
  private var at: Moment?
  private var actor = ""

  /// Reads the next value, which must be an object.
  init(_ reader: inout JSONReader) throws(JSONError) {
    var step = self
    try reader.object { name, reader throws(JSONError) in try step.take(name, &reader) }
    self = step
  }

  private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "id", "first", "last", "state", "reverses": numbers[name] = try reader.integerIfAny()
    case "kind": kind = try reader.stringIfAny().flatMap(ChangeKind.init)
    case "at": at = try reader.momentIfAny()
    case "actor": actor = try reader.stringIfAny() ?? ""
    default: _ = try reader.value()
    }
  }

  /// The change set; `nil` when a part of it is missing.
  func step() -> MemoryJournal.Step? {
    guard let id = numbers["id"], let at, let first = numbers["first"], let last = numbers["last"],
      let state = numbers["state"].flatMap({ MemoryJournal.Step.State(rawValue: Int($0)) })
    else { return nil }
    return MemoryJournal.Step(
      id: id, kind: kind ?? .outside, at: at, actor: actor, first: first, last: last, state: state,
      reverses: numbers["reverses"])
  }
}

import Journal

extension JSONDocument {
  /// The record of synchronisation in a JSON journal, the member `sync`.
  struct SyncRecord: Hashable {
    var state: SyncState
    /// The entries that were purged since the cursor.
    var purged: [PurgedEntry] = []

    /// Appends the member with the comma before it.
    func append(to bytes: inout [UInt8]) {
      bytes += ",\"sync\":{\"remote\":".utf8
      JSONText.append(state.remote, to: &bytes)
      for (name, value) in [
        ("journal", state.journal), ("device", state.device), ("base", state.base),
        ("at", state.at?.description), ("outcome", state.outcome?.text),
      ] {
        guard let value else { continue }
        bytes += ",\"\(name)\":".utf8
        JSONText.append(value, to: &bytes)
      }
      bytes += ",\"cursor\":\(state.cursor),\"purged\":[".utf8
      for (index, entry) in purged.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += "{\"number\":\(entry.number),\"seq\":\(entry.sequence),\"uuid\":".utf8
        JSONText.append(entry.uuid, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
      }
      bytes += "]}".utf8
    }

    /// Reads the next value; `nil` if it is not an object, or incomplete: then the journal is not
    /// synchronised.
    init?(_ reader: inout JSONReader) throws(JSONError) {
      guard try reader.kind() == .object else {
        _ = try reader.value()
        return nil
      }
      var texts: [String: String] = [:]
      var cursor: Int64?
      var found: [PurgedEntry?] = []
      try reader.object { name, reader throws(JSONError) in
        switch name {
        case "cursor": cursor = try reader.integerIfAny()
        case "purged":
          found =
            try reader.objectsIfAny { reader throws(JSONError) in try PurgedEntry(&reader) } ?? []
        default: texts[name] = try reader.stringIfAny()
        }
      }
      guard let remote = texts["remote"], let journal = texts["journal"],
        let device = texts["device"], let cursor, cursor >= 0
      else { return nil }
      state = SyncState(
        remote: remote, base: texts["base"], cursor: cursor, journal: journal, device: device,
        at: texts["at"].flatMap { Moment($0) }, outcome: texts["outcome"].map { SyncOutcome($0) })
      purged = found.compactMap(\.self)
    }

    init(state: SyncState, purged: [PurgedEntry]) {
      self.state = state
      self.purged = purged
    }
  }
}

extension PurgedEntry {
  /// Reads the next value, which must be an object; `nil` if it is incomplete.
  fileprivate init?(_ reader: inout JSONReader) throws(JSONError) {
    var numbers: [String: Int64] = [:]
    var uuid: String?
    try reader.object { name, reader throws(JSONError) in
      if name == "uuid" {
        uuid = try reader.stringIfAny()
      } else {
        numbers[name] = try reader.integerIfAny()
      }
    }
    guard let uuid, let number = numbers["number"], let sequence = numbers["seq"] else {
      return nil
    }
    self.init(number: number, uuid: uuid, sequence: sequence)
  }
}

import Journal

/// Reads ahead over the members of a document's root, without consuming a byte.
struct RootWalk {
  /// The result.
  enum Goal {
    /// The list's opening bracket is the last byte scanned.
    case list
    /// The object ended without a list.
    case noList
  }

  /// The object is broken at the current position.
  struct Broken: Error {
    var error: FormatError
    /// Whether the file ends there.
    var isEnd = false
  }

  /// The number of scanned bytes of the window.
  private(set) var ahead = 0
  /// The small members so far.
  private(set) var members: [JSONMember] = []
  private let records: JSONRecords

  init(records: JSONRecords) {
    self.records = records
  }

  /// Scans from the object's opening bracket at the window's start.
  ///
  /// - Throws: ``Broken``, and the error of the stream.
  mutating func run() throws -> Goal {
    ahead = 1
    if try next() == UInt8(ascii: "}") { return end() }
    while true {
      guard try next() == UInt8(ascii: "\""), case .string(let name)? = try value() else {
        throw try broken("a name")
      }
      guard try next() == UInt8(ascii: ":") else { throw try broken("\":\"") }
      ahead += 1
      if try next() == UInt8(ascii: "["), name == records.member {
        ahead += 1
        return .list
      }
      if let value = try value() { members.append(JSONMember(name, value)) }
      switch try next() {
      case UInt8(ascii: ","): ahead += 1
      case UInt8(ascii: "}"): return end()
      default: throw try broken("\",\" or \"}\"")
      }
    }
  }

  private mutating func end() -> Goal {
    ahead += 1
    return .noList
  }

  /// The byte at the current position, after white space.
  private mutating func next() throws -> UInt8 {
    while true {
      let start = ahead
      let place = records.stream.withBytes { bytes in
        bytes[start...].firstIndex { !JSONReader.isSpace($0) }
      }
      if let place {
        ahead = place
        return records.stream.withBytes { $0[place] }
      }
      ahead = records.stream.count
      guard try records.stream.more() else {
        let error = FormatError("the file is truncated", at: records.place(ahead))
        throw Broken(error: error, isEnd: true)
      }
    }
  }

  /// Scans a value.
  ///
  /// - Returns: the value, if it is small.
  private mutating func value() throws -> JSONValue? {
    let start = ahead
    let extent: JSONExtent
    do {
      extent = try records.extent(from: start)
    } catch let error as FormatError {
      throw Broken(error: error, isEnd: true)
    }
    guard extent.length > 0 else { throw try broken("a value") }
    if extent.length <= JSONRecords.rootMemberLimit {
      let bytes = records.stream.withBytes { Array($0[start..<start + extent.length]) }
      do throws(JSONError) {
        let value = try JSONValue(bytes, options: records.options)
        ahead += extent.length
        return value
      } catch {
        throw Broken(error: FormatError("broken JSON: \(error)", at: records.place(start)))
      }
    }
    ahead += extent.length
    return nil
  }

  private func broken(_ expected: String) throws -> Broken {
    Broken(error: try records.unexpected(expected, ahead: ahead))
  }
}

import Foundation
import Journal

/// Values with a synthesised `Codable` as JSON, and back: for records of events, not for entries.
///
/// Foundation codes them; lines are read and written by the program's own JSON reader, as all others are.
enum JSONCoding {
  /// A value as JSON.
  ///
  /// - Throws: the errors of the value's own `encode(to:)`.
  static func value(of value: some Encodable) throws -> JSONValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try JSONValue(Array(encoder.encode(value)))
  }

  /// The value that JSON has been made of.
  ///
  /// - Throws: `DecodingError` with the path to the member that is missing or is something else.
  static func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws -> Value {
    var bytes: [UInt8] = []
    json.append(to: &bytes)
    return try JSONDecoder().decode(type, from: Data(bytes))
  }
}

import Journal
import Testing

@testable import daybook

/// Values as JSON by the coding that the compiler makes of them.
struct JSONCodingTests {
  private indirect enum Tree: Codable, Equatable {
    case leaf
    case named(String, count: Int64?)
    case both(Tree, Tree)
  }

  private struct Everything: Codable, Equatable {
    var texts: [String] = []
    var numbers: [Int64] = []
    var small: [Int32: UInt32] = [:]
    var names: [String: Bool] = [:]
    var set: Set<Int> = []
    var range: ClosedRange<Int> = 1...2
    var missing: String?
    var nested: [[Tree]] = []
    var day = Day(daysSinceEpoch: -1)
  }

  private func again<Value: Codable>(_ value: Value) throws -> Value {
    var bytes: [UInt8] = []
    try JSONCoding.value(of: value).append(to: &bytes)
    return try JSONCoding.decode(Value.self, from: JSONValue(bytes))
  }

  @Test("every scalar of a text and every digit of a number comes back")
  func same() throws {
    let all = Everything(
      texts: ["", "\u{FEFF}\u{0}\"\\\n", "e\u{301}", "👩‍👩‍👧"], numbers: [.min, .max, 0],
      small: [.min: .max, 3: 0], names: ["a.b": true, "": false], set: [1, 2, 3], range: -5...9,
      nested: [[], [.leaf, .both(.named("x", count: nil), .named("", count: .max))]])
    let back = try again(all)
    #expect(back == all)
    #expect(back.texts.map { Array($0.utf8) } == all.texts.map { Array($0.utf8) })
    #expect(try again(Everything()) == Everything())
    #expect(try again([Int]()) == [] && again(Tree.leaf) == .leaf && again("x") == "x")
    #expect(try again(Int64?.none) == nil && again([1, nil, 3] as [Int?]) == [1, nil, 3])
  }

  @Test("a value of another kind is named with the path to it")
  func wrong() throws {
    let cases: [(json: String, path: String)] = [
      (#"{"texts":[1]}"#, "texts.0"), (#"{"texts":{}}"#, "texts"), (#"{"texts":["a"]}"#, ""),
      ("[]", ""),
      // Foundation names no path to a number that an integer cannot be.
      (#"{"texts":[],"numbers":[1.5]}"#, ""),
      (#"{"texts":[],"numbers":[9223372036854775808]}"#, ""),
    ]
    for (json, path) in cases {
      do {
        _ = try JSONCoding.decode(Everything.self, from: JSONValue(Array(json.utf8)))
        Issue.record("\(json) is decoded")
      } catch let error as DecodingError {
        #expect(error.path == path, "\(json)")
      }
    }
  }
}

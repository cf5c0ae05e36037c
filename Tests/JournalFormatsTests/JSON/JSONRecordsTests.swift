import Journal
import JournalFormats
import TestSupport
import Testing

struct JSONRecordsTests {
  /// The records of a file in words: `3:"text"` for a record in line 3, `3!reason` for a broken
  /// one.
  private static func walk(_ bytes: [UInt8], chunk: Int = .max, isLossy: Bool = false) throws
    -> [String]
  {
    var rest = bytes[...]
    let stream = ByteStream {
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
    let records = JSONRecords(stream, options: JSONOptions(isLossy: isLossy))
    var met: [String] = []
    do {
      while let record = try records.nextValue() {
        switch record {
        case .value(let value, let line): met.append("\(line):\(value["t"]?.string ?? value.kind)")
        case .broken(let error): met.append("\(error.place)!\(error.reason)")
        }
      }
    } catch let error as FormatError {
      met.append("end \(error)")
    }
    return met
  }

  private static func walk(_ text: String, chunk: Int = .max) throws -> [String] {
    try walk(Array(text.utf8), chunk: chunk)
  }

  private static let shapes: [(String, [String])] = [
    ("", []), (" \n ", []), ("[]", []), (" [ ] \n", []), ("{\"entries\":[]}", []),
    ("[{\"t\":\"a\"},\n {\"t\":\"b\"}]", ["1:a", "2:b"]),
    ("{\"t\":\"a\"}\n{\"t\":\"b\"}\n", ["1:a", "2:b"]),
    ("{\"t\":\"a\"}\r\n\r\n  \n{\"t\":\"b\"}", ["1:a", "4:b"]),
    ("{\"t\":\"a\"}", ["1:a"]),
    ("{\n \"t\": \"a\"\n}\n{\n \"t\": \"b\"\n}\n", ["1:a", "4:b"]),
    ("\u{FEFF}{\"t\":\"a\"}", ["1:a"]),
    (
      "{\"format\":\"x\",\"tags\":{\"a\":[1,{}]},\n\"entries\":[\n{\"t\":\"}]\\\"\"},\n{\"t\":\"b\"}\n],\n"
        + "\"more\":[1,\"]\",{}], \"z\":null }\n",
      ["3:}]\"", "4:b"]
    ),
    (
      "{\"entries\":\n[1,\"a\",null,[2],true ]}",
      ["2:a number", "2:a string", "2:null", "2:an array", "2:true or false"]
    ),
    ("{\"entries\":{\"t\":\"a\"}}", ["1:an object"]),
  ]

  @Test("records are found in every shape, in pieces of every size", arguments: shapes)
  func everyShape(text: String, expected: [String]) throws {
    for chunk in [1, 2, 3, 5, 7, 11, 64, .max] {
      #expect(try Self.walk(text, chunk: chunk) == expected, "in pieces of \(chunk)")
    }
  }

  private static let broken: [(String, [String])] = [
    (
      "[{\"t\":\"a\"},\n{\"t\":tru},\n\n{\"t\":\"b\"}]",
      ["1:a", "2!is invalid JSON at byte 6: expected a value, found \"t\"", "4:b"]
    ),
    (
      "{\"t\":\"a\"}\n{\"t\":\"b\n{\"t\":\"c\"}\n",
      ["1:a", "2!is invalid JSON at byte 8: unterminated string", "3:c"]
    ),
    (
      "{\"t\":\"a\n{\"t\":\"b\"}\n",
      ["1!is invalid JSON at byte 8: unterminated string", "2:b"]
    ),
    (
      "{\"t\":\"a\"\n{\"t\":\"b\"}\n",
      ["1!is invalid JSON at byte 9: unexpected end, expected \",\" or \"}\"", "2:b"]
    ),
    (
      "{\"t\":\"a\"}{\"t\":\"b\"}\n",
      ["1!is invalid JSON at byte 10: expected the end, found \"{\""]
    ),
    (
      "{\n\"t\": \"a\"\n\"u\": 1\n}",
      ["end 3: expected \",\" or \"}\", found \"\"\""]
    ),
    (
      "[{\"t\":\"a\"},\n{\"t\":\"b\"}\n{\"t\":\"c\"}]",
      ["1:a", "2:b", "end 3: expected \",\" or \"]\", found \"{\""]
    ),
    ("[{\"t\":\"a\"},]", ["1:a", "end 1: expected an entry, found \"]\""]),
    (
      "[{\"t\":\"a\"},\n{\"t\":\"b\"",
      ["1:a", "end 2: the file ends inside the value that begins here"]
    ),
    ("[{\"t\":\"a\"},\n", ["1:a", "end 2: unexpected end of the file, expected an entry"]),
    (
      "[{\"t\":\"a\"}\n",
      ["1:a", "end 2: unexpected end of the file, expected the end of the list"]
    ),
    ("{\"entries\":[{\"t\":\"a\"}]", ["1:a", "end 1: unexpected end of the file, expected \"}\""]),
    ("{\"entries\":[{\"t\":\"a\"}]}\n]", ["1:a", "end 2: expected the end, found \"]\""]),
    ("Dear diary", ["end 1: not JSON: it does not begin with \"{\" or \"[\""]),
  ]

  @Test("a broken record is passed by, a broken document ends where it breaks", arguments: broken)
  func everyBreak(text: String, expected: [String]) throws {
    for chunk in [1, 4, 64, .max] {
      #expect(try Self.walk(text, chunk: chunk) == expected, "in pieces of \(chunk)")
    }
  }

  @Test("invalid UTF-8 spoils its own record only, and says what takes it")
  func invalidUTF8() throws {
    let bytes = Array("{\"t\":\"a\"}\n{\"t\":\"".utf8) + [0xFF] + Array("\"}\n{\"t\":\"c\"}".utf8)
    #expect(
      try Self.walk(bytes) == [
        "1:a", "2!is invalid JSON at byte 7: invalid UTF-8 (--lossy replaces it with U+FFFD)",
        "3:c",
      ])
    #expect(try Self.walk(bytes, isLossy: true) == ["1:a", "2:\u{FFFD}", "3:c"])
  }

  @Test("every beginning of a document gives whole records, then one error or a clean end")
  func prefixes() throws {
    let whole = Array(
      "{\"format\":\"daybook\",\n\"entries\":[\n{\"t\":\"a\"},\n{\"t\":\"\\\"]\"}\n]}\n".utf8)
    for length in 1..<whole.count {
      let met = try Self.walk(Array(whole[..<length]), chunk: 3)
      let isWhole = length >= whole.count - 1
      #expect(
        met.count { $0.hasPrefix("end") || $0.contains("!") } == (isWhole ? 0 : 1), "\(length)")
    }
  }

  @Test("small members before the list are known when the list begins")
  func root() throws {
    let text = "{\"metadata\":{\"version\":\"1.0\"},\"version\":100,\"entries\":[]}"
    let records = JSONRecords(ByteStream(Array(text.utf8)))
    try records.open()
    #expect(records.root.map(\.name) == ["metadata", "version"])
    #expect(records.root.last?.value.integer == 100)
  }

  @Test("random lists come back whole in pieces of random sizes", arguments: 0..<60)
  func randomLists(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let values = (0..<8).map { _ in Self.value(&random) }
    let list = "[\(values.map(Self.written).joined(separator: " ,\r\n"))\t]"
    let text = seed.isMultiple(of: 2) ? list : "{\"a\":[1], \"entries\" :\n\(list), \"b\":{}}"
    var rest = Array(text.utf8)[...]
    let records = JSONRecords(
      ByteStream {
        let count = Int.random(in: 1...40, using: &random)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      })
    var read: [JSONValue] = []
    while let record = try records.nextValue() {
      if case .value(let value, _) = record { read.append(value) }
    }
    #expect(
      read.map { Array(Self.written($0).utf8) } == values.map { Array(Self.written($0).utf8) })
  }

  /// Values inside each other, with texts full of brackets, quotation marks and backslashes.
  private static func value(_ random: inout SeededGenerator, depth: Int = 0) -> JSONValue {
    let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      JSONMember(
        RandomEntry.text(&random),
        depth < 4 ? value(&random, depth: depth + 1) : .string(RandomEntry.text(&random)))
    }
    let leaves: [JSONValue] = [
      .null, .bool(true), .number("-0.5e+10"), .string(RandomEntry.text(&random)),
    ]
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .object(parts)
    case 1: return .array(parts.map(\.value))
    default: return leaves.randomElement(using: &random) ?? .null
    }
  }

  private static func written(_ value: JSONValue) -> String {
    var buffer: [UInt8] = []
    value.append(to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }
}

import Journal
import Testing

struct JSONReaderTests {
  @Test("values come back as they were written, however they were written", arguments: 0..<300)
  func roundTrip(seed: Int) throws {
    var random = RandomJSON(seed: UInt64(seed))
    let value = random.value()
    let text = random.written(value)
    #expect(try bytes(of: JSONValue(Array(text.utf8))) == bytes(of: value), "\(text)")
  }

  @Test(
    "what was read is written without a loss, and the second time byte for byte", arguments: 0..<60)
  func writing(seed: Int) throws {
    var random = RandomJSON(seed: UInt64(seed))
    let value = random.value()
    var written: [UInt8] = []
    value.append(to: &written)
    let again = try JSONValue(written)
    #expect(bytes(of: again) == bytes(of: value))
    var twice: [UInt8] = []
    again.append(to: &twice)
    #expect(twice == written)
  }

  @Test(
    "a byte order mark is a character like any other wherever it stands in a string",
    arguments: [
      "", "a", "\\n", "\\\"", "\\\\", "\\t", "\\u000d", "\\ud83c\\udf38", "日", "\u{FEFF}",
    ])
  func byteOrderMark(before: String) throws {
    for mark in ["\u{FEFF}", "\\ufeff", "\\uFEFF"] {
      let value = try JSONValue(Array("\"\(before)\(mark)b\"".utf8))
      #expect(value.string?.unicodeScalars.suffix(2).map(\.value) == [0xFEFF, 0x62])
    }
  }

  @Test("a number is whole by its value and not by its spelling")
  func integers() throws {
    let cases: [(String, Int?)] = [
      ("7", 7), ("7.0", 7), ("70e-1", 7), ("-0", 0), ("1.5", nil), ("1e400", nil),
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("\"7\"", nil),
    ]
    for (text, integer) in cases { #expect(try JSONValue(Array(text.utf8)).integer == integer) }
  }

  @Test("every beginning of a document is an error, and never more than that", arguments: 0..<40)
  func prefixes(seed: Int) throws {
    var random = RandomJSON(seed: UInt64(seed))
    let document = JSONValue.object([JSONMember("a", random.value()), JSONMember("b", .null)])
    let whole = Array(random.written(document, spaces: [""]).utf8)
    for length in whole.indices {
      let error = #expect(throws: JSONError.self) { try JSONValue(Array(whole[..<length])) }
      #expect(try #require(error).offset <= length)
    }
  }

  @Test(
    "what is no JSON is refused",
    arguments: [
      "", " ", "nul", "nulll", "True", "01", "-", "-a", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN",
      "[1,]", "[,1]", "[1 2]", "[1", "]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}",
      "{\"a\":1 \"b\":2}", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"a\nb\"", "\"\t\"",
      "1 2", "{} {}", "\"\\\"", "// a", "[1]a", "\u{FEFF}1",
    ])
  func refused(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(Array(text.utf8)) }
  }

  @Test("an error names the byte")
  func errorPlace() throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(Array("{\"a\": tru}".utf8)) }
    #expect(error?.description == "expected a value, found \"t\" at byte 7")
  }

  @Test("a pair of surrogates is one character")
  func pair() throws {
    #expect(try JSONValue(Array(#""\ud83c\udf38""#.utf8)) == .string("🌸"))
  }

  @Test(
    "half a pair of surrogates is an error, and U+FFFD when reading is lossy",
    arguments: [
      #""\ud83c""#, #""\udf38""#, #""\ud83cx""#, #""\ud83c\u0041""#, #""\ud83c\n""#,
    ])
  func loneSurrogates(text: String) throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(Array(text.utf8)) }
    #expect(error?.isMendable == true)
    let value = try JSONValue(Array(text.utf8), options: JSONOptions(isLossy: true))
    #expect(value.string?.unicodeScalars.first == "\u{FFFD}")
    #expect(value.string?.hasSuffix("\u{FFFD}") == true || value.string?.count == 2)
  }

  @Test("a high surrogate before a pair leaves the pair whole")
  func highBeforePair() throws {
    let text = #""\ud83c\ud83c\udf38""#
    let value = try JSONValue(Array(text.utf8), options: JSONOptions(isLossy: true))
    #expect(value == .string("\u{FFFD}🌸"))
  }

  @Test("invalid UTF-8 is an error that names the byte, and U+FFFD when reading is lossy")
  func invalidUTF8() throws {
    let bytes = Array("\"ok".utf8) + [0xFF, 0xFE] + Array("\\n\"".utf8)
    let error = #expect(throws: JSONError.self) { try JSONValue(bytes) }
    #expect(error == JSONError("invalid UTF-8", at: 3, isMendable: true))
    let value = try JSONValue(bytes, options: JSONOptions(isLossy: true))
    #expect(value == .string("ok\u{FFFD}\u{FFFD}\n"))
  }

  @Test("values inside each other end in an error, not in the end of the stack")
  func depth() throws {
    let deep = String(repeating: "[", count: 1_000_000)
    let error = #expect(throws: JSONError.self) { try JSONValue(Array(deep.utf8)) }
    #expect(error?.reason == "nested deeper than 512 levels")
    let allowed = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(throws: Never.self) { try JSONValue(Array(allowed.utf8)) }
  }

  @Test("members keep their order, and of two with one name the last counts")
  func members() throws {
    let value = try JSONValue(Array(#"{"b":1,"a":2,"b":3}"#.utf8))
    #expect(value.members?.map(\.name) == ["b", "a", "b"])
    #expect(value["b"]?.integer == 3)
    #expect(value["c"] == nil)
  }

  @Test("a value is passed by as strictly as it is read, its characters apart", arguments: 0..<60)
  func skipping(seed: Int) throws {
    var random = RandomJSON(seed: UInt64(seed))
    var text = Array(random.written(random.value()).utf8)
    if seed.isMultiple(of: 2), !text.isEmpty {
      let place = Int.random(in: text.indices, using: &random.generator)
      text[place] = Array("\"\\{}[],:0a\n".utf8).randomElement(using: &random.generator) ?? 0x20
    }
    let isRead = (try? JSONValue(text, options: JSONOptions(isLossy: true))) != nil
    let isSkipped = text.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer)
      return (try? reader.skip()) != nil && (try? reader.end()) != nil
    }
    #expect(isRead == isSkipped, "\(String(decoding: text, as: UTF8.self))")
  }
}

import Testing

@testable import Journal

/// Queries of stored fields that have no code of their own, over fields that are there anyway.
struct StoredTestTests {
  private static let fields = ["uuid", "number", "starred"].compactMap { name in
    EntrySchema.fields.firstIndex { $0.name == name }.map {
      QueryField(name: name, value: .stored($0))
    }
  }

  private func parsed(_ text: String, isTyping: Bool = false) throws -> Query {
    var tokenizer = QueryTokenizer(text, isTyping: isTyping)
    let dates = WhenParser(
      now: Moment(seconds: 0, offset: 0), clock: .fixed(seconds: 0, offset: 0), rule: DayRule())
    var parser = QueryParser(
      tokens: try tokenizer.tokens(), dates: dates, isTyping: isTyping, fields: Self.fields)
    return try parser.parse()
  }

  private func matches(_ text: String, isTyping: Bool = false, uuid: String = "Ça Va") -> Bool? {
    let moment = Moment(seconds: 0, offset: 0)
    let entry = Entry(
      uuid: uuid, number: 7, created: moment, modified: moment, day: moment.localDay, text: "text",
      starred: true)
    return try? parsed(text, isTyping: isTyping).matches(entry)
  }

  @Test("a text is compared whole, without case and accents; a star asks for its beginning")
  func text() {
    #expect(matches("uuid:\"ca va\"") == true)
    #expect(matches("uuid:ça") == false)
    #expect(matches("uuid:ca*") == true)
    #expect(matches("uuid:va*") == false)
    #expect(matches("-uuid:ca*") == false)
    #expect(matches("uuid:*") == true)
    #expect(matches("uuid:*", uuid: "") == false)
  }

  @Test("a text that is still being typed may go on, but not behind a negation")
  func typing() {
    #expect(matches("uuid:ca", isTyping: true) == true)
    #expect(matches("uuid:ca text", isTyping: true) == false)
    #expect(matches("-uuid:ca", isTyping: true) == true)
  }

  @Test("numbers and flags are compared as what they are")
  func values() {
    #expect(matches("number:7") == true)
    #expect(matches("number:-7") == false)
    #expect(matches("starred:yes") == true)
    #expect(matches("STARRED:No") == false)
    #expect(matches("number:7 starred:yes uuid:\"ça va\"") == true)
  }

  @Test(
    "each reads back from its text",
    arguments: [
      "uuid:calm", "uuid:\"ca va\"", "uuid:ca*", "uuid:\"ca v*\"", "uuid:*", "uuid:\"(a|b)\"",
      "number:7", "number:-7", "starred:yes", "starred:no", "uuid:a OR -number:1",
    ])
  func description(text: String) throws {
    #expect(try parsed(text).description == text)
    #expect(try parsed(parsed(text).description) == parsed(text))
  }

  @Test("an invalid value is refused with an example")
  func errors() {
    func message(_ text: String) -> String? {
      do {
        _ = try parsed(text)
        return nil
      } catch { return "\(error)" }
    }
    #expect(message("number:x") == "column 1: \"x\" is not a whole number, as in number:3")
    #expect(message("a starred:x") == "column 3: \"x\" is neither yes nor no, as in starred:yes")
    #expect(message("uuid:") == "column 1: missing value after \"uuid:\"")
    #expect(
      message("numbr:1") == "column 1: unknown field \"numbr:\", did you mean \"number:\"?")
  }

  @Test("only flags have answers to choose from")
  func choices() {
    #expect(Self.fields.map(\.choices) == [[], [], ["yes", "no"]])
  }
}

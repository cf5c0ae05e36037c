import Journal
import TestSupport
import Testing

@testable import JournalFormats

struct CSVSourceTests {
  private static func source(_ text: String, map: String? = nil) throws -> CSVSource {
    CSVSource(
      ByteStream(utf8(text)), mapping: try map.map { text in try CSVMapping(text) },
      options: options())
  }

  private static func written(
    _ entries: [Entry], isForSpreadsheets: Bool = false
  ) throws -> [UInt8] {
    try encode(CSVEncoder(isForSpreadsheets: isForSpreadsheets), entries).bytes
  }

  @Test("Daybook's own export is read back byte by byte", arguments: [1, 3, 1000])
  func roundTrip(piece: Int) throws {
    let written = RandomEntry.many(400, seed: 12)
    let bytes = try Self.written(written)
    var rest = bytes[...]
    let stream = ByteStream {
      defer { rest = rest.dropFirst(piece) }
      return Array(rest.prefix(piece))
    }
    let read = entries(CSVSource(stream, options: options()))
    #expect(try read.map { try $0.entry() } == written)
    #expect(read.allSatisfy { $0.unkept.isEmpty && $0.remarks.isEmpty })
  }

  @Test("the apostrophes for spreadsheets are removed where they were added")
  func spreadsheets() throws {
    let texts = ["=1+2", "a;=b", "\t=c\t-d", "-x\n'y", "it's", "'quoted'", "@me;+5", "plain"]
    let written = try texts.map { try RandomEntry.plain($0) }
    let bytes = try Self.written(written, isForSpreadsheets: true)
    let read = entries(CSVSource(ByteStream(bytes), options: options()))
    #expect(read.map(\.text) == texts)
    #expect(
      read.map { !$0.remarks.isEmpty } == [true, true, true, true, false, false, true, false])
  }

  @Test("an apostrophe in an export that was not for spreadsheets stays")
  func apostrophes() throws {
    let written = try ["'=1", "'-x"].map { try RandomEntry.plain($0) }
    let read = entries(CSVSource(ByteStream(try Self.written(written)), options: options()))
    #expect(read.map(\.text) == ["'=1", "'-x"])
  }

  @Test("columns with the usual names need no mapping")
  func usual() throws {
    let bytes = try fixture("csv/own.csv")
    let read = entries(CSVSource(ByteStream(bytes), options: options()))
    #expect(read.map(\.text) == ["Walked, talked"])
    #expect(read[0].created == (try moment("2024-01-05T09:15:00+01:00")))
  }

  @Test("a mapping names columns, and the others are counted")
  func mapping() throws {
    let text = """
      Datum;Zeit;Titel;Notiz;Laune, heute;Stichwörter;Wichtig;Rest;Leer
      05.01.2024;21:15;Ein Tag;"Zeile ""1""
      Zeile 2";4;"a, zwei Worte";ja;x;

      06.01.2024;;;Zwei;;;nein;;;mehr
      """
    let read = entries(
      try Self.source(
        text,
        map: "date=datum,time=Zeit,title=3,text=Notiz,tags=Stichworter,star=Wichtig,"
          + #"field:Mood today=Laune\, heute"#))
    #expect(read.map(\.text) == ["Ein Tag\n\nZeile \"1\"\nZeile 2", "Zwei"])
    #expect(
      read.map(\.created.description) == [
        "2024-01-05T21:15:00+01:00", "2024-01-06T00:00:00+01:00",
      ])
    #expect(read.map(\.tags) == [["a", "zwei Worte"], []])
    #expect(read.map(\.starred) == [true, false])
    #expect(read.map(fieldTexts) == [["mood-today: 4"], []])
    #expect(read.map(\.unkept) == [["Rest"], ["column 10"]])
    #expect(read.map(\.day) == [try day("2024-01-05"), try day("2024-01-06")])
  }

  @Test("an order of day and month that a later row shows counts for all")
  func order() throws {
    let rows = "date,text\n03/04/2024,a\n05/06/2024,b\n"
    #expect(
      problems(try Self.source(rows)) == [
        "2: the date 03/04/2024 is ambiguous; write it as 2024-01-05",
        "3: the date 05/06/2024 is ambiguous; write it as 2024-01-05",
      ])
    let read = entries(try Self.source(rows + "25/12/2024,c\n"))
    #expect(
      read.map(\.day) == [
        try day("2024-04-03"), try day("2024-06-05"), try day("2024-12-25"),
      ])
  }

  @Test("an instant in UTC is shown in the local zone, a midnight and an offset are kept")
  func instants() throws {
    let text = """
      date,text
      2024-01-05T23:30:00Z,a
      2024-01-05T00:00:00Z,b
      2024-01-05T09:15:00-08:00,c
      1704445200,d
      """
    let read = entries(try Self.source(text))
    #expect(
      read.map(\.created.description) == [
        "2024-01-06T00:30:00+01:00", "2024-01-05T00:00:00+01:00", "2024-01-05T09:15:00-08:00",
        "2024-01-05T10:00:00+01:00",
      ])
  }

  @Test("separators are recognised", arguments: [",", ";", "\t", "|"])
  func separators(separator: String) throws {
    let text =
      ["date", "text", "tags"].joined(separator: separator) + "\r\n"
      + ["2024-01-05", "\"a,;\t|b\"", "x y"].joined(separator: separator) + "\r\n"
    let read = entries(try Self.source(text))
    #expect(read.map(\.text) == ["a,;\t|b"])
    #expect(read.map(\.tags) == [["x", "y"]])
    #expect(entries(try Self.source("sep=;\ndate;text\n2024-01-05;a,b\n")).map(\.text) == ["a,b"])
    let others = [",", ";", "\t", "|"].filter { $0 != separator }.joined()
    let quoted = ["date", "text", "\"\(others)\(others)\""].joined(separator: separator) + "\n"
    let row = ["2024-01-05", "a", "b"].joined(separator: separator) + "\n"
    #expect(entries(try Self.source(quoted + row)).map(\.text) == ["a"])
  }

  @Test("encodings are recognised")
  func encodings() throws {
    let text = "date,text\n2024-01-05,Café am Dösner\n"
    let latin = text.unicodeScalars.map { UInt8($0.value) }
    var utf16: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { utf16 += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + utf8(text)
    for bytes in [latin, utf16, marked] {
      let source = { CSVSource(ByteStream(bytes), options: options()) }
      #expect(entries(source()).map(\.text) == ["Café am Dösner"])
      #expect(passed(source()).count == (bytes.starts(with: [0xEF]) ? 0 : 1))
    }
    let far = utf8("date,text\n" + String(repeating: "2024-01-05,a\n", count: 8000))
    let late = CSVSource(ByteStream(far + utf8("2024-01-05,") + [0xE9, 0x0A]), options: options())
    #expect(entries(late).last?.text == "é")
  }

  @Test("what people write is read: marks inside fields, words after them, short rows")
  func lenient() throws {
    let text = "date,text,title\n2024-01-05,he said \"no\"\n2024-01-06,\"a\" b,T\r2024-01-07,\"x\n"
    #expect(
      entries(try Self.source(text.replacing("\"x\n", with: "x"))).map(\.text)
        == ["he said \"no\"", "T\n\na b", "x"])
    let broken = text + "2024-01-08,good\n"
    #expect(problems(try Self.source(broken)) == ["3: has a quotation mark that is not closed"])
    #expect(items(try Self.source(broken)).count == 4)
  }

  @Test("wrong mappings and tables are said")
  func errors() throws {
    for (map, reason) in [
      ("date", "the mapping \"date\" has no =; write date=COLUMN,text=COLUMN"),
      ("text=a", "the mapping has no date; write date=COLUMN"),
      ("date=a", "the mapping has no text; write text=COLUMN"),
      (
        "when=a,text=b",
        "\"when\" is no role of a column; roles are date, time, text, title, tags, "
          + "star, uuid, modified and field:NAME"
      ),
    ] {
      let error = #expect(throws: FormatError.self) { try CSVMapping(map) }
      #expect(error?.reason == reason)
    }
    #expect(
      problems(try Self.source("a,b\n1,2\n", map: "date=a,text=c"))
        == [": end: has no column \"c\"; its columns are \"a\", \"b\""])
    #expect(
      problems(try Self.source("a,b\n1,2\n")) == [
        ": end: is a table whose columns need names: --map date=COLUMN,text=COLUMN; its columns are "
          + "\"a\", \"b\""
      ])
    #expect(problems(try Self.source("")) == [": end: has no line with names of columns"])
    #expect(
      problems(try Self.source("date,text\n,a\nx,b\n2024-01-05,\n")) == [
        "2: has no date", "3: there is no date x", "4: has no text",
      ])
  }

  @Test("a table is recognised by its name, and Daybook's own by its columns")
  func recognises() throws {
    #expect(CSVSource.recognises(utf8("a,b"), path: "x.CSV"))
    #expect(!CSVSource.recognises(utf8("a,b"), path: "x.txt"))
    for isForSpreadsheets in [false, true] {
      #expect(CSVSource.isOwn(try Self.written([], isForSpreadsheets: isForSpreadsheets)))
    }
  }

  @Test("a damaged export ends")
  func damage() throws {
    let bytes = try Self.written(RandomEntry.many(5, seed: 3))
    for bytes in damaged(bytes) {
      _ = items(CSVSource(ByteStream(bytes), options: options()))
    }
  }

  @Test(
    "a table of one sign is read in one go",
    arguments: ["\"", "\"\"", ",", "\n", "'", "\"\n", "a\""])
  func linear(sign: String) throws {
    let text = "date,text\n" + String(repeating: sign, count: 60_000)
    _ = items(try Self.source(text))
  }
}

import Testing

@testable import JournalFormats

/// Times and mappings of tables that cannot be meant as they are.
struct CSVTimeTests {
  private static func read(_ csv: String, _ columns: String) throws -> [ImportedEntry] {
    var options = options()
    options.mapping = try CSVMapping(columns)
    return entries(CSVSource(ByteStream(utf8(csv)), options: options))
  }

  @Test("a time that is none is kept as a field", arguments: ["25:00", "10:77", "evening"])
  func noTime(time: String) throws {
    let read = try Self.read("d,t,x\n2024-01-05,\(time),one", "date=d,time=t,text=x")
    #expect(read.map(\.fields) == [[ImportedField(name: "time", value: time)]])
    #expect(read.map(\.created.clockText) == ["00:00"])
  }

  @Test(
    "two columns for one thing are refused, for texts and tags they are joined",
    arguments: [
      "date=d,date=e,text=x", "date=d,text=x,field:a=y,field:A=z", "date=d,star=s,starred=t,text=x",
    ])
  func twice(columns: String) {
    #expect(throws: FormatError.self) { try CSVMapping(columns) }
  }

  @Test("texts and tags have several columns")
  func several() throws {
    let read = try Self.read(
      "d,a,b,c,e\n2024-01-05,one,two,x,y", "date=d,text=a,text=b,tags=c,tag=e")
    #expect(read.map(\.text) == ["one\n\ntwo"])
    #expect(read.map(\.tags) == [["x", "y"]])
  }
}

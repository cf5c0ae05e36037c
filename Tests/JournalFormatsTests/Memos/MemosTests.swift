import Journal
import Testing

@testable import JournalFormats

struct MemosTests {
  private static func row(_ values: [String: ForeignValue]) -> [String: ForeignValue] {
    [
      "uid": .text("kZ3"), "creator_id": .integer(1), "created_ts": .integer(1_704_445_200),
      "updated_ts": .integer(1_704_445_300), "row_status": .text("NORMAL"),
      "visibility": .text("PRIVATE"), "pinned": .integer(0), "payload": .text("{}"),
    ].merging(values) { _, new in new }
  }

  @Test("a database is read whole")
  func reads() throws {
    let database = DatabaseInMemory([
      "memo": [
        Self.row([
          "id": .integer(1), "content": .text("A thought #idea"), "pinned": .integer(1),
          "payload": .text(
            #"{"location":{"placeholder":"Vienna","latitude":48.2082,"longitude":16.3738}}"#),
        ]),
        Self.row([
          "id": .integer(2), "content": .text("old"), "row_status": .text("ARCHIVED"),
          "uid": .text("8361561d-ca80-4a53-a738-a32e293a44ff"),
        ]),
        Self.row(["id": .integer(3), "content": .text(" ")]),
        Self.row(["id": .integer(4), "content": .text("a"), "created_ts": .null]),
        Self.row(["id": .integer(5), "content": .text(" ")]),
      ],
      "resource": [
        [
          "id": .integer(1), "memo_id": .integer(2), "filename": .text("a.png"),
          "blob": .blob(utf8("abc")), "reference": .text(""),
        ],
        [
          "id": .integer(2), "memo_id": .integer(2), "filename": .text("a.png"), "blob": .null,
          "reference": .text("assets/1_a.png"),
        ],
        [
          "id": .integer(3), "memo_id": .integer(2), "filename": .text("c.pdf"), "blob": .null,
          "reference": .text("https://x.org/c.pdf"),
        ],
        [
          "id": .integer(4), "memo_id": .integer(3), "filename": .text(""),
          "blob": .blob(utf8("d")), "reference": .text(""),
        ],
      ],
      "memo_organizer": [
        ["id": .integer(1), "memo_id": .integer(2), "pinned": .integer(1)]
      ],
    ])
    let source = MemosSource(database, options: options())
    #expect(MemosSource.recognises(tables: database.tables))
    let read = items(source).compactMap { item -> ImportedEntry? in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    #expect(
      read.map(\.text) == [
        "A thought #idea", "old\n\n![](a.png)\n\n[c.pdf](<https://x.org/c.pdf>)",
        "[file 1](<file 1>)",
      ])
    #expect(read.map { $0.files.map(\.name) } == [[], ["a.png"], ["file 1"]])
    #expect(read.map { $0.files.map { $0.enclosed?.bytes } } == [[], [utf8("abc")], [utf8("d")]])
    #expect(read.map { $0.missing.map(\.name) } == [[], ["a 2.png"], []])
    let before = ImportedEntry(created: read[2].created, text: "")
    #expect(read[2].former == .init(text: before.text, time: before.created))
    #expect(read[0].created == (try moment("2024-01-05T10:00:00+01:00")))
    #expect(read[0].modified == (try moment("2024-01-05T10:01:40+01:00")))
    #expect(read.map(\.starred) == [true, true, false])
    #expect(read.map(\.uuid) == [nil, "8361561d-ca80-4a53-a738-a32e293a44ff", nil])
    #expect(read.map(\.unkept) == [[], ["archived"], []])
    #expect(fieldTexts(read[0]) == ["place: Vienna", "coordinates: 48.2082, 16.3738"])
    #expect(problems(source) == ["memo 4: has no date", "memo 5: has no text"])
  }

  @Test("files that the server keeps beside its database are attached, and no others")
  func disk() throws {
    let places = [
      "assets/1_a.png", "/var/opt/memos/assets/2_b.png", "../../../etc/passwd", "assets/gone.png",
    ]
    let database = DatabaseInMemory(
      [
        "memo": [Self.row(["id": .integer(1), "content": .text("text")])],
        "attachment": places.enumerated().map { index, place in
          [
            "id": .integer(Int64(index + 1)), "memo_id": .integer(1), "blob": .null,
            "filename": .text("file \(index).png"), "reference": .text(place),
          ]
        },
      ], beside: ["assets/1_a.png": "a", "assets/2_b.png": "b"])
    var source = MemosFormat.source(database, options: options())
    guard case .entry(let entry, _)? = try source.next() else { return #expect(Bool(false)) }
    #expect(entry.text == "text\n\n![](assets/1_a.png)\n\n![](assets/2_b.png)")
    #expect(entry.files.map(\.path) == ["assets/1_a.png", "assets/2_b.png"])
    #expect(entry.files.map(\.name) == ["file 0.png", "file 1.png"])
    #expect(entry.missing.map(\.name) == ["file 2.png", "file 3.png"])
    let bytes = try entry.files.map { try source.files?.open($0).rest() }
    #expect(bytes == [utf8("a"), utf8("b")])
  }

  @Test("the JSON of the API is read, of old and new versions")
  func json() throws {
    let text = """
      {"memos":[
      {"name":"memos/a","uid":"x","state":"NORMAL","creator":"users/1","createTime":"2024-01-05T09:00:00Z",
       "updateTime":"2024-01-05T09:01:00Z","content":"a #b","visibility":"PRIVATE","tags":["b","c"],
       "pinned":true,"attachments":[{"filename":"p.png"}],"reactions":[{"reactionType":"x"}]},
      {"id":7,"createdTs":1704445200,"rowStatus":"ARCHIVED","content":"old","visibility":"PUBLIC"},
      {"content":"a","visibility":"PRIVATE"}],"nextPageToken":""}
      """
    let source = { MemosJSONSource(ByteStream(utf8(text)), options: options()) }
    let read = items(source()).compactMap { item -> ImportedEntry? in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    #expect(read.map(tagged) == ["a #b #c", "old"])
    #expect(
      read.map(\.created.description) == [
        "2024-01-05T10:00:00+01:00", "2024-01-05T10:00:00+01:00",
      ])
    #expect(read.map(\.starred) == [true, false])
    #expect(read.map(\.unkept) == [["reactions"], ["archived"]])
    #expect(read.map { $0.missing.map(\.name) } == [["p.png"], []])
    #expect(problems(source()) == ["6: has no date"])
    #expect(MemosJSONSource.recognises(utf8(text), path: nil))
    #expect(!MemosJSONSource.recognises(utf8(#"{"memos":[{"content":"a"}]}"#), path: nil))
  }

  @Test("other databases are not recognised")
  func recognises() {
    #expect(!MemosSource.recognises(tables: ["memo": ["id", "content", "created_at"]]))
  }
}

import Journal
import Testing

@testable import JournalFormats

/// The formats of this directory and its neighbours as the table of formats sees them.
struct MarkupFormatTests {
  /// A format with a file of one entry on 5 January 2024.
  struct Sample: CustomTestStringConvertible, Sendable {
    var format: any ReadableFormat.Type
    var path: String
    var content: String

    var testDescription: String { format.name }

    /// Whether the format recognises a file.
    func recognises(_ text: String, _ path: String?) -> Bool {
      format.recognises(utf8(text), path: path)
        || JSONSketch(utf8(text)).map(format.recognises(json:)) ?? false
    }
  }

  static let samples = [
    Sample(format: OrgFormat.self, path: "a.org", content: "* [2024-01-05 Fri 10:00] one\ntwo\n"),
    Sample(
      format: RedNotebookFormat.self, path: "2024-01.txt",
      content: "5:\n  text: |-\n    one\n    two\n"),
    Sample(format: VimwikiFormat.self, path: "2024-01-05.wiki", content: "one\ntwo\n"),
    Sample(
      format: ZimFormat.self, path: "Journal/2024/01/05.txt",
      content: "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\none\ntwo\n"),
    Sample(
      format: TiddlyWikiFormat.self, path: "5th January 2024.tid",
      content: "created: 20240105081500123\ntitle: 5th January 2024\n\none\ntwo\n"),
    Sample(
      format: LifeographFormat.self, path: "a.diary",
      content:
        "LIFEOGRAPHDB\nV 3010\nE n\n\nID1\nE __n_NN___~~~~~~202401050100000\nEpDone\nEpDtwo\n"),
    Sample(
      format: RoamFormat.self, path: "a.json",
      content: #"[{"title":"January 5th, 2024","children":[{"string":"one\ntwo"}]}]"#),
  ]

  @Test("a format recognises its file and reads it, alone and in a directory", arguments: samples)
  func files(sample: Sample) throws {
    let bytes = utf8(sample.content)
    #expect(sample.recognises(sample.content, sample.path))
    var named = options()
    named.name = sample.path
    let directory = DirectoryInMemory([sample.path: sample.content])
    for input in [ImportInput.file(ByteStream(bytes)), .directory(directory)] {
      var source = try sample.format.source(input, options: named)
      var texts: [String] = []
      while let item = try source.next() {
        guard case .entry(let entry, _) = item else { continue }
        #expect(entry.day == (try day("2024-01-05")))
        texts.append(entry.text)
      }
      #expect(texts == ["one\ntwo"])
    }
    let guide = sample.format.guide
    #expect(!guide.files.isEmpty && !guide.ways.isEmpty)
  }

  @Test("no format claims the file of another", arguments: samples)
  func strict(sample: Sample) {
    for other in Self.samples where other.format.name != sample.format.name {
      #expect(!other.recognises(sample.content, sample.path))
    }
    for text in [
      "# A day\n", "---\ntags: a\n---\n", "14:25: text\n", "[2024-01-05 14:30] a\n", "{\"a\":1}",
    ] {
      #expect(!sample.recognises(text, "2024-01-05.md"))
      #expect(!sample.recognises(text, nil))
    }
  }

  @Test("a vault of Markdown with a file of another kind stays Markdown")
  func directories() {
    let vault = ["a.md", "b.md", "c.org", "d.wiki", "e.tid"]
    for sample in Self.samples {
      let isClaimed = sample.format.recognises(files: vault)
      #expect(!isClaimed)
    }
    #expect(OrgFormat.recognises(files: ["a.org", "b.org", "README.md"]))
    #expect(VimwikiFormat.recognises(files: ["diary/2024-01-05.wiki"]))
    #expect(TiddlyWikiFormat.recognises(files: ["tiddlers/a.tid"]))
    #expect(LifeographFormat.recognises(files: ["my.diary"]))
  }

  @Test("a directory of a wiki leaves other JSON out")
  func tiddlers() throws {
    let directory = DirectoryInMemory([
      "a.tid": "created: 20240105081500123\ntitle: a\n\nx", "b.json": "{\"plugins\":[]}",
      "c.json": #"[{"title":"c","text":"y","created":"20240105081500123"}]"#,
    ])
    var source = TiddlyWikiFormat.source(.directory(directory), options: options())
    var (entries, left) = (0, 0)
    while let item = try source.next() {
      switch item {
      case .entry: entries += 1
      case .leftOut: left += 1
      case .problem, .doubt, .passedBy: Issue.record("\(item)")
      }
    }
    #expect((entries, left) == (2, 1))
  }
}

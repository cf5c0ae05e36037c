import Journal
import Screen
import Testing

/// Names of files after the commands that take them, spaces and all.
struct FileCompletionTests {
  private let completer: Completer

  init() {
    var words = CompletionWords(today: Day(daysSinceEpoch: 20_778))
    words.commands = TestStore.catalog
    words.files = ["my file.json", "my folder/", "myfile.json", "it's mine.json", ".hidden.json"]
    words.journals = ["~/old notes.sqlite"]
    completer = Completer(words)
  }

  private func lines(_ line: String) -> [String] {
    let found = completer.completion(of: line, at: line.utf8.count, for: .command)
    let kept = String(decoding: line.utf8.prefix(found.range.lowerBound), as: UTF8.self)
    return found.candidates.map { kept + $0.text }
  }

  @Test("a name with a space is put into quotation marks, a directory's stay open")
  func quoted() {
    #expect(
      lines("import my") == ["import 'my file.json'", "import 'my folder/", "import myfile.json"])
    #expect(lines("import 'my fi") == ["import 'my file.json'"])
    #expect(lines("import \"my fi") == ["import \"my file.json\""])
    #expect(lines("import it") == ["import \"it's mine.json\""])
    #expect(lines("import 'it") == [])
    #expect(lines("import sub/myf") == ["import sub/myfile.json"])
    #expect(lines("import .") == ["import .hidden.json"])
  }

  @Test("what is completed is the word that the command is given")
  func understood() throws {
    for typed in ["import my", "export --output my", "backup 'my", "doctor --salvage \"my"] {
      for line in lines(typed) where !line.hasSuffix("/") {
        let word = try #require(Command.words(line).last)
        #expect(["my file.json", "myfile.json"].contains(word), "\(line)")
      }
      #expect(lines(typed).isEmpty == false, "\(typed)")
    }
  }

  @Test("words in quotation marks before the cursor are one")
  func places() {
    #expect(lines("export 'my file.json' is:sta") == ["export 'my file.json' is:starred"])
    #expect(lines("import 'my file.json' --from mark") == ["import 'my file.json' --from markdown"])
    #expect(lines("import 'my file.json' my") == [])
    #expect(lines("backup --for") == ["backup --force"])
    #expect(lines("doctor --") == ["doctor --fix", "doctor --salvage"])
  }

  @Test("open takes the rest of the line, and knows where one was")
  func open() {
    #expect(lines("open ~/old n") == ["open ~/old notes.sqlite"])
    #expect(lines("open my f") == ["open my file.json", "open my folder/"])
    #expect(completer.directory(in: "open a b/c", at: 10, for: .command) == "a b/")
    #expect(completer.directory(in: "import 'a b/c", at: 13, for: .command) == "a b/")
    #expect(completer.directory(in: "list a/b", at: 8, for: .command) == nil)
  }
}

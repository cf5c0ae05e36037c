import Journal
import Screen
import Testing

/// Tab offers what fits the place, the most likely first, and never touches what is no part of it.
struct CompleterTests {
  private let completer: Completer

  init() {
    var words = CompletionWords(today: Day(daysSinceEpoch: 20_778))
    words.tags = [
      .init("home", count: 12), .init("Honey", count: 3), .init("house", count: 40),
      .init("@Anna", count: 7), .init("work/api", count: 12), .init("Äpfel", count: 1),
      .init("東京", count: 2),
    ]
    words.entries = [.init(42, title: "Bought bread"), .init(4, title: "Slept")]
    words.themes = ["dark", "light"]
    words.views = ["week", "work"]
    words.commands = TestStore.catalog
    completer = Completer(words)
  }

  /// The lines that come of each choice, the cursor being at the bar.
  private func lines(_ line: String, _ purpose: PromptPurpose) -> [String] {
    let parts = line.split(separator: "|", omittingEmptySubsequences: false)
    let point = parts[0].utf8.count
    let whole = parts.joined()
    let found = completer.completion(of: whole, at: point, for: purpose)
    let bytes = Array(whole.utf8)
    #expect(found.range.upperBound == point)
    return found.candidates.map {
      String(decoding: bytes[..<found.range.lowerBound], as: UTF8.self) + $0.text
        + String(decoding: bytes[found.range.upperBound...], as: UTF8.self)
    }
  }

  private func labels(_ line: String, _ purpose: PromptPurpose) -> [String] {
    completer.completion(of: line, at: line.utf8.count, for: purpose).candidates.map(\.label)
  }

  @Test("tags in an entry come by use, as stored, without case or accents, with their counts")
  func tags() {
    #expect(labels("Bought bread #HO", .newEntry) == ["#house 40", "#home 12", "#Honey 3"])
    #expect(
      lines("(#ho|) there", .edit(7)) == ["(#house) there", "(#home) there", "(#Honey) there"])
    #expect(lines("#apf", .newEntry) == ["#Äpfel"])
    #expect(lines("line\n„#東", .newEntry) == ["line\n„#東京"])
    #expect(lines("with @a", .newEntry) == ["with @Anna"])
    #expect(lines("#work/", .newEntry) == ["#work/api"])
  }

  @Test(
    "days by their names and dates are completed in a text, and names of fields where one can begin"
  )
  func datesInText() {
    #expect(lines("on yester", .newEntry) == ["on 2026-11-20"])
    #expect(lines("2026-11-21", .newEntry) == ["2026-11-21"])
    #expect(lines("to", .newEntry) == [])
  }

  @Test("an entry's text completes tags only where one can begin")
  func noTags() {
    for text in ["", "ho", "a#ho", "is:", "mail@a", "x(#ho)", "#unknown"] {
      #expect(lines(text, .newEntry) == [])
    }
  }

  @Test("queries complete fields, their values, dates and tags, also turned around")
  func queries() {
    let line = ":list "
    #expect(lines(line + "s", .command) == [line + "since:"])
    #expect(lines(line + "-is:s", .command) == [line + "-is:starred"])
    #expect(lines(line + "(is:", .command).contains(line + "(is:untagged"))
    #expect(lines(line + "-#ho", .command).first == line + "-#house")
    #expect(lines(line + "since:yes", .command) == [line + "since:yesterday"])
    #expect(labels(line + "id:4", .command) == ["id:42 Bought bread", "id:4 Slept"])
    let field = completer.completion(of: line + "unt", at: line.utf8.count + 3, for: .command)
    #expect(field.candidates == [CompletionCandidate("until:", isOpen: true)])
  }

  @Test("the prompts of a search, a filter, tags and a date complete what they ask for")
  func purposes() {
    for purpose in [PromptPurpose.search, .filter] {
      #expect(lines("is:st", purpose) == ["is:starred"])
      #expect(lines("on:*", purpose) == ["on:*-today"])
      #expect(lines("on:*-tod", purpose) == ["on:*-today"])
      #expect(lines("on:*-ye", purpose) == ["on:*-yesterday"])
      #expect(lines("on:", purpose).last == "on:*-today")
      #expect(lines("", purpose) == QueryField.all.map { "\($0.name):" })
    }
    #expect(lines("ho", .tags) == ["house", "home", "Honey"])
    #expect(lines("home -#hou", .tags) == ["home -#house"])
    #expect(lines("+ap", .tags) == ["+Äpfel"])
    #expect(lines("yes", .redate) == ["yesterday"])
    #expect(lines("le", .pipe) == [])
  }

  @Test("dates complete words, years, months and days that there are")
  func dates() {
    #expect(lines("to", .date) == ["today", "tomorrow"])
    #expect(lines("T", .date) == ["today", "tomorrow", "tuesday", "thursday"])
    #expect(lines("", .date).last == "2026-")
    #expect(lines("202", .date).prefix(2) == ["2026-", "2025-"])
    #expect(lines("2026-1", .date) == ["2026-10", "2026-11", "2026-12"])
    #expect(lines("2026-11", .date) == ["2026-11-"])
    #expect(lines("2024-02-2", .date).last == "2024-02-29")
    #expect(lines("2026-13-", .date) == [])
    #expect(lines("-", .date) == [])
  }

  @Test("a command line completes commands, then their arguments")
  func commands() {
    #expect(lines("st", .command) == ["star", "stats"])
    #expect(lines("theme d", .command) == ["theme dark"])
    #expect(lines("view w", .command) == ["view week", "view work"])
    #expect(labels("show 4", .command) == ["42 Bought bread", "4 Slept"])
    #expect(lines("goto yes", .command) == ["goto yesterday"])
    #expect(lines("add text #hom", .command) == ["add text #home"])
    #expect(lines("nonsense x", .command) == [])
  }

  @Test("options are completed, their values behind a space or an equals sign")
  func options() {
    #expect(lines("tag 4 --t", .command) == ["tag 4 --tag"])
    #expect(
      lines("tag --tag ho", .command) == ["tag --tag house", "tag --tag home", "tag --tag Honey"])
    #expect(lines("tag --tag=hom", .command) == ["tag --tag=home"])
    #expect(lines("tag 42 ho", .command) == ["tag 42 house", "tag 42 home", "tag 42 Honey"])
    #expect(lines("untag #hom", .command) == ["untag #home"])
    #expect(lines("redate yester", .command) == ["redate yesterday"])
    #expect(lines("redate 4", .command).starts(with: ["redate 42", "redate 4"]))
    #expect(lines("tag --tag home 4", .command) == ["tag --tag home 42", "tag --tag home 4"])
    #expect(lines("list --section w", .command) == ["list --section week"])
    #expect(lines("section ", .command) == Grouping.allCases.map { "section \($0.rawValue)" })
    #expect(lines("sort ", .command) == ListOrder.allCases.map { "sort \($0.rawValue)" })
    #expect(lines("star --where is:s", .command) == ["star --where is:starred"])
    #expect(lines("add --star --da", .command) == ["add --star --date"])
  }

  @Test("whatever stands in a line, the choices take the place of what is before the cursor")
  func anyPlace() {
    let line = "view save wörk \"#ho -is:star (since:2026-11-2 --tag=@A 東京 👩‍👩‍👧 #"
    for purpose in [PromptPurpose.newEntry, .command, .date] {
      for point in 0...line.utf8.count {
        let index = line.utf8.index(line.startIndex, offsetBy: point)
        guard index.samePosition(in: line.unicodeScalars) != nil else { continue }
        let found = completer.completion(of: line, at: point, for: purpose)
        #expect(found.range.upperBound == point)
        #expect(found.candidates.count <= Completer.limit)
      }
    }
  }
}

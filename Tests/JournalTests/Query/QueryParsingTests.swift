import TestSupport
import Testing

@testable import Journal

/// Reads a query on Saturday, 2026-11-21, 09:15 in Berlin.
func query(_ text: String, typing: Bool = false) throws -> Query {
  try Query.parse(
    text, now: moment("2026-11-21T09:15:00+01:00"), clock: .berlin(), prefixLastWord: typing)
}

private func on(_ first: String, _ last: String) throws -> Query {
  .on(try day(first)...day(last))
}

@Suite("Reading queries")
struct QueryParsingTests {
  @Test(
    "words, operators and grouping",
    arguments: [
      ("", Query.everything), ("   ", .everything), ("bread", .word("bread")),
      ("Bread Milk", .and([.word("bread"), .word("milk")])),
      ("bread AND milk", .and([.word("bread"), .word("milk")])),
      ("bread OR milk", .or([.word("bread"), .word("milk")])),
      ("bread|milk", .or([.word("bread"), .word("milk")])),
      ("a b OR c d", .or([.and([.word("a"), .word("b")]), .and([.word("c"), .word("d")])])),
      ("a (b OR c) d", .and([.word("a"), .or([.word("b"), .word("c")]), .word("d")])),
      ("(a b) c", .and([.word("a"), .word("b"), .word("c")])),
      ("a OR (b OR c)", .or([.word("a"), .word("b"), .word("c")])),
      ("((a))", .word("a")), ("-a", .not(.word("a"))), ("NOT a", .not(.word("a"))),
      ("-(a b)", .not(.and([.word("a"), .word("b")]))), ("--a", .not(.not(.word("a")))),
      ("-a b", .and([.not(.word("a")), .word("b")])),
      ("a NOT b", .and([.word("a"), .not(.word("b"))])),
      ("NOT a OR b", .or([.not(.word("a")), .word("b")])), ("or", .word("or")),
      ("not", .word("not")),
      ("a(b)", .and([.word("a"), .word("b")])), ("\"OR\"", .word("or")),
      ("Straße", .word("strasse")), ("CAFÉ", .word("cafe")), ("cafe\u{301}", .word("cafe")),
    ])
  func structure(text: String, expected: Query) throws {
    #expect(try query(text) == expected)
  }

  @Test(
    "words, prefixes and phrases",
    arguments: [
      ("pre*", Query.prefix("pre")), ("\"exact phrase\"", .phrase(["exact", "phrase"])),
      ("\"exact phr\"*", .phrase(["exact", "phr"], prefix: true)), ("\"one\"", .word("one")),
      ("\"on\"*", .prefix("on")), ("don't", .phrase(["don", "t"])),
      ("well-kn*", .phrase(["well", "kn"], prefix: true)), ("09:15", .phrase(["09", "15"])),
      ("日", .word("日")), ("日本", .phrase(["日", "本"])), ("日*", .word("日")),
      ("日本*", .phrase(["日", "本"])), ("日te*", .phrase(["日", "te"], prefix: true)),
      ("한국", .phrase(["한", "국"])), ("🎉", .word("🎉")),
      ("a\"b c\"", .and([.word("a"), .phrase(["b", "c"])])),
      ("\"(a | b)\"", .phrase(["a", "b"])), ("x-y", .phrase(["x", "y"])), ("C#", .word("c")),
      ("me@x.org", .phrase(["me", "x", "org"])),
    ])
  func words(text: String, expected: Query) throws {
    #expect(try query(text) == expected)
  }

  @Test(
    "tags and fields",
    arguments: [
      ("#Home", Query.tag("home")), ("@Anna", .tag("@anna")), ("#work/API", .tag("work/api")),
      ("-#home", .not(.tag("home"))), ("#wo*", .tagPrefix("wo")), ("#work/*", .tagPrefix("work/")),
      ("#日記", .tag("日記")), ("is:starred", .flag(.starred)), ("IS:Untagged", .flag(.untagged)),
      ("is:deleted", .flag(.deleted)), ("-is:edited", .not(.flag(.edited))), ("id:42", .id(42)),
      ("words:>200", .words(201 ... .max)), ("words:>=200", .words(200 ... .max)),
      ("words:<200", .words(0...199)), ("words:<=200", .words(0...200)),
      ("words:=200", .words(200...200)), ("words:200", .words(200...200)),
      ("words:100..200", .words(100...200)), ("words:100..", .words(100 ... .max)),
      ("words:..200", .words(0...200)), ("words:0", .words(0...0)),
      ("on:*-11-21", .everyYear(month: 11, day: 21)), ("on:*-02-29", .everyYear(month: 2, day: 29)),
      ("on:*-today", .everyYear(month: 11, day: 21)),
      ("on:*-yesterday", .everyYear(month: 11, day: 20)),
      ("on:*-2024-02-29", .everyYear(month: 2, day: 29)),
      ("on:*-3w", .everyYear(month: 10, day: 31)),
      ("is:\"starred\"", .flag(.starred)),
    ])
  func fields(text: String, expected: Query) throws {
    #expect(try query(text) == expected)
  }

  @Test("dates become days")
  func dates() throws {
    #expect(try query("since:2026-11-01") == .since(day("2026-11-01")))
    #expect(try query("since:2026-02") == .since(day("2026-02-01")))
    #expect(try query("until:2026-02") == .until(day("2026-02-28")))
    #expect(try query("since:2026") == .since(day("2026-01-01")))
    #expect(try query("until:2026") == .until(day("2026-12-31")))
    #expect(try query("on:today") == on("2026-11-21", "2026-11-21"))
    #expect(try query("on:monday") == on("2026-11-16", "2026-11-16"))
    #expect(try query("since:2w") == .since(day("2026-11-07")))
    #expect(try query("on:2026-11") == on("2026-11-01", "2026-11-30"))
    #expect(try query("on:2026-01..2026-03") == on("2026-01-01", "2026-03-31"))
    #expect(try query("on:yesterday..today") == on("2026-11-20", "2026-11-21"))
    #expect(try query("on:2026-02..") == .since(day("2026-02-01")))
    #expect(try query("date:..2026-02") == .until(day("2026-02-28")))
  }

  @Test("after midnight today is the journal's today")
  func nightDates() throws {
    let night = try moment("2026-11-22T01:30:00+01:00")
    let query = try Query.parse("on:today", now: night, clock: .berlin())
    #expect(try query == on("2026-11-21", "2026-11-21"))
  }

  @Test(
    "while one types, the last word is a prefix and what is open will be closed",
    arguments: [
      ("bre", Query.prefix("bre")), ("bread mi", .and([.word("bread"), .prefix("mi")])),
      ("bread ", .word("bread")), ("bread O", .and([.word("bread"), .prefix("o")])),
      ("#wo", .tagPrefix("wo")), ("#work/", .tagPrefix("work/")), ("@an", .tagPrefix("@an")),
      ("#wo ", .tag("wo")), ("\"exact phr", .phrase(["exact", "phr"], prefix: true)),
      ("\"exact phrase\"", .phrase(["exact", "phrase"])),
      ("(a OR b", .or([.word("a"), .prefix("b")])),
      ("-a", .not(.word("a"))), ("-#a", .not(.tag("a"))), ("日", .word("日")), ("(a)", .word("a")),
      ("id:4", .id(4)), ("", .everything),
    ])
  func typing(text: String, expected: Query) throws {
    #expect(try query(text, typing: true) == expected)
  }

  @Test(
    "what other programs' queries look like does what is meant",
    arguments: [
      ("http://example.org", Query.phrase(["http", "example", "org"])),
      ("HTTPS://x.org/a_(b)?c=*", .phrase(["https", "x", "org", "a_", "b", "c"])),
      ("(https://x.org OR b)", .or([.phrase(["https", "x", "org"]), .word("b")])),
      ("http://a.b|c", .or([.phrase(["http", "a", "b"]), .word("c")])),
      ("-mailto:me@x.org", .not(.phrase(["mailto", "me", "x", "org"]))),
      ("std::vector", .phrase(["std", "vector"])), ("mood::", .word("mood")),
      ("gemini://x", .phrase(["gemini", "x"])),
      ("c++", .word("c")), ("c#", .word("c")), (".net", .word("net")),
      ("tag:home", .tag("home")), ("tag:#Home", .tag("home")), ("tag:@anna", .tag("@anna")),
      ("tag:ho*", .tagPrefix("ho")), ("-tag:home", .not(.tag("home"))),
    ])
  func habits(text: String, expected: Query) throws {
    #expect(try query(text) == expected)
  }

  @Test("before and after exclude all of the period, date is on")
  func exclusiveDates() throws {
    #expect(try query("before:2020") == .until(day("2019-12-31")))
    #expect(try query("after:2020") == .since(day("2021-01-01")))
    #expect(
      try query("before:2020-05 after:2020-02-28") == query("until:2020-04-30 since:2020-02-29"))
    #expect(try query("after:yesterday") == query("since:today"))
    #expect(try query("date:2020-05") == query("on:2020-05"))
    #expect(try query("date:2020..2021") == query("on:2020..2021"))
    for text in ["before:0001", "before:0001-01-01", "after:9999", "after:9999-12-31"] {
      #expect(try query("\(query(text))") == query(text), "\(text)")
      #expect(try !query(text).matches(entry("x")), "\(text)")
    }
  }

  @Test("the sign at the end of a word ends it, while one types too")
  func endedWords() throws {
    #expect(try query("c++", typing: true) == .word("c"))
    #expect(try query("bread.", typing: true) == .word("bread"))
    #expect(try query("c+", typing: true) == .word("c"))
    #expect(try query("http", typing: true) == .prefix("http"))
    #expect(try query("http:", typing: true) == .prefix("http"))
    #expect(try query("http://exa", typing: true) == .phrase(["http", "exa"], prefix: true))
    #expect(try query("well-", typing: true) == .prefix("well"))
    #expect(try query("tag:ho", typing: true) == .tagPrefix("ho"))
  }

  @Test("a query with the dates and operators of other programs is suggested as it was meant")
  func meant() {
    #expect(Query.meant("May 2020 milk") == "on:2020-05 milk")
    #expect(Query.meant("jan 2020") == "on:2020-01")
    #expect(Query.meant("12 may 2020") == "on:2020-05-12")
    #expect(Query.meant("3 May 2020 tea") == "on:2020-05-03 tea")
    #expect(Query.meant("40 may 2020") == "40 on:2020-05")
    #expect(Query.meant("starred tea") == "is:starred tea")
    #expect(Query.meant("trash") == "is:deleted")
    #expect(Query.meant("yesterday") == "on:yesterday")
    #expect(Query.meant("not bread") == "NOT bread")
    #expect(Query.meant("bread or milk and not tea") == "bread OR milk AND NOT tea")
    for text in ["or", "bread or", "or bread", "may", "may 20", "bread OR milk"] {
      #expect(Query.meant(text) == nil, "\(text)")
    }
    #expect(Query.meant("2020") == "on:2020")
    #expect(Query.meant(" 2020-05  milk ") == "on:2020-05 milk")
    #expect(Query.meant("2020-05-13") == "on:2020-05-13")
    #expect(Query.meant("2020-W19 OR 2020-Q2") == "on:2020-W19 OR on:2020-Q2")
    for text in ["", "milk", "20200", "2020-13", "2020-02-30", "on:2020", "-2020", "12"] {
      #expect(Query.meant(text) == nil, "\(text)")
    }
  }

  @Test("an exclamation mark before a term excludes it, as a hyphen does; elsewhere it is a sign")
  func exclamationMarks() throws {
    for (marked, hyphened) in [
      ("!bread", "-bread"), ("tea !#home", "tea -#home"), ("!(a OR b)", "-(a OR b)"),
      ("!\"a b\"", "-\"a b\""), ("!is:starred", "-is:starred"),
    ] {
      #expect(try query(marked) == query(hyphened), "\(marked)")
    }
    #expect(try query("bread!") == .word("bread"))
    #expect(try query("a!b") == query("\"a b\""))
  }

  @Test("arguments are joined as they were typed")
  func arguments() throws {
    func parse(_ arguments: [String]) throws -> Query {
      try Query.parse(
        arguments: arguments, now: moment("2026-11-21T09:15:00+01:00"), clock: .berlin())
    }
    #expect(try parse([]) == .everything)
    #expect(try parse(["a", "OR", "b"]) == .or([.word("a"), .word("b")]))
    #expect(try parse(["two words"]) == .and([.word("two"), .word("words")]))
    #expect(try parse(["\"two words\""]) == .phrase(["two", "words"]))
    #expect(try parse([Query.quoted("two \"words")]) == .phrase(["two", "words"]))
  }

  @Test("a last word that is only begun says nothing while it is typed, and is an error afterwards")
  func begun() throws {
    let begun = ["#", "@", "-#", "NOT @", "OR #", "| @", "(#", "AND (@", "tag:", "since:", "-is:"]
    for word in begun {
      #expect(try query("bread \(word)", typing: true) == query("bread", typing: false), "\(word)")
      #expect(throws: QueryError.self, "\(word)") { try query("bread \(word)") }
      // What follows shows that it is no beginning.
      #expect(throws: QueryError.self, "\(word)") { try query("\(word) bread", typing: true) }
    }
    for word in ["#", "@", "-#", "tag:"] {
      #expect(try query(word, typing: true) == .everything)
    }
    #expect(try query("#h", typing: true) == .tagPrefix("h"))
    #expect(throws: QueryError.self) { try query("a OR", typing: true) }
    #expect(throws: QueryError.self) { try query("#a,b", typing: true) }
    #expect(throws: QueryError.self) { try query("sinse:", typing: true) }
  }

  @Test("only a query that names the trash wants it")
  func wantsDeleted() throws {
    #expect(try query("is:deleted").wantsDeleted)
    #expect(try query("a (b OR -is:deleted)").wantsDeleted)
    #expect(try !query("is:starred a -b").wantsDeleted)
    #expect(!Query.everything.wantsDeleted)
  }
}

@Suite("Queries that are refused")
struct QueryErrorTests {
  @Test(
    "with the column and the reason",
    arguments: [
      ("bread   sinse:2026", 9, "unknown field \"sinse:\", did you mean \"since:\"?"),
      ("before:09:15", 1, "\"09:15\" has a time: only days can be compared here"),
      ("tag:a,b", 1, "\"a,b\" is not a tag; use letters, digits, \"-\", \"_\" and \"/\""),
      ("tag:", 1, "missing value after \"tag:\""),
      ("is:stared", 1, "unknown \"is:stared\", did you mean \"is:starred\"?"),
      (
        "is:blue", 1,
        "unknown \"is:blue\", use is:starred, is:untagged, is:edited, is:conflict, is:orphan, is:broken or is:deleted"
      ),
      ("a since:", 3, "missing value after \"since:\""),
      ("since:\"\"", 1, "missing value after \"since:\""),
      ("on:2026-02-29", 1, "there is no day 2026-02-29"),
      ("on:*-02-30", 1, "there is no day *-02-30"), ("on:*-", 1, "there is no day *-"),
      ("on:*-2026", 1, "there is no day *-2026"), ("on:*-2026-11", 1, "there is no day *-2026-11"),
      ("on:*-todya", 1, "\"todya\" is not a date: did you mean \"today\"?"),
      ("since:09:15", 1, "\"09:15\" has a time: only days can be compared here"),
      (
        "日本 since:03/04/2026", 4,
        "\"03/04/2026\" can be read in two ways: write 2026-04-03 or 2026-03-04"
      ),
      ("id:x", 1, "\"x\" is not a number of an entry, as in id:42"),
      ("id:-1", 1, "\"-1\" is not a number of an entry, as in id:42"),
      (
        "id:99999999999999999999", 1,
        "\"99999999999999999999\" is not a number of an entry, as in id:42"
      ),
      ("words:many", 1, "\"many\" is not a number of words, as in words:>200 or words:100..200"),
      ("words:=>2", 1, "\"=>2\" is not a number of words, as in words:>200 or words:100..200"),
      ("words:<0", 1, "no entry can have \"<0\" words"),
      ("words:5..2", 1, "nothing is in \"5..2\": the smaller value comes first"),
      ("on:2026..2020", 1, "nothing is in \"2026..2020\": the smaller value comes first"),
      ("file:5M..1M", 1, "nothing is in \"5M..1M\": the smaller value comes first"),
      (
        "run:!=5", 1,
        "\"!=5\" is no number, duration or date, as in run:>5, run:>7h20 or run:>2026-11-21"
      ),
      (
        "due:2026-05..2026-01", 1,
        "nothing is in \"2026-05..2026-01\": the smaller value comes first"
      ),
      ("run:5..2", 1, "nothing is in \"5..2\": the smaller value comes first"),
      ("run:2km..500m", 1, "nothing is in \"2km..500m\": the smaller value comes first"),
      ("a #", 3, "\"#\" is not a tag; use letters, digits, \"-\", \"_\" and \"/\""),
      ("#a,b", 1, "\"#a,b\" is not a tag; use letters, digits, \"-\", \"_\" and \"/\""),
      ("#work/", 1, "\"#work/\" is not a tag; use letters, digits, \"-\", \"_\" and \"/\""),
      ("a \"b", 3, "the quotation mark is never closed"),
      ("(a", 1, "the parenthesis is never closed"),
      ("a)", 2, "this parenthesis was never opened"), (")", 1, "this parenthesis was never opened"),
      ("a OR", 3, "missing term next to \"OR\""),
      ("OR a", 1, "missing term next to \"OR\""),
      ("a | | b", 5, "missing term next to \"|\""),
      ("NOT", 1, "missing term next to \"NOT\""),
      ("()", 1, "missing term next to \"(\""),
      ("(a OR )", 4, "missing term next to \"OR\""),
      ("a AND", 3, "missing term next to \"AND\""),
      ("a - b", 3, "\"-\" has no letter or digit to search for"),
      ("a &", 3, "\"&\" has no letter or digit to search for"),
      ("\"\"", 1, "\"\" has no letter or digit to search for"),
      ("*", 1, "\"*\" has no letter or digit to search for"),
      ("a*b", 1, "\"a*b\": a * is allowed only at the end of a word"),
      ("👩‍👩‍👧 é (", 5, "missing term next to \"(\""),
    ])
  func refused(text: String, column: Int, message: String) throws {
    let error = #expect(throws: QueryError.self) { try query(text) }
    #expect(error?.description == "column \(column): \(message)")
  }

  @Test("the fields of other programs name those that mean the same here")
  func synonyms() throws {
    for (typed, meant) in [
      ("from:2020", "since"), ("to:2020", "until"), ("year:2020", "on"), ("in:2020", "on"),
      ("Month:2020-05", "on"),
    ] {
      let error = #expect(throws: QueryError.self) {
        try Query.parse(
          typed, now: moment("2026-11-21T09:15:00+01:00"), clock: .berlin(),
          textFields: .keys { [] })
      }
      #expect(error?.description.hasSuffix("did you mean \"\(meant):\"?") == true)
    }
    // A field of that name in the texts is meant.
    #expect(
      throws: Never.self,
      performing: {
        try Query.parse(
          "from:berlin", now: moment("2026-11-21T09:15:00+01:00"), clock: .berlin(),
          textFields: .keys { ["from"] })
      })
  }

  @Test("a tag with the other sign is meant where only that one exists")
  func otherSign() {
    let tags: Set<String> = ["@anna", "home"]
    for (typed, meant) in [
      ("#anna", "@anna"), ("bread #Anna", "bread @Anna"), ("@home", "#home"), ("#home", nil),
      ("#work", nil), ("anna", nil), ("", nil),
    ] {
      #expect(Query.meant(typed) { tags } == meant, "\(typed)")
    }
  }

  @Test("nesting without end is refused instead of followed", arguments: ["(", "-", "NOT ", "(-"])
  func depth(piece: String) throws {
    let error = #expect(throws: QueryError.self) {
      try query(String(repeating: piece, count: 3_000) + "a")
    }
    #expect(error?.problem == .tooDeep)
    let allowed = String(repeating: "-", count: QueryParser.depthLimit) + "a"
    #expect(throws: Never.self) { try query(allowed) }
  }

  @Test(
    "a query is bounded in length and in terms, whatever they are",
    arguments: ["\"a\" ", "a OR ", "#a ", "-a ", "is:starred|", "(a) ", "\"a b c\" ", "words:>1 "])
  func size(piece: String) throws {
    let long = String(repeating: piece, count: 80_000) + "a"
    let error = #expect(throws: QueryError.self) { try query(long) }
    #expect(error?.problem == .tooLong)
    let many = String(repeating: piece, count: QueryParser.termLimit) + "a"
    let refused = #expect(throws: QueryError.self) { try query(many) }
    #expect(refused?.problem == .tooManyTerms)
    #expect((1...many.count).contains(refused?.column ?? 0))
    #expect(throws: Never.self) { try query(String(repeating: piece, count: 80) + "a") }
  }

  @Test("no text makes the parser do anything but answer or refuse with a place in it")
  func anyText() throws {
    let pieces = [
      "(", ")", "\"", "-", "|", " ", "OR", "NOT", "AND", "#", "@", "*", ":", "is:", "on:", "words:",
      "..", "a", "日", "é", "🎉", "2026", "-11", ">", "\n", "since:", "\0",
    ]
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...9, using: &generator) {
        text += pieces.randomElement(using: &generator) ?? ""
      }
      do {
        let parsed = try query(text, typing: Bool.random(using: &generator))
        #expect(try query(parsed.description) == parsed, "\(text)")
      } catch let error as QueryError {
        #expect((1...text.count).contains(error.column), "\(text)")
      }
    }
  }
}

import Testing

@testable import Journal

/// Questions in templates, and the texts of their answers.
struct FormTests {
  private func text(_ template: String, _ answers: String...) throws -> String {
    var form = try #require(Form(template))
    for answer in answers {
      form.take(answer)
      _ = form.go(by: 1)
    }
    return form.text
  }

  @Test("lines that begin with a question mark and a space are questions, and no others")
  func questions() throws {
    let form = try #require(Form("# Day\n? What went well\n?none\n?\n?  \n - ? no\n? mood::\n"))
    #expect(form.questions == ["What went well", "mood::"])
    for none in ["", "plain", "?", "? ", "?x", " ? x", "a ? b", "?\u{301} x"] {
      #expect(Form(none) == nil, "\(none)")
    }
  }

  @Test("a question stands above its answer, a field beside it; what is not answered is left out")
  func texts() throws {
    let day = "# Day\n\n? What went well\n\n? mood::\n\n? 明日は？\nend"
    #expect(
      try text(day, "the soup", "4", "🍜\nbread")
        == "# Day\n\nWhat went well\nthe soup\n\nmood:: 4\n\n明日は？\n🍜\nbread\nend")
    #expect(try text(day, "", "4") == "# Day\n\nmood:: 4\n\nend")
    #expect(try text(day, "", "", "soon") == "# Day\n\n明日は？\nsoon\nend")
    #expect(try text(day, " the soup \n") == "# Day\n\nWhat went well\nthe soup\n\nend")
    #expect(try text(day, "", " ", "\n") == "", "an entry without an answer is none")
    #expect(try text("? a\n? b", "1", "2") == "a\n1\nb\n2")
    #expect(try text("? mood::\n? slept::", "", "7h20") == "slept:: 7h20")
  }

  @Test("every answer is in the text, whatever the others are")
  func ledger() throws {
    let template = "x\n\n? q1\n? q2::\n\n\n? q3\ny\n? q4\n"
    let words = ["一", "二", "三", "四"]
    for mask in 1..<16 {
      var form = try #require(Form(template))
      for (index, word) in words.enumerated() {
        form.take(mask & 1 << index != 0 ? word : "")
        _ = form.go(by: 1)
      }
      for (index, word) in words.enumerated() {
        #expect(form.text.contains(word) == (mask & 1 << index != 0), "\(mask)")
        #expect(form.text.contains("q\(index + 1)") == (mask & 1 << index != 0), "\(mask)")
      }
      #expect(form.text.hasPrefix("x") && form.text.contains("y"))
    }
  }

  @Test("what is asked has its place, and a colon where it does not end in a sign")
  func labels() throws {
    var form = try #require(Form("? One\n? mood::\n? Why?"))
    #expect(form.label == "1/3 One: " && !form.isLast && !form.isBegun)
    var hasMoved = form.go(by: -1)
    #expect(!hasMoved)
    form.take("1")
    hasMoved = form.go(by: 1)
    #expect(hasMoved && form.label == "2/3 mood:: " && form.isBegun)
    hasMoved = form.go(by: 1)
    #expect(hasMoved && form.label == "3/3 Why? " && form.isLast)
    hasMoved = form.go(by: 1)
    #expect(!hasMoved && form.label == "3/3 Why? ")
    #expect(try #require(Form("? One")).label == "One: ")
  }

  @Test("in an editor the questions are plain lines, and the cursor stays where it was")
  func plain() throws {
    let created = Moment(seconds: 0, offset: 0)
    let values = Template.Values(
      created: created, day: created.localDay, style: DateStyle(names: .english))
    let filled = Template("# {date}\n? One\n? mood:: {cursor}\n?x").filled(with: values)
    #expect(filled.withoutMarks.text == "# 1970-01-01\nOne\nmood::\n?x")
    #expect(filled.withoutMarks.with("4") == "# 1970-01-01\nOne\nmood::4\n?x")
    let first = Template("? {cursor}One\n? Two").filled(with: values)
    #expect(first.withoutMarks.with("!") == "!One\nTwo")
    let without = Template("? One\n? Two").filled(with: values)
    #expect(without.withoutMarks.with("? mine") == "One\nTwo\n? mine")
  }
}

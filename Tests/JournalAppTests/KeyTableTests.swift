import JournalApp
import Testing

/// Keys as data: the notation, the lookup, and the help made from the same table.
struct KeyTableTests {
  @Test("the notation is read key by key and written back")
  func notation() {
    let cases: [(KeySequence, [String])] = [
      ("gg", ["g", "g"]), ("<C-d>", ["<C-d>"]), ("z<Enter>a", ["z", "<Enter>", "a"]),
      ("<lt>x", ["<lt>", "x"]), ("<", ["<"]), ("日", ["日"]),
    ]
    for (sequence, keys) in cases {
      #expect(sequence.keys == keys)
      #expect(KeySequence(sequence.description) == sequence)
    }
  }

  @Test("a lookup tells an action, a beginning and nothing apart")
  func lookup() {
    let table = KeyTable.standard
    #expect(table.match("gg", in: .list) == .action(.first))
    #expect(table.match("g", in: .list) == .prefix)
    #expect(table.match("gx", in: .list) == .none)
    #expect(table.match("<Enter>", in: .list) == .action(.read))
    #expect(table.match("<Enter>", in: .reading) == .action(.back))
    #expect(table.match("d", in: .page) == .none)
  }

  @Test("no binding hides another one in the same context", arguments: KeyContext.allCases)
  func unambiguous(context: KeyContext) {
    let bound = KeyTable.standard.bindings.filter { $0.contexts.contains(context) }
    for (index, binding) in bound.enumerated() {
      for other in bound[(index + 1)...] {
        #expect(binding.sequence != other.sequence)
        #expect(!binding.sequence.isProperPrefix(of: other.sequence))
        #expect(!other.sequence.isProperPrefix(of: binding.sequence))
      }
    }
  }

  @Test("every action has a key and a line of help")
  func everyActionIsBound() {
    let bound = Set(KeyTable.standard.bindings.map(\.action))
    #expect(bound == Set(Action.allCases))
    #expect(KeyTable.standard.help().count == Action.allCases.count)
  }

  @Test("keys are shown as people write them")
  func display() {
    #expect(KeyTable.display("<C-d>") == "^D")
    #expect(KeyTable.display("<Enter>") == "Enter")
    #expect(KeyTable.display("gg") == "gg")
    #expect(KeyTable.display("<lt>") == "<")
    let first = KeyTable.standard.help().first
    #expect(first?.keys == "j Down")
    #expect(first?.text == "down")
  }

  @Test("the hints of the list begin with how to write")
  func hints() {
    let hints = KeyTable.standard.hints(in: .list).map { "\($0.keys) \($0.word)" }
    #expect(
      hints == [
        "a new", "Enter read", "e edit", "d delete", "u undo", "s star", "/ search", "f filter",
        "? help", "q quit",
      ])
    #expect(KeyTable.standard.hints(in: .reading).last?.word == "back")
  }

  @Test("the help names every action once, under a heading")
  func helpLines() {
    let lines = KeyTable.standard.helpLines()
    let texts = lines.compactMap { if case .keys(_, let text) = $0 { text } else { nil } }
    #expect(texts.count == Action.allCases.count)
    #expect(lines.first == .heading("Moving"))
    #expect(lines.contains(.keys("o w", "a section for each week")))
  }
}

import Screen
import SectionedResults
import Testing

/// Lines typed after `:`.
struct CommandTests {
  @Test("a command does what its key does")
  func commands() {
    let row = Target.row(RowPath(0, 0))
    let cases: [(String, [Effect])] = [
      ("q", [.terminal(.quit(0))]), ("quit", [.terminal(.quit(0))]), ("undo", [.change(.undo)]),
      ("redo", [.change(.redo)]),
      ("add Bought  bread", [.change(.add("Bought  bread"))]), ("goto 3d", [.list(.findDay("3d"))]),
      ("show", [.read(.entry(row))]), ("show 42", [.read(.entry(.entry(42)))]),
      ("delete 42", [.change(.delete(.entry(42)))]), ("edit", [.prompt(.edit(row))]),
      ("star", [.change(.star(row, .give))]), ("unstar 7 ", [.change(.star(.entry(7), .take))]),
      ("  ", []),
      ("add --star 'Bought bread'", [.program(.run(["add", "--star", "Bought bread"], on: nil))]),
      ("add --star don't", [.change(.add("--star don't"))]),
      ("list --sort title", [.program(.run(["list", "--sort", "title"], on: nil))]),
      (
        "import 'my file.json' --dry-run",
        [.program(.run(["import", "my file.json", "--dry-run"], on: nil))]
      ),
      ("export a.json", [.program(.run(["export", "-o", "a.json"], on: nil))]),
      (
        "export a.md #work --force",
        [.program(.run(["export", "-o", "a.md", "#work", "--force"], on: nil))]
      ),
      (
        "export --format csv -o b",
        [.program(.run(["export", "--format", "csv", "-o", "b"], on: nil))]
      ),
      ("list #home", [.query(.show(ListScope(filter: "#home"), .top))]),
      ("filter #home", [.query(.show(ListScope(filter: "#home")))]),
      ("edit 7 don't  stop", [.program(.run(["edit", "7", "--", "don't  stop"], on: nil))]),
      ("open ~/my notes.json ", [.settings(.openJournal("~/my notes.json"))]),
      ("open \"my notes.json\"", [.settings(.openJournal("my notes.json"))]),
      ("set preview on", [.settings(.set("preview", "on"))]),
      ("set preview=on", [.settings(.set("preview", "on"))]),
      ("set date_format = \"%d.%m. %Y\"", [.settings(.set("date_format", "%d.%m. %Y"))]),
      ("set theme?", [.settings(.showSetting("theme"))]),
      ("set theme", [.settings(.showSetting("theme"))]),
      ("view delete work", [.settings(.deleteView("work"))]),
    ]
    for (line, effects) in cases {
      var store = prompted()
      store.send(.prompt(.submitted(line)), effects) { $0.prompt = nil }
    }
  }

  @Test("a wrong command says what and names the nearest")
  func wrong() {
    let cases = [
      ("undoo", "no command undoo; did you mean :undo?"),
      ("dleete 3", "no command dleete; did you mean :delete?"),
      ("xyzzyxyzzy", "no command xyzzyxyzzy; ? shows the keys"),
      ("delete x", "delete: x is not the number of an entry"),
      ("show -1", "show: -1 is not the number of an entry"),
      ("export", "export: give a file name, for example :export journal.md"),
      ("import 'a", "a quotation mark has no partner"),
      ("add ", "add: nothing to save; type a text"), ("goto", "goto: type a date"),
    ]
    for (line, message) in cases {
      var store = prompted()
      store.send(.prompt(.submitted(line)), [.prompt(.reopen(.command, text: line))]) {
        $0.prompt = nil
        $0.status = .failed(message)
      }
    }
  }

  @Test("the beginning of a command is enough when no other one begins so")
  func prefixes() {
    let cases: [(String, [Effect])] = [
      ("und", [.change(.undo)]), ("qu", [.terminal(.quit(0))]),
      ("unst 7", [.change(.star(.entry(7), .take))]),
      ("got 3d", [.list(.findDay("3d"))]),
      ("expo a.json", [.program(.run(["export", "-o", "a.json"], on: nil))]),
    ]
    for (line, effects) in cases {
      var store = prompted()
      store.send(.prompt(.submitted(line)), effects) { $0.prompt = nil }
    }
    for (line, message) in [
      ("sta", "sta may be star, stats; type more"), ("ta old", "ta may be tag, tags; type more"),
      ("re", "re may be redate, redo, redraw, restore; type more"),
    ] {
      var store = prompted()
      store.send(.prompt(.submitted(line)), [.prompt(.reopen(.command, text: line))]) {
        $0.prompt = nil
        $0.status = .failed(message)
      }
    }
  }

  @Test("every command is itself, and every beginning means it or names all that begin so")
  func everyPrefix() throws {
    for name in Command.names {
      #expect(try Command.name(name) == name)
      for length in 1..<name.count {
        let word = String(name.prefix(length))
        let candidates = Command.names.filter { $0.hasPrefix(word) }
        // In vim `:e` edits and `:h` helps; here too.
        if candidates.contains(word) || ["e", "h"].contains(word) {
          #expect(try Command.name(word) == word)
        } else if candidates.count == 1 {
          #expect(try Command.name(word) == name)
        } else {
          let message = "\(word) may be \(candidates.joined(separator: ", ")); type more"
          let thrown = #expect(throws: Command.Failure.self) { try Command.name(word) }
          #expect(thrown?.message == message)
        }
      }
    }
  }

  @Test("an export is of the marked entries, unless it says which")
  func exportOfMarked() {
    let cases: [(String, Effect)] = [
      (
        "export a.json",
        .program(.run(["export", "-o", "a.json", "--id"], on: .entries([2, 3])))
      ),
      (
        "export a --format csv --force",
        .program(
          .run(["export", "-o", "a", "--format", "csv", "--force", "--id"], on: .entries([2, 3])))
      ),
      ("export a.json #work", .program(.run(["export", "-o", "a.json", "#work"], on: nil))),
      ("export a.json --id 7", .program(.run(["export", "-o", "a.json", "--id", "7"], on: nil))),
    ]
    for (line, effect) in cases {
      var store = prompted()
      store.state.marks = [3, 2]
      store.send(.prompt(.submitted(line)), [effect]) { $0.prompt = nil }
    }
  }

  private func prompted() -> TestStore {
    var store = TestStore([3])
    store.state.prompt = PromptState(kind: .command)
    return store
  }
}

import Screen
import SectionedResults
import Testing

/// Lines typed after `:`.
struct CommandTests {
  private let row = Target.row(RowPath(0, 0))

  @Test("a command does what its key does")
  func commands() {
    let cases: [(String, [Effect])] = [
      ("q", [.terminal(.quit(0))]), ("quit", [.terminal(.quit(0))]), ("undo", [.change(.undo)]),
      ("redo", [.change(.redo)]),
      ("add Bought  bread", [.change(.add("Bought  bread"))]), ("goto 3d", [.list(.findDay("3d"))]),
      ("show", [.read(.entry(row))]), ("show 42", [.read(.entry(.entry(42)))]),
      ("delete 42", [.change(.delete(.entry(42)))]), ("edit", [.prompt(.edit(row))]),
      ("star", [.change(.star(row, .give))]), ("unstar 7 ", [.change(.star(.entry(7), .take))]),
      ("  ", []),
      ("add --star 'Bought bread'", [.command(.run(["add", "--star", "Bought bread"], on: row))]),
      ("add --star don't", [.change(.add("--star don't"))]),
      ("list --sort title", [.command(.run(["list", "--sort", "title"], on: row))]),
      ("list #a --limit 3", [.command(.run(["list", "#a", "--limit", "3"], on: row))]),
      ("list a -- b", [.query(.show(ListScope(filter: "a -- b"), .top))]),
      ("stats #a --format json", [.command(.run(["stats", "#a", "--format", "json"], on: row))]),
      (
        "import 'my file.json' --dry-run",
        [.command(.run(["import", "my file.json", "--dry-run"], on: row))]
      ),
      ("export a.json", [.command(.run(["export", "-o", "a.json"], on: row))]),
      (
        "export a.md #work --force",
        [.command(.run(["export", "-o", "a.md", "#work", "--force"], on: row))]
      ),
      (
        "export --force a.md #work",
        [.command(.run(["export", "--force", "-o", "a.md", "#work"], on: row))]
      ),
      (
        "export --format json a.txt",
        [.command(.run(["export", "--format", "json", "-o", "a.txt"], on: row))]
      ),
      ("export --format csv", [.command(.run(["export", "--format", "csv"], on: row))]),
      ("undo --help", [.command(.run(["undo", "--help"], on: row))]),
      ("redo x", [.command(.run(["redo", "x"], on: row))]),
      (
        "export --format csv -o b",
        [.command(.run(["export", "--format", "csv", "-o", "b"], on: row))]
      ),
      ("list #home", [.query(.show(ListScope(filter: "#home"), .top))]),
      ("filter #home", [.query(.show(ListScope(filter: "#home")))]),
      ("edit 7 don't  stop", [.change(.edit(7, "don't  stop"))]),
      ("open ~/my notes.json ", [.menu(.openJournal("~/my notes.json"))]),
      ("open \"my notes.json\"", [.menu(.openJournal("my notes.json"))]),
      ("at 2025-01-01 14:00", [.menu(.openPast("2025-01-01 14:00"))]),
      ("at '2 weeks ago'", [.menu(.openPast("2 weeks ago"))]),
      ("set preview on", [.settings(.set("preview", "on"))]),
      ("set preview=on", [.settings(.set("preview", "on"))]),
      ("set date_format = \"%d.%m. %Y\"", [.settings(.set("date_format", "%d.%m. %Y"))]),
      ("set theme?", [.settings(.showSetting("theme"))]),
      ("set theme", [.settings(.showSetting("theme"))]),
      ("view delete work", [.settings(.deleteView("work"))]),
    ]
    for (line, effects) in cases {
      var store = prompted()
      store.send(.prompt(.submitted(line)), effects) { $0.prompt.open = nil }
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
      ("calendar x", "calendar takes no argument"), ("quit now", "quit takes no argument"),
      ("watch", "watch works in a shell only: daybook watch"),
      ("import 'a", "unmatched quotation mark"),
      ("add ", "add: nothing to save; give a text"), ("goto", "goto: give a date"),
      ("at", "at: give a date; :at yesterday shows the journal as it was"),
    ]
    for (line, message) in cases {
      var store = prompted()
      store.send(.prompt(.submitted(line)), [.prompt(.reopen(.command, text: line))]) {
        $0.prompt.open = nil
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
      ("expo a.json", [.command(.run(["export", "-o", "a.json"], on: row))]),
    ]
    for (line, effects) in cases {
      var store = prompted()
      store.send(.prompt(.submitted(line)), effects) { $0.prompt.open = nil }
    }
    for (line, message) in [
      ("sta", "sta is ambiguous: star, stats"), ("ta old", "ta is ambiguous: tag, tags"),
      ("re", "re is ambiguous: redate, redo, redraw, restore"),
    ] {
      var store = prompted()
      store.send(.prompt(.submitted(line)), [.prompt(.reopen(.command, text: line))]) {
        $0.prompt.open = nil
        $0.status = .failed(message)
      }
    }
  }

  @Test("every command is itself, and every beginning means it or names all that begin so")
  func everyPrefix() throws {
    for name in TestStore.catalog.names {
      #expect(try TestStore.catalog.name(name) == name)
      for length in 1..<name.count {
        let word = String(name.prefix(length))
        let candidates = TestStore.catalog.names.filter { $0.hasPrefix(word) }
        // In vim `:e` edits and `:h` helps; here too.
        if candidates.contains(word) || ["e", "h"].contains(word) {
          #expect(try TestStore.catalog.name(word) == word)
        } else if candidates.count == 1 {
          #expect(try TestStore.catalog.name(word) == name)
        } else {
          let message = "\(word) is ambiguous: \(candidates.joined(separator: ", "))"
          let thrown = #expect(throws: Command.Failure.self) { try TestStore.catalog.name(word) }
          #expect(thrown?.message == message)
        }
      }
    }
  }

  @Test("an export gets the marked entries, for when it names none")
  func exportOfMarked() {
    let cases: [(String, Effect)] = [
      (
        "export a.json",
        .command(.run(["export", "-o", "a.json"], on: .entries([2, 3])))
      ),
      (
        "export a --format csv --force",
        .command(.run(["export", "-o", "a", "--format", "csv", "--force"], on: .entries([2, 3])))
      ),
      (
        "export a.json #work",
        .command(.run(["export", "-o", "a.json", "#work"], on: .entries([2, 3])))
      ),
      (
        "export a.json --id 7",
        .command(.run(["export", "-o", "a.json", "--id", "7"], on: .entries([2, 3])))
      ),
    ]
    for (line, effect) in cases {
      var store = prompted()
      store.state.marks.numbers = [3, 2]
      store.send(.prompt(.submitted(line)), [effect]) { $0.prompt.open = nil }
    }
  }

  private func prompted() -> TestStore {
    var store = TestStore([3])
    store.state.prompt.open = OpenPrompt(kind: .command)
    return store
  }
}

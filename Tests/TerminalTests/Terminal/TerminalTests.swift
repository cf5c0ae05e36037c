import Glibc
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests {
  @Suite("The terminal")
  struct TerminalTests {
    init() {
      setenv("TERM", "xterm-256color", 1)
      unsetenv("NO_COLOR")
      setenv("LC_ALL", "C.UTF-8", 1)
    }

    private func open(_ pty: PseudoTerminal) throws -> Terminal {
      try Terminal(input: pty.terminal, output: pty.terminal)
    }

    private func canvas(_ text: String, _ size: ScreenSize) -> Canvas {
      var canvas = Canvas(width: size.columns, height: size.rows)
      canvas.draw(text, at: 0, row: 1)
      return canvas
    }

    @Test(
      "24-bit colours where COLORTERM promises them, also the second time, not in GNU screen",
      arguments: ["xterm-256color", "tmux-256color", "screen-256color"])
    func directColors(term: String) throws {
      let cache = "/tmp/daybook-terminfo-\(getpid())-\(term)"
      setenv("TERM", term, 1)
      setenv("COLORTERM", "truecolor", 1)
      unsetenv("TMUX")
      defer {
        setenv("TERM", "xterm-256color", 1)
        unsetenv("COLORTERM")
        for path in ["/d/daybook-\(term)", "/d", ""] { remove(cache + path) }
      }
      let hasAll = !term.hasPrefix("screen")
      var theme = Theme.plain
      theme.looks[.normal] = ResolvedStyle("#123456 on red")
      for cache in [cache, cache, nil] {
        let pty = try PseudoTerminal()
        let terminal = try Terminal(
          input: pty.terminal, output: pty.terminal, theme: theme, cache: cache)
        #expect(terminal.colorProfile == (hasAll && cache != nil ? .trueColor : .indexed))
        terminal.present(canvas("blue", terminal.size), cursor: nil)
        let shown = pty.output()
        #expect(shown.contains("38;2;18;52;86") == (hasAll && cache != nil))
        // The colours of the palette stay the terminal's own.
        #expect(shown.contains("\u{1B}[41m") || shown.contains(";41m"))
        terminal.end()
        #expect(getenv("TERMINFO_DIRS") == nil)
      }
    }

    @Test("shows a canvas and is put back as it was")
    func lifeOfATerminal() throws {
      let pty = try PseudoTerminal()
      let before = pty.settings()
      let terminal = try open(pty)
      #expect(terminal.size == ScreenSize(rows: 24, columns: 80))
      #expect(terminal.colorProfile == .indexed)
      #expect(pty.settings() != before)
      terminal.present(
        canvas("日本 e\u{301} 👩‍👩‍👧\u{1B}[31m", terminal.size), cursor: CursorPosition(row: 1, column: 3))
      let shown = pty.output()
      for piece in ["\u{1B}[?1049h", "\u{1B}[?2004h", "日本 e\u{301} 👩", "\u{1B}[4G"] {
        #expect(shown.contains(piece), "\(piece.debugDescription)")
      }
      #expect(!shown.contains("\u{1B}[31m"))
      terminal.end()
      terminal.end()
      let ended = pty.output()
      for piece in ["\u{1B}[?2004l", "\u{1B}[?1049l"] { #expect(ended.contains(piece)) }
      #expect(pty.settings() == before)
      terminal.present(canvas("late", terminal.size))
      #expect(pty.output().isEmpty)
      pty.close()
    }

    @Test("writes nothing for a canvas that is shown already, and only what has changed")
    func changes() throws {
      let pty = try PseudoTerminal()
      let terminal = try open(pty)
      terminal.present(canvas("one", terminal.size))
      _ = pty.output()
      terminal.present(canvas("one", terminal.size))
      #expect(pty.output().isEmpty)
      terminal.present(canvas("onX", terminal.size))
      #expect(pty.output().utf8.count < 30)
      terminal.forgetScreen()
      terminal.present(canvas("onX", terminal.size))
      #expect(pty.output().contains("onX"))
      terminal.end()
      pty.close()
    }

    @Test("follows the size of the window")
    func resizing() throws {
      let pty = try PseudoTerminal()
      let terminal = try open(pty)
      #expect(!terminal.resizeIfNeeded())
      for (rows, columns) in [(10, 40), (1, 1), (3, 500), (24, 80)] {
        pty.resize(rows: UInt16(rows), columns: UInt16(columns))
        #expect(terminal.resizeIfNeeded())
        #expect(terminal.size == ScreenSize(rows: rows, columns: columns))
        terminal.present(canvas("日本語", terminal.size), cursor: CursorPosition(row: 1, column: 0))
        _ = pty.output()
      }
      terminal.end()
      pty.close()
    }

    @Test("that knows no size has 24 lines of 80 columns until it is told one")
    func unknownSize() throws {
      try sizeless("xterm-256color")
      // Its description has no size either.
      try sizeless("linux")
    }

    private func sizeless(_ term: String) throws {
      setenv("TERM", term, 1)
      defer { setenv("TERM", "xterm-256color", 1) }
      let pty = try PseudoTerminal(rows: 0, columns: 0)
      let terminal = try open(pty)
      #expect(terminal.size == ScreenSize(rows: 24, columns: 80))
      terminal.present(canvas("text", terminal.size))
      #expect(pty.output().contains("text"))
      pty.resize(rows: 10, columns: 40)
      #expect(terminal.resizeIfNeeded())
      #expect(terminal.size == ScreenSize(rows: 10, columns: 40))
      terminal.end()
      pty.close()
    }

    @Test("releasing and reclaiming restores the terminal's modes")
    func releasing() throws {
      let pty = try PseudoTerminal()
      let before = pty.settings()
      let terminal = try open(pty)
      let settings = pty.settings()
      terminal.present(canvas("text", terminal.size))
      _ = pty.output()
      let result = terminal.withTerminalReleased { () -> Int in
        #expect(pty.settings() == before)
        #expect(pty.output().contains("\u{1B}[?1049l"))
        pty.resize(rows: 10, columns: 40)
        return 7
      }
      #expect(result == 7)
      #expect(pty.settings() == settings)
      #expect(terminal.size == ScreenSize(rows: 10, columns: 40))
      terminal.present(canvas("text", terminal.size))
      let shown = pty.output()
      #expect(shown.contains("text") && shown.contains("\u{1B}[?1049h"))
      terminal.end()
      pty.close()
    }

    @Test("refuses what it cannot use, and says what to do")
    func errors() throws {
      let pty = try PseudoTerminal()
      for (name, error) in [
        ("", TerminalError.termUnset), ("dumb", .termUnusable("dumb")),
      ] {
        setenv("TERM", name, 1)
        #expect(throws: error) { try open(pty) }
      }
      setenv("TERM", "xterm", 1)
      let null = Glibc.open("/dev/null", O_RDWR)
      #expect(throws: TerminalError.notATerminal) { try Terminal(input: null, output: null) }
      close(null)
      #expect(pty.output() == "")
      pty.close()
    }

    @Test(
      "starts on a terminal of any name that answers as one, and keeps the keys typed meanwhile")
    func answeringTerminal() throws {
      setenv("TERM", "nonesuch", 1)
      defer { setenv("TERM", "xterm", 1) }
      for (answer, typed) in [
        ("\u{1B}[?62;4;22c", ""), ("\u{1B}[?6c", ""), ("ahé\u{1B}[?1;2cy\u{1B}[A", "ahéy\u{1B}[A"),
        ("\u{1B}[?x\u{1B}[?1;2c", "\u{1B}[?x"),
      ] {
        let pty = try PseudoTerminal()
        let bytes = Array(answer.utf8)
        #expect(write(pty.keyboard, bytes, bytes.count) == bytes.count)
        let terminal = try open(pty)
        #expect(terminal.unknownName == "nonesuch" && terminal.knownName == "xterm-256color")
        #expect(terminal.typedAhead == Array(typed.utf8))
        terminal.end()
        pty.close()
      }
    }

    @Test("one that does not answer is a plain terminal, and what was typed meanwhile stays")
    func silentTerminal() throws {
      setenv("TERM", "nonesuch", 1)
      defer { setenv("TERM", "xterm", 1) }
      for answer in ["", "\u{1B}[?62", "abc", "\u{1B}[1c"] {
        let pty = try PseudoTerminal()
        let (bytes, before) = (Array(answer.utf8), pty.settings())
        #expect(write(pty.keyboard, bytes, bytes.count) == bytes.count)
        let terminal = try open(pty)
        #expect(pty.output().contains("\u{1B}[c"))
        #expect(terminal.unknownName == "nonesuch" && terminal.knownName == "vt100")
        #expect(terminal.typedAhead == bytes)
        #expect(terminal.colorProfile == .attributes)
        terminal.present(canvas("text", terminal.size))
        #expect(!terminal.copy("secret"))
        let shown = pty.output()
        #expect(shown.contains("text") && !shown.contains("\u{1B}]"))
        terminal.end()
        #expect(pty.settings() == before)
        pty.close()
      }
    }

    @Test("the palette stays the user's, and no text goes to a terminal that could print it")
    func palette() throws {
      for term in ["xterm-256color", "xterm", "tmux-256color", "vt100", "ansi", "linux"] {
        setenv("TERM", term, 1)
        defer { setenv("TERM", "xterm", 1) }
        let pty = try PseudoTerminal()
        let terminal = try open(pty)
        terminal.present(canvas("text", terminal.size))
        let isFamily = !["vt100", "ansi", "linux"].contains(term)
        #expect(terminal.copy("secret") == isFamily)
        terminal.withTerminalReleased {}
        terminal.end()
        let shown = pty.output()
        #expect(shown.contains("text") && !shown.contains("\u{1B}]104"), "\(term)")
        #expect(shown.contains("\u{1B}]52;") == isFamily, "\(term)")
        pty.close()
      }
    }

    @Test("struck text is struck out, and no longer when it is not")
    func struck() throws {
      setenv("TERM", "xterm-256color", 1)
      defer { setenv("TERM", "xterm", 1) }
      let pty = try PseudoTerminal()
      let terminal = try open(pty)
      #expect(terminal.strikes)
      var canvas = Canvas(width: 80, height: 24)
      var style = Style()
      style.struck = true
      canvas.draw("one ", at: 0, row: 1)
      canvas.draw("two 日", at: 4, row: 1, style: style)
      canvas.draw(" three", at: 10, row: 1)
      terminal.present(canvas)
      let first = pty.output()
      #expect(first.contains("\u{1B}[2;5H") && first.contains("\u{1B}[9mtwo 日\u{1B}[29m"))
      // A change beside it.
      canvas.draw("four", at: 20, row: 1)
      terminal.present(canvas)
      #expect(pty.output().contains("\u{1B}[9mtwo 日\u{1B}[29m"))
      canvas.draw("five", at: 0, row: 5)
      terminal.present(canvas)
      #expect(!pty.output().contains("two"))
      // The same letters, plain.
      canvas.draw("two 日", at: 4, row: 1)
      terminal.present(canvas)
      let shown = pty.output()
      #expect(shown.contains("two 日") && !shown.contains("\u{1B}[9m"))
      terminal.end()
      pty.close()
      setenv("TERM", "vt100", 1)
      let old = try PseudoTerminal()
      let plain = try open(old)
      #expect(!plain.strikes)
      plain.present(canvas)
      #expect(!old.output().contains("\u{1B}[9m"))
      plain.end()
      old.close()
    }

    @Test(
      "starts where the system does not know a terminal that understands xterm's description",
      arguments: [
        "xterm-ghostty-2", "xterm-nonesuch", "alacritty-nonesuch", "foot-nonesuch", "rio-x",
        "iterm2-x", "tmux-x", "screen.nonesuch", "weird-256color", "weird-direct",
      ])
    func unknownTerminal(name: String) throws {
      setenv("TERM", name, 1)
      defer { setenv("TERM", "xterm", 1) }
      let pty = try PseudoTerminal()
      let terminal = try open(pty)
      #expect(terminal.unknownName == name)
      #expect(terminal.keys["<Up>"] == Array("\u{1B}OA".utf8))
      terminal.present(canvas("text", terminal.size))
      #expect(pty.output().contains("text"))
      terminal.end()
      pty.close()
      setenv("TERM", "xterm", 1)
      let known = try PseudoTerminal()
      let usual = try open(known)
      #expect(usual.unknownName == nil)
      usual.end()
      known.close()
    }

    @Test("keeps to attributes where colours are not wanted")
    func noColor() throws {
      setenv("NO_COLOR", "1", 1)
      defer { unsetenv("NO_COLOR") }
      let pty = try PseudoTerminal()
      let terminal = try open(pty)
      #expect(terminal.colorProfile == .attributes)
      var canvas = Canvas(width: 80, height: 24)
      canvas.draw("tag", at: 0, row: 0, style: Style(.tag))
      canvas.draw("selected", at: 0, row: 1, style: Style(.selected))
      terminal.present(canvas)
      let shown = pty.output()
      #expect(!shown.contains("[36m") && shown.contains(";7m"))
      terminal.end()
      pty.close()
    }

    @Test("is put back by the handler of a crash, which hands the signal on")
    func crash() throws {
      let pty = try PseudoTerminal()
      let before = pty.settings()
      var previous = sigaction()
      var action = sigaction()
      // Simulates a crash reporter, and lets the test continue.
      action.__sigaction_handler.sa_handler = { _ in CrashFlag.isSet = true }
      sigaction(SIGFPE, &action, &previous)
      CrashGuard.install(terminal: pty.terminal, restore: Array("restored".utf8))
      var raw = termios()
      tcgetattr(pty.terminal, &raw)
      cfmakeraw(&raw)
      tcsetattr(pty.terminal, TCSANOW, &raw)
      #expect(pty.settings() != before)
      raise(SIGFPE)
      #expect(CrashFlag.isSet)
      #expect(pty.output() == "restored")
      #expect(pty.settings() == before)
      CrashGuard.remove()
      sigaction(SIGFPE, &previous, nil)
      pty.close()
    }
  }
}

/// Set by a signal handler of a test.
private enum CrashFlag {
  // Written by the handler in the thread that raised the signal, before raise returns.
  nonisolated(unsafe) static var isSet = false
}

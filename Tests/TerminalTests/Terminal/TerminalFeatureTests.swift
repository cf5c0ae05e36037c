import CTerminal
import Glibc
import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests {
  @Suite("What a terminal says it can do")
  struct TerminalFeatureTests {
    init() {
      setenv("TERM", "xterm-256color", 1)
      for name in ["NO_COLOR", "TMUX", "TERM_PROGRAM", "WT_SESSION", "ConEmuANSI"] {
        unsetenv(name)
      }
      setenv("LC_ALL", "C.UTF-8", 1)
    }

    /// A program's terminal and the other side of it.
    struct Talk {
      let pty: PseudoTerminal
      let terminal: Terminal
      var other: AnsweringTerminal
      var decoder = KeyDecoder()
      var keys: [String] = []
      var backgrounds: [UInt32] = []

      init(_ kind: AnsweringTerminal.Kind) throws {
        pty = try PseudoTerminal()
        terminal = try Terminal(input: pty.terminal, output: pty.terminal, mouse: true)
        other = AnsweringTerminal(kind)
      }

      /// Draws a text.
      mutating func show(_ text: String) -> String {
        var canvas = Canvas(width: 80, height: 24)
        canvas.draw(text, at: 0, row: 1)
        terminal.present(canvas)
        let shown = pty.output()
        _ = other.take(shown)
        return shown
      }

      /// Gives the program bytes, in pieces of a size.
      mutating func type(_ text: String, pieces: Int = .max) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          decoder.expectsAnswer = terminal.awaitsAnswer
          take(decoder.feed(Array(rest.prefix(pieces))))
          rest = rest.dropFirst(pieces)
        }
      }

      mutating func take(_ events: [KeyEvent]) {
        for event in events {
          switch event {
          case .stroke(let stroke): keys.append(stroke.name)
          case .report(let report):
            if let color = terminal.take(report) { backgrounds.append(color) }
          case .mouse, .paste: keys.append("\(event)")
          }
        }
      }

      /// The answers to all that the program has asked.
      mutating func answers() -> [String] { other.take(pty.output()) }

      /// Asks, and answers whole.
      mutating func greet() {
        terminal.ask(background: true)
        type(answers().joined())
        _ = show("greeting")
      }

      mutating func end() {
        terminal.end()
        _ = other.take(pty.output())
        pty.close()
      }
    }

    @Test(
      "no answer is a key and no key is lost, wherever they mix",
      arguments: AnsweringTerminal.Kind.allCases)
    func keysAmongAnswers(kind: AnsweringTerminal.Kind) throws {
      for pieces in [Int.max, 1, 2, 3, 7] {
        var talk = try Talk(kind)
        _ = talk.show("first")
        talk.terminal.ask(background: true, pictures: true)
        let answers = talk.answers()
        // Before, between and after the answers, with an arrow, a character of several bytes and Alt.
        var typed = "a"
        var names = ["a"]
        for (answer, (text, name)) in zip(
          answers,
          [("\u{1B}[A", "<Up>"), ("é", "é"), ("\u{1B}x", "<A-x>"), ("日", "日")]
            + answers.map { _ in ("j", "j") })
        {
          typed += answer + text
          names.append(name)
        }
        talk.type(typed, pieces: pieces)
        talk.take(talk.decoder.finish())
        #expect(talk.keys == names, "\(pieces)")
        #expect(talk.backgrounds.prefix(1) == (kind == .silent ? [] : [0x1C1C1C]))
        #expect(talk.terminal.awaitsAnswer == (kind == .silent))
        #expect(talk.terminal.tellsKeysApart == kind.hasKeyboard)
        _ = talk.show("second")
        #expect(talk.other.hasKeyboardOn == kind.hasKeyboard)
        talk.end()
        #expect(talk.other.leftOver == [], "\(pieces)")
      }
    }

    @Test("an answer that comes late, or that is none, is not a key either")
    func lateAndGarbage() throws {
      for garbage in [
        "\u{1B}[?2026;9$y", "\u{1B}[?2026$y", "\u{1B}[?99999999999;1$y", "\u{1B}[?;u",
        "\u{1B}]11;nonsense\u{7}", "\u{1B}[?997;3n", "\u{1B}P>|name 1.0\u{1B}\\", "\u{1B}[?x",
        "\u{1B}[1;1R",
      ] {
        var talk = try Talk(.silent)
        talk.terminal.ask(background: true)
        talk.type("a\(garbage)b", pieces: 1)
        // A cursor position that nobody asked for is F3.
        #expect(talk.keys.filter { $0 != "<F3>" } == ["a", "b"], "\(garbage.debugDescription)")
        #expect(!talk.terminal.tellsKeysApart)
        talk.end()
        #expect(talk.other.leftOver == [])
      }
      var talk = try Talk(.kitty)
      _ = talk.show("first")
      talk.terminal.ask(background: true)
      let answers = talk.answers().joined()
      // The program has gone on meanwhile.
      talk.decoder.expectsAnswer = false
      talk.take(talk.decoder.feed(Array(("x" + answers + "y").utf8)))
      #expect(talk.keys == ["x", "y"] && talk.terminal.tellsKeysApart)
      talk.end()
      #expect(talk.other.leftOver == [])
    }

    @Test(
      "what is on is off around another program, and after every end",
      arguments: AnsweringTerminal.Kind.allCases)
    func waysOut(kind: AnsweringTerminal.Kind) throws {
      var talk = try Talk(kind)
      talk.greet()
      let on = talk.other.leftOver
      #expect(on.contains("mode 1049") && on.contains("mode 2004") && on.contains("title"))
      #expect(on.contains("keyboard 1") == kind.hasKeyboard)
      #expect(on.contains("mode 2031") == kind.hasScheme)
      // Focus only where nothing else tells of another background.
      #expect(on.contains("mode 1004") == [.xterm, .wezterm].contains(kind))
      talk.terminal.withTerminalReleased {
        _ = talk.other.take(talk.pty.output())
        #expect(talk.other.leftOver == [])
      }
      _ = talk.show("again")
      #expect(talk.other.leftOver == on)
      // Stopped without notice and continued: nothing is begun twice.
      talk.terminal.reclaim()
      _ = talk.show("continued")
      #expect(talk.other.leftOver == on)
      // Ended before anything is drawn again.
      talk.terminal.withTerminalReleased {}
      talk.end()
      #expect(talk.other.leftOver == [])
    }

    @Test(
      "what is on is off after a crash, whatever the signal",
      arguments: AnsweringTerminal.Kind.allCases)
    func crashes(kind: AnsweringTerminal.Kind) throws {
      // The process of tests has its own way with SIGABRT; the program's own is tested with it, too.
      for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE] {
        var (previous, action) = (sigaction(), sigaction())
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(signal, &action, &previous)
        defer { sigaction(signal, &previous, nil) }
        var talk = try Talk(kind)
        talk.greet()
        raise(signal)
        _ = talk.other.take(talk.pty.output())
        #expect(talk.other.leftOver == [], "signal \(signal)")
        talk.end()
      }
    }

    @Test("frames are whole where the terminal says so, and an unchanged one is no frame")
    func synchronized() throws {
      for kind in AnsweringTerminal.Kind.allCases {
        var talk = try Talk(kind)
        talk.greet()
        let before = talk.other.frames
        let shown = talk.show("another")
        #expect(shown.hasPrefix("\u{1B}[?2026h") == (talk.other.frames > before))
        #expect((talk.other.frames > before) == [.kitty, .foot, .ghostty, .wezterm].contains(kind))
        #expect(talk.show("another").isEmpty)
        talk.end()
      }
    }

    @Test("families and skin tones are whole where the terminal says so, and go when they are gone")
    func clusters() throws {
      let (family, tone) = ("👩‍👩‍👧", "👍🏽")
      for kind in AnsweringTerminal.Kind.allCases {
        var talk = try Talk(kind)
        talk.greet()
        let isWhole = [.foot, .ghostty, .wezterm].contains(kind)
        let shown = talk.show("a\(family)b\(tone)c ❤️ 🇩🇪 日本")
        for sequence in [family, tone] {
          #expect(shown.contains(sequence) == isWhole, "\(kind), \(sequence)")
        }
        if kind == .ghostty {
          #expect(shown.contains("\u{1B}[?2027h\(family)\u{1B}[?2027l"))
        }
        // Another family with the same first member, and the member alone.
        let next = talk.show("a👩‍👩‍👦b\(tone)c ❤️ 🇩🇪 日本")
        #expect(next.contains("👩‍👩‍👦") == isWhole)
        let alone = talk.show("a👩b\(tone)c ❤️ 🇩🇪 日本")
        #expect(!alone.contains("👩‍👩‍👦") && alone.contains("👩") == isWhole)
        talk.end()
        #expect(talk.other.leftOver == [])
      }
    }

    @Test("a sequence that was on the screen before the answer is drawn whole after it")
    func clustersFoundLater() throws {
      var talk = try Talk(.ghostty)
      _ = talk.show("👩‍👩‍👧")
      talk.terminal.ask(background: false)
      talk.type(talk.answers().joined())
      #expect(!talk.terminal.isDrawn)
      #expect(talk.show("👩‍👩‍👧").contains("👩‍👩‍👧"))
      talk.end()
    }

    @Test(
      "the background is asked for again when the colours change or the window gets the keyboard")
    func changingBackground() throws {
      for kind in AnsweringTerminal.Kind.allCases {
        var talk = try Talk(kind)
        talk.greet()
        let news = kind.hasScheme ? "\u{1B}[?997;2n" : "\u{1B}[I"
        talk.type(news)
        let asked = talk.pty.output()
        #expect(
          asked.contains("\u{1B}]11;?")
            == [.xterm, .wezterm, .kitty, .foot, .ghostty].contains(kind))
        talk.type("\u{1B}]11;rgb:ff/ff/ff\u{1B}\\\u{1B}[?62c\u{1B}[O")
        #expect(talk.keys == [] && talk.backgrounds.last == 0xFFFFFF)
        // Not with a theme of its own.
        talk.terminal.follow(background: false)
        _ = talk.other.take(talk.pty.output())
        talk.type(news)
        #expect(talk.pty.output().isEmpty)
        #expect(!talk.other.modes.contains(1004) && !talk.other.modes.contains(2031))
        talk.end()
        #expect(talk.other.leftOver == [])
      }
    }

    @Test("a terminal that names no background but its scheme is dark or light")
    func schemeAlone() throws {
      var talk = try Talk(.silent)
      talk.terminal.ask(background: true)
      talk.type("\u{1B}[?997;1n\u{1B}[?62c\u{1B}[?997;2n")
      #expect(talk.backgrounds == [0x000000, 0xFFFFFF] && talk.keys == [])
      talk.end()
    }

    @Test("nothing is asked where the terminal may print it")
    func unasked() throws {
      for term in ["linux", "vt220", "vt100"] {
        setenv("TERM", term, 1)
        defer { setenv("TERM", "xterm-256color", 1) }
        let pty = try PseudoTerminal()
        let terminal = try Terminal(input: pty.terminal, output: pty.terminal)
        _ = pty.output()
        terminal.ask(background: true)
        #expect(pty.output().isEmpty && !terminal.awaitsAnswer)
        terminal.end()
        pty.close()
      }
    }

    @Test(
      "progress goes to the tab where a variable names a terminal with one, and ends with the program"
    )
    func progress() throws {
      setenv("TERM_PROGRAM", "ghostty", 1)
      setenv("TERM_PROGRAM_VERSION", "1.2.3", 1)
      defer {
        unsetenv("TERM_PROGRAM")
        unsetenv("TERM_PROGRAM_VERSION")
      }
      var talk = try Talk(.ghostty)
      talk.greet()
      talk.terminal.show(share: 0.425)
      let shown = talk.pty.output()
      #expect(shown == "\u{1B}]9;4;1;42\u{1B}\\")
      talk.terminal.show(share: nil)
      _ = talk.other.take(talk.pty.output())
      #expect(talk.other.isInProgress)
      talk.end()
      #expect(talk.other.leftOver == [])
      // In a shell.
      let pty = try PseudoTerminal()
      var other = AnsweringTerminal(.ghostty)
      var tab = try #require(ProgressTerminal(descriptor: pty.terminal, isGuarded: true))
      var (previous, action) = (sigaction(), sigaction())
      action.__sigaction_handler.sa_handler = { _ in }
      sigaction(SIGILL, &action, &previous)
      tab.show(share: 0)
      _ = other.take(pty.output())
      #expect(other.isInProgress)
      raise(SIGILL)
      _ = other.take(pty.output())
      #expect(!other.isInProgress)
      tab.clear()
      sigaction(SIGILL, &previous, nil)
      pty.close()
    }

    @Test(
      "progress is for terminals that document a variable, and for none behind a multiplexer",
      arguments: [
        (["TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.2.0"], true),
        (["TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.1.3"], false),
        (["TERM_PROGRAM": "ghostty"], false),
        (["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809-5046fc22"], false),
        (["TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20250801-1-a"], true),
        (["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": "T3LrMSc7UUw9Ts3BFGsSyHNoSxF"], false),
        (["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": "T3LrMSc7UUw9Ts3BFGsSyHNoSxFP"], true),
        (["PTYXIS_VERSION": "48.1"], true), (["PTYXIS_VERSION": "47.0"], false),
        (["WT_SESSION": "x"], true), (["WT_SESSION": "x", "TMUX": "y"], false),
        (["ConEmuANSI": "ON"], true), (["ConEmuANSI": "OFF"], false), ([:], false),
        (["WT_SESSION": "x", "STY": "y"], false), (["TERM": "xterm-kitty"], false),
      ])
    func progressTerminals(variables: [String: String], isNamed: Bool) {
      #expect(ProgressTerminal.isNamed { variables[$0] } == isNamed)
    }

    @Test("tmux limits the colours to those of the terminal that shows it")
    func multiplexer() throws {
      let few = try #require(MultiplexerClient(answer: "xterm bpaste,title\n"))
      #expect(few.limit == .ansi)
      #expect(try #require(MultiplexerClient(answer: "xterm 256,title")).limit == nil)
      #expect(try #require(MultiplexerClient(answer: "xterm-256color title")).limit == nil)
      #expect(try #require(MultiplexerClient(answer: "vt220 title")).limit == .attributes)
      #expect(try #require(MultiplexerClient(answer: "nonesuch title")).limit == nil)
      #expect(try #require(MultiplexerClient(answer: "xterm")).limit == .ansi)
      #expect(MultiplexerClient(answer: "\n") == nil)
      // Without tmux, and with one that is gone.
      #expect(MultiplexerClient() == nil)
      setenv("TMUX", "/nonesuch,1,0", 1)
      defer { unsetenv("TMUX") }
      #expect(MultiplexerClient() == nil)
    }
  }
}

import Glibc
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests {
  @Suite("The event loop")
  struct EventLoopTests {
    /// Two ends of a pipe.
    private struct Pipe {
      let reader: Int32
      let writer: Int32

      init() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
      }

      func write(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(Glibc.write(writer, bytes, bytes.count) == bytes.count)
      }
    }

    @Test("gives bytes of a pipe, then its end, once")
    func pipeInput() throws {
      let pipe = try Pipe()
      let loop = EventLoop(input: pipe.reader)
      pipe.write("aé")
      #expect(loop.wait(timeout: nil) == [.input(Array("aé".utf8))])
      close(pipe.writer)
      #expect(loop.wait(timeout: nil) == [.inputEnded])
      #expect(loop.wait(timeout: .zero) == [.timer])
      close(pipe.reader)
    }

    @Test("gives what was read before it first, unless the input is not read")
    func unread() throws {
      let pipe = try Pipe()
      let loop = EventLoop(input: pipe.reader)
      pipe.write("c")
      loop.unread(Array("b".utf8))
      loop.unread(Array("a".utf8))
      #expect(loop.isInputWaiting)
      loop.setReadsInput(false)
      #expect(loop.wait(timeout: .zero) == [.timer])
      loop.setReadsInput(true)
      #expect(loop.wait(timeout: nil) == [.input(Array("ab".utf8))])
      #expect(loop.wait(timeout: nil) == [.input(Array("c".utf8))])
      for descriptor in [pipe.reader, pipe.writer] { close(descriptor) }
    }

    @Test("takes the end of a terminal for a hang-up, once")
    func hangUp() throws {
      let pty = try PseudoTerminal()
      let loop = EventLoop(input: pty.terminal, output: pty.terminal)
      #expect(loop.wait(timeout: .zero) == [.timer])
      close(pty.keyboard)
      #expect(loop.wait(timeout: nil) == [.signal(.hangUp)])
      #expect(loop.wait(timeout: .zero) == [.timer])
      close(pty.terminal)
    }

    @Test("notices the end of the terminal that is drawn on while keys come from a pipe")
    func outputHangUp() throws {
      let pty = try PseudoTerminal()
      let pipe = try Pipe()
      let loop = EventLoop(input: pipe.reader, output: pty.terminal)
      close(pty.keyboard)
      #expect(loop.wait(timeout: nil) == [.signal(.hangUp)])
      pipe.write("x")
      #expect(loop.wait(timeout: nil) == [.input([0x78])])
      for descriptor in [pty.terminal, pipe.reader, pipe.writer] { close(descriptor) }
    }

    @Test("tells of the timer only when the time has passed")
    func timer() throws {
      let pipe = try Pipe()
      let loop = EventLoop(input: pipe.reader)
      let start = ContinuousClock.now
      #expect(loop.wait(timeout: .milliseconds(20)) == [.timer])
      #expect(ContinuousClock.now - start >= .milliseconds(20))
      pipe.write("x")
      #expect(loop.wait(timeout: .seconds(60)) == [.input([0x78])])
      #expect(loop.wait(timeout: .seconds(-1)) == [.timer])
      close(pipe.reader)
      close(pipe.writer)
    }

    @Test("watches further descriptors, and forgets one that was closed")
    func watching() throws {
      let pipe = try Pipe()
      let other = try Pipe()
      let loop = EventLoop(input: pipe.reader)
      loop.watch(other.reader)
      other.write("x")
      pipe.write("k")
      #expect(loop.wait(timeout: nil) == [.readable(other.reader), .input([0x6B])])
      #expect(loop.wait(timeout: nil) == [.readable(other.reader)])
      loop.unwatch(other.reader)
      #expect(loop.wait(timeout: .zero) == [.timer])
      loop.setReadsInput(false)
      pipe.write("k")
      #expect(loop.wait(timeout: .zero) == [.timer])
      loop.setReadsInput(true)
      #expect(loop.wait(timeout: nil) == [.input([0x6B])])
      for descriptor in [other.reader, other.writer, pipe.reader, pipe.writer] { close(descriptor) }
    }

    @Test("leaves watched descriptors out of a wait that does not read them")
    func withoutWatched() throws {
      let pipe = try Pipe()
      let other = try Pipe()
      let loop = EventLoop(input: pipe.reader)
      loop.watch(other.reader)
      other.write("x")
      #expect(loop.wait(timeout: .zero, withWatched: false) == [.timer])
      pipe.write("k")
      #expect(loop.wait(timeout: nil, withWatched: false) == [.input([0x6B])])
      #expect(loop.wait(timeout: nil) == [.readable(other.reader)])
      for descriptor in [other.reader, other.writer, pipe.reader, pipe.writer] { close(descriptor) }
    }

    @Test("wakes up for signals, each kind once however many have come")
    func signals() throws {
      let pipe = try Pipe()
      let signals = try SignalPipe()
      let loop = EventLoop(input: pipe.reader, signals: signals)
      for _ in 0..<100 { kill(getpid(), SIGWINCH) }
      kill(getpid(), SIGCONT)
      var seen: [LoopEvent] = []
      while seen.count < 2 { seen += loop.wait(timeout: nil) }
      #expect(Set(seen) == [.signal(.windowChanged), .signal(.continued)])
      kill(getpid(), SIGTERM)
      // Another thread may handle one of the hundred later than this one continues.
      let late: Set<LoopEvent> = [.signal(.windowChanged), .signal(.continued)]
      var last: [LoopEvent] = []
      while !last.contains(.signal(.terminate)) { last += loop.wait(timeout: nil) }
      #expect(Set(last).subtracting(late) == [.signal(.terminate)])
      kill(getpid(), SIGPIPE)
      kill(getpid(), SIGXFSZ)
      repeat { last = loop.wait(timeout: .zero) } while !late.isDisjoint(with: last)
      #expect(last == [.timer])
      close(pipe.reader)
      close(pipe.writer)
    }

    @Test("reads a megabyte of keys in few pieces")
    func large() throws {
      let pipe = try Pipe()
      let loop = EventLoop(input: pipe.reader)
      let text = String(repeating: "x", count: 60_000)
      pipe.write(text)
      #expect(loop.wait(timeout: nil) == [.input(Array(text.utf8))])
      close(pipe.reader)
      close(pipe.writer)
    }
  }
}

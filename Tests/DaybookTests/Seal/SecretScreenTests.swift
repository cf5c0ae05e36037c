import Foundation
import Glibc
import Seal
import Terminal
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Passphrases on the full screen: every byte of the terminal's arrives, and no other sequence does.
@Suite("Secrets on the screen")
struct SecretScreenTests {
  /// Bytes of a terminal, and the answer; `nil` for none.
  private static let inputs: [(bytes: String, answer: String?)] = [
    ("pass\r", "pass"), ("añ 日🦊\r", "añ 日🦊"), ("paxs\u{8}\u{7F}ss\n", "pass"),
    ("wrong\u{15}right\r", "right"), ("keypad\u{1B}OM", "keypad"),
    ("pa\u{1B}[Ass\u{1B}OB\u{1B}[1;5C\u{1B}[5~\u{1B}x\r", "pass"),
    ("pa\u{1B}[<0;12;5Mss\r", "pass"), ("pa\u{1B}]11;rgb:1e1e/2020/ffff\u{1B}\\ss\r", "pass"),
    ("\u{1B}]11;rgb:1e1e/2020/ffff\u{7}pass\r", "pass"),
    ("\u{1B}[200~pass word\u{1B}[201~\r", "pass word"),
    ("\u{1B}[200~pass word\r\n\u{1B}[201~!\r", "pass word!"),
    ("x\u{1B}[200~\u{3}\u{15}\u{7F}a\u{1B}b\rc\u{1B}[201~\r", "xabc"),
    ("pass\u{3}", nil), ("\u{4}", nil), ("pass\u{4}", "pass"), ("pass\u{1B}", nil),
    ("pa\u{1B}[A\u{1B}", nil),
  ]

  @Test("keys, pastes and answers of the terminal are decoded in pieces of any size")
  func pieces() {
    for (text, answer) in Self.inputs {
      let bytes = Array(text.utf8)
      for size in [1, 2, 3, 7, bytes.count] {
        var keys = SecretKeys()
        var outcome: SecretLine.Outcome?
        for start in stride(from: 0, to: bytes.count, by: size) {
          let piece = Array(bytes[start..<min(bytes.count, start + size)])
          outcome = keys.feed(piece, expectsAnswer: true) ?? outcome
        }
        if keys.timeout != nil { outcome = keys.timeOut() }
        #expect(outcome == (answer == nil ? .cancelled : .entered), "\(text.debugDescription)")
        guard let answer else { continue }
        // A released passphrase is overwritten.
        let taken = keys.take()
        #expect(taken.bytes == Array(answer.utf8), "\(text.debugDescription), \(size)")
        withExtendedLifetime(taken) {}
      }
    }
  }

  @Test("a screen asks by its loop, also while another descriptor is readable all the time")
  func asking() throws {
    for (text, answer) in Self.inputs {
      let (input, other) = (try Descriptors(), try Descriptors())
      let loop = EventLoop(input: input.reading)
      loop.watch(other.reading)
      other.write("x")
      input.write(text)
      let display = CountingDisplay()
      let question = SecretQuestion(title: "j", label: "Passphrase", problem: "That is wrong.")
      let found = try SecretScreen(display, loop).ask(question)
      #expect(found?.bytes == answer.map { Array($0.utf8) }, "\(text.debugDescription)")
    }
  }

  @Test("an interrupted question, and one whose input ends, have no answer")
  func ended() throws {
    let input = try Descriptors()
    input.write("pass")
    input.end()
    let question = SecretQuestion(title: "j", label: "Passphrase")
    let loop = EventLoop(input: input.reading)
    #expect(try SecretScreen(CountingDisplay(), loop).ask(question) == nil)
  }

  /// The ends of a pipe.
  private final class Descriptors {
    let reading: Int32
    private(set) var writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    // A number that was closed may be another thread's by now.
    deinit { for end in [reading, writing] where end >= 0 { close(end) } }

    /// Closes the writing end.
    func end() {
      close(writing)
      writing = -1
    }

    func write(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(Glibc.write(writing, bytes, bytes.count) == bytes.count)
    }
  }

  /// A display that fails after more frames than there are keys: its loop spins.
  private final class CountingDisplay: Display {
    struct Spinning: Error {}
    private var left = 20
    let wantsEveryPicture = false
    let awaitsAnswer = true
    let size = Size(columns: 60, lines: 12)
    let keys: [String: [UInt8]] = [:]

    func show(_ picture: Frame) throws {
      left -= 1
      if left < 0 { throw Spinning() }
    }

    func redraw() {}
    func copy(_ text: String) {}
    func use(_ theme: Theme) {}
    func hear(mouse isHeard: Bool) {}
    func suspend() {}
    func resume() {}
    func outside<Value>(_ body: () throws -> Value) throws -> Value { try body() }
    func end() {}
  }
}

import Foundation
import TestSupport
import Testing

/// `kill -9` while somebody types loses at most the last 200 characters or the last 250 ms of typing.
///
/// `TYPING_KILLS=200` is the number of kills.
@Suite(.serialized, .waiting)
struct KillTests {
  private static let kills =
    ProcessInfo.processInfo.environment["TYPING_KILLS"].flatMap(Int.init) ?? 6

  @Test("typed text survives a kill, but for its last moment", arguments: 0..<kills)
  func typing(_ round: Int) throws {
    var random = SeededGenerator(seed: UInt64(round))
    let program = try Program()
    let session = try begin(program)
    let clock = ContinuousClock()
    var typed = ""
    var shown: [(count: Int, at: ContinuousClock.Instant)] = []
    for word in 0..<(8 + 5 * (round % 6)) {
      let text = "word\(round)x\(word) "
      try session.type("-l", text)
      typed += text
      // Rows of the prompt break inside words.
      try session.wait("the word") { $0.filter { !$0.isWhitespace }.contains(text.dropLast()) }
      shown.append((typed.count, clock.now))
    }
    // At once, or within the moment after which a pause has saved all.
    if round % 2 == 1 { usleep(UInt32.random(in: 0...400_000, using: &random)) }
    let killed = clock.now
    try kill(program)
    let kept = try program.drafts().first ?? ""
    let old = shown.last { $0.at.duration(to: killed) > .milliseconds(250) }?.count ?? 0
    #expect(typed.hasPrefix(kept))
    #expect(kept.count >= min(typed.count - 200, old), "kept \(kept.count) of \(typed.count)")
    let next = try program.run([], input: Array("q".utf8))
    #expect(kept.isEmpty || next.output.contains("1 draft kept: press a, then Up"))
  }

  @Test("a short text that rests for a moment is whole after a kill, also its second part")
  func resting() throws {
    let program = try Program()
    let session = try begin(program)
    var typed = ""
    for part in ["a few words", " and more"] {
      try session.type("-l", part)
      typed += part
      try session.wait("the text") { $0.contains("new: \(typed)") }
      #expect(try becomesTrue { try program.drafts() == [typed] })
    }
    try kill(program)
    #expect(try program.drafts() == [typed])
  }

  /// The program with its prompt open.
  private func begin(_ program: Program) throws -> TerminalSession {
    let script = "sh -c 'echo $$ > $HOME/pid; exec \(Program.binary.path)'; cat"
    let file = program.home.appending(path: "run")
    try Data(script.utf8).write(to: file)
    let session = try TerminalSession(program, command: "sh \(file.path)")
    try session.wait("the greeting") { $0.contains("This journal is empty") }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    return session
  }

  /// The signal is sent at once, but a process dies when it is next run.
  private func kill(_ program: Program) throws {
    _ = try program.shell(
      """
      pid=$(cat $HOME/pid); kill -9 $pid
      while [ -e /proc/$pid ] && ! grep -q '^State:.*Z' /proc/$pid/status; do :; done
      """)
  }
}

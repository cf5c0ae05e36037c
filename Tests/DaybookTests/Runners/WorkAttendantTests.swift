import Screen
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import daybook

/// One protocol for giving up long work.
struct WorkAttendantTests {
  /// Asks again and again, as long work does.
  private func ask(_ body: () throws -> Bool) rethrows -> Bool {
    let start = ContinuousClock.now
    while start.duration(to: .now) < .seconds(patience) { if try body() { return true } }
    return false
  }

  @Test("^C cancels a transaction and a query, and other keys are held until it is over")
  func cancelling() throws {
    let rig = try RunnerRig()
    var words: [String] = []
    rig.work.show = { words.append($0) }
    rig.type(Array("jj".utf8) + [3] + Array("k".utf8))
    let work = LongWork("deleting", for: rig.work)
    let failure = #expect(throws: Failure.self) {
      _ = try ask {
        try work.step(32, 1_000)
        return false
      }
    }
    #expect(failure?.message == "deleting was cancelled; nothing was changed")
    work.end()
    // The keys before ^C were typed for the cancelled work.
    #expect(rig.work.takeHeld() == [.input(Array("k".utf8))])
    func typedAhead() -> String? {
      let decoder = KeyDecoder(terminalKeys: [:])
      return TypedAhead.text(of: TypedAhead.events(of: rig.work.takeDropped(), decoder))
    }
    #expect(typedAhead() == nil)
    // A text among them is one for a draft.
    rig.type(Array("aNext words\r桜".utf8) + [3])
    let again = LongWork("deleting", for: rig.work)
    #expect(throws: Failure.self) {
      _ = try ask {
        try again.step(32, 1_000)
        return false
      }
    }
    again.end()
    #expect(typedAhead() == "aNext words\n桜")
    #expect(typedAhead() == nil)

    rig.type([3])
    let isCancelled = rig.work.cancellation("searching")
    #expect(ask(isCancelled))
  }

  @Test("any key interrupts a query for now, and stays to be read")
  func interrupting() throws {
    let rig = try RunnerRig()
    let isInterrupted = rig.work.interruption("searching")
    #expect(!isInterrupted())
    rig.type([0x6A])
    #expect(ask(isInterrupted))
    #expect(rig.work.takeHeld() == [])
  }

  @Test("work that takes long is shown, and keys from a pipe are never looked at")
  func showing() throws {
    let rig = try RunnerRig()
    var words: [String] = []
    rig.work.show = { words.append($0) }
    let isCancelled = rig.work.cancellation("searching")
    _ = ask {
      _ = isCancelled()
      return !words.isEmpty
    }
    #expect(words == ["searching, ^C cancels"])
    let piped = try RunnerRig(keysAreTyped: false)
    piped.type([3])
    #expect(throws: Never.self) { try LongWork("x", for: piped.work).checkNow() }
    #expect(!piped.work.cancellation("x")() && !piped.work.interruption("x")())
  }
}

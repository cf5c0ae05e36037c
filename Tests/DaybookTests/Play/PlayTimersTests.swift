import Testing

@testable import daybook

/// The clock of a script, and what a tour's entries are made of.
struct PlayTimersTests {
  @Test("a script that skips goes from one deadline to the next, in their order")
  func skipping() {
    var timers = Timers()
    timers.followScript(skipping: true)
    timers.set(.highlight, after: .milliseconds(1_500))
    timers.set(.key, after: .seconds(3_600))
    timers.set(.dayEnd, after: .seconds(7_200))
    #expect(timers.timeout == .zero)
    #expect(timers.takeDue() == [.highlight])
    #expect(timers.scriptTime == .milliseconds(1_500))
    #expect(timers.takeDue() == [.key])
    #expect(timers.scriptTime == .seconds(3_600))
    timers.set(.key, after: .seconds(1))
    #expect(timers.takeDue() == [.key])
    #expect(timers.scriptTime == .seconds(3_601))
  }

  @Test("a script that does not skip waits, and takes the time of what is due for its own")
  func waiting() {
    var timers = Timers()
    timers.followScript(skipping: false)
    timers.set(.key, after: .zero)
    timers.set(.dayEnd, after: .seconds(3_600))
    #expect(timers.takeDue() == [.key])
    #expect(timers.scriptTime == .zero)
    #expect(timers.takeDue() == [])
    let timeout = timers.timeout ?? .zero
    #expect(timeout > .seconds(3_000) && timeout <= .seconds(3_600))
  }

  @Test(
    "without a script nothing is due before its time, and a script that ends takes its key along")
  func leaving() {
    var timers = Timers()
    timers.set(.highlight, after: .seconds(3_600))
    #expect(timers.takeDue() == [])
    timers.followScript(skipping: true)
    timers.set(.key, after: .zero)
    timers.leaveScript()
    #expect(!timers.isSet(.key))
    #expect(timers.isSet(.highlight))
    #expect(timers.takeDue() == [])
    #expect(timers.scriptTime == .zero)
  }

  @Test("people's speeds are numbers and max")
  func speeds() {
    #expect(Speed(argument: "2")?.factor == 2)
    #expect(Speed(argument: "0.5")?.factor == 0.5)
    for text in ["0", "max"] { #expect(Speed(argument: text) != nil) }
    #expect(Speed(argument: "0")?.factor == nil)
    for text in ["-1", "x", "", "inf", "nan", "1001"] { #expect(Speed(argument: text) == nil) }
    let twice = Pace(speed: 2)
    #expect(twice.pause(after: .wait(milliseconds: 500)) == .milliseconds(250))
    #expect(Pace(hasRhythm: false).pause(after: .wait(milliseconds: 500)) == .milliseconds(500))
    #expect(Pace().pause(after: .say("x")) == .zero)
  }

  @Test("sample entries have days, times, stars and further lines; a wrong line is named")
  func samples() throws {
    let samples = try SampleEntry.read("# x\n2 09:15 * One #a\n\n  - two\n\n0 00:00 Three\n")
    #expect(samples.map(\.text) == ["One #a\n\n- two", "Three"])
    #expect(samples.map(\.days) == [2, 0])
    #expect(samples.map(\.minute) == [555, 0])
    #expect(samples.map(\.isStarred) == [true, false])
    #expect(throws: Failure(.badData, "sample entries:2: not \"DAYS HH:MM TEXT\"")) {
      try SampleEntry.read("0 08:00 a\nx")
    }
  }
}

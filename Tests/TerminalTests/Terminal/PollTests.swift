import Files
import Glibc
import Testing

/// The one place that waits for descriptors.
struct PollTests {
  @Test("a wait returns every request in its order, with those that are ready marked")
  func order() throws {
    let (quiet, ready) = try (Self.pipe(), Self.pipe())
    let ends = [quiet.reading, quiet.writing, ready.reading, ready.writing]
    defer { for end in ends { close(end) } }
    #expect(Descriptor.writeAll(ready.writing, [1]) == 0)
    var poll = Poll()
    let requests: [pollfd] = [
      .reading(nil), .reading(quiet.reading), .reading(ready.reading), .writing(quiet.writing),
      .ending(ready.writing),
    ]
    let found = try #require(try poll.wait(for: requests))
    #expect(found.map(\.fd) == requests.map(\.fd))
    #expect(found.map { $0.revents != 0 } == [false, false, true, true, false])
    #expect(found.allSatisfy { !$0.hasEnded })
  }

  @Test("a timeout returns nil")
  func timeout() throws {
    let quiet = try Self.pipe()
    defer { for end in [quiet.reading, quiet.writing] { close(end) } }
    var poll = Poll()
    #expect(try poll.wait(for: [.reading(quiet.reading)], milliseconds: 0) == nil)
    #expect(try poll.wait(for: [.reading(nil)], milliseconds: 0) == nil)
  }

  @Test("the other end's close is reported, also where no event was requested")
  func ended() throws {
    let pipe = try Self.pipe()
    defer { close(pipe.writing) }
    close(pipe.reading)
    var poll = Poll()
    let found = try #require(try poll.wait(for: [.ending(pipe.writing)]))
    #expect(found[0].hasEnded)
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(Glibc.pipe(&ends) == 0)
    return (ends[0], ends[1])
  }
}

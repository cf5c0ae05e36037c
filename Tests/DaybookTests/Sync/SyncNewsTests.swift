import Files
import Glibc
import Journal
import JournalSync
import Testing

@testable import daybook

@Suite("News of a synchronisation in the background")
struct SyncNewsTests {
  private let all: [SyncNews] = [
    .progressed(.transfer(GitProgress(.sending, done: 3, total: 40))),
    .progressed(.transfer(GitProgress(.connecting))), .progressed(.merging(7)),
    .progressed(.writing(1, of: 2)), .progressed(.applying(9, of: 1_000_000)),
    .progressed(.file(1 << 20, of: 1 << 30)),
    .ended(.done("sent 1, received 2")), .ended(.failed("a \"word\"\nand\u{2028}another 日本")),
    .ended(.cancelled),
  ]

  private func pipe() throws -> (reading: Int32, writing: Int32) {
    let ends = try Descriptor.pipe()
    #expect(fcntl(ends.reading, F_SETFL, O_NONBLOCK) == 0)
    return ends
  }

  @Test("arrive as they were written, at once and byte by byte", arguments: [false, true])
  func roundTrip(isSplit: Bool) throws {
    for news in all {
      let (source, target) = (try pipe(), try pipe())
      SyncNewsWriter(source.writing).write(news)
      close(source.writing)
      let bytes = Descriptor.readAll(source.reading, limit: 1 << 16).bytes
      #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1)
      var reader = SyncNewsReader(target.reading)
      var found: [SyncNews] = []
      for part in isSplit ? bytes.map({ [$0] }) : [bytes] {
        #expect(Descriptor.writeAll(target.writing, part) == 0)
        found += reader.read()
        #expect(!reader.isAtEnd)
      }
      #expect(found == [news])
      close(target.writing)
      // A program that another test starts has the other end, too, until it runs.
      var end = pollfd(fd: target.reading, events: Int16(POLLIN), revents: 0)
      #expect(poll(&end, 1, 60_000) == 1)
      #expect(reader.read().isEmpty && reader.isAtEnd)
      for descriptor in [source.reading, target.reading] { close(descriptor) }
    }
  }

  @Test("of a screen that does not read: the synchronisation never waits, and its end arrives")
  func unread() throws {
    let ends = try pipe()
    let writer = SyncNewsWriter(ends.writing)
    for count in 0..<10_000 { writer.write(.progressed(.merging(count))) }
    writer.write(.ended(.cancelled))
    var reader = SyncNewsReader(ends.reading)
    #expect(reader.read() == [.progressed(.merging(0)), .ended(.cancelled)])
    for descriptor in [ends.reading, ends.writing] { close(descriptor) }
  }

  @Test("other lines are left out")
  func foreignLines() throws {
    let ends = try pipe()
    #expect(Descriptor.writeAll(ends.writing, Array("malloc: failed\n{}\n\n".utf8)) == 0)
    SyncNewsWriter(ends.writing).write(.ended(.cancelled))
    var reader = SyncNewsReader(ends.reading)
    #expect(reader.read() == [.ended(.cancelled)])
    for descriptor in [ends.reading, ends.writing] { close(descriptor) }
  }

  @Test("an outcome is recorded in a line that reads as the same outcome")
  func recorded() {
    for outcome in [SyncOutcome.done("sent 3"), .failed("no space"), .cancelled] {
      #expect(SyncOutcome(outcome.text) == outcome)
    }
    #expect(SyncOutcome.failed("x").text == "failed: x")
  }
}

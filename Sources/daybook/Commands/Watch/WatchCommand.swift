import ArgumentParser
import Glibc
import TerminalUI

/// `daybook watch`: the live list.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the list as JSON Lines, then a line for each change to it, as it happens.",
    discussion: """
      The first line is a reset with all sections and rows. Each later line is one committed change,
      whichever program made it: indexes of deleted sections, rows and "from" refer to the list
      before it, all others to the list after it; "counts" is rows per section afterwards. Where a
      change cannot be told, another reset follows. Dates in the query are those of the start.

      It runs until it is interrupted or nobody reads any more, and sleeps in between.

      Examples:
        daybook watch
        daybook watch '#work' --section tag --full
        daybook watch --limit 1 --section none | while read -r line; do notify-send "$line"; done
      """)

  @Flag(help: "Print rows with their text.") var full = false
  @OptionGroup var options: GlobalOptions
  @OptionGroup var list: ListOptions

  func run() throws {
    try Output.checkOpen()
    let request = try list.request(pageSize: 512)
    // A shell starts background programs with SIGINT ignored; this one is to end by it all the same.
    signal(SIGINT, SIG_DFL)
    let output = LiveOutput(signals: try SignalPipe())
    let follower = try JournalFollower(options, request, isFull: full, output: output)
    do {
      try follower.run()
    } catch let ended as LiveOutput.Ended {
      if ended.code != 0 { throw Failure(exitCode: ended.code, "") }
    }
  }
}

import ArgumentParser
import Journal
import TerminalUI

/// `daybook demo`: the tour.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play a tour of under a minute on a throw-away journal.",
    discussion: """
      The journal has sample entries and is gone afterwards; yours is not
      touched. Any key stops the tour and lets you try things yourself. With a
      file that key script is played instead.

      Examples:
        daybook demo
        daybook demo --speed 2
        daybook demo my-own.keys
      """)

  @Argument(
    help: ArgumentHelp("A key script to play instead of the tour.", valueName: "file"),
    completion: .file(extensions: ["keys"]))
  var file: String?

  @OptionGroup var play: PlayOptions
  @OptionGroup var options: GlobalOptions

  // The clock of pictures that are compared with older ones.
  @Option(help: .hidden) var now: String?

  func validate() throws {
    if options.journal != nil || options.readOnly {
      throw ValidationError(
        "The demo has a journal of its own; leave --journal and --read-only out.")
    }
    if let now, Moment(now) == nil { throw ValidationError("--now: not a moment") }
  }

  func run() throws {
    let steps =
      if let file { try KeyFile.steps(file) } else {
        try KeyFile.steps(PackageResources.demo_keys, name: "demo.keys")
      }
    // Looked at before anything is made; and a signal that comes from here on is heard by the loop,
    // so that the folder is removed all the same.
    let playback = try play.playback(
      steps, title: "daybook demo", waits: false, handsOver: true,
      configuration: Configuration())
    let signals = try SignalPipe()
    let journal = try DemoJournal(now: now.flatMap { Moment($0) })
    defer { journal.remove() }
    var screen = Screen()
    screen.journal = journal.path
    screen.color = options.color
    screen.frames = play.frames
    screen.clock = journal.clock
    screen.playback = playback
    screen.configuration = Configuration()
    try withExtendedLifetime(signals) { try screen.open() }
  }
}

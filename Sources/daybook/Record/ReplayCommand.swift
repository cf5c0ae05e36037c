import ArgumentParser
import Glibc
import Journal
import Screen
import Terminal

/// `daybook replay`: shows a recorded run again.
struct ReplayCommand: ParsableCommand, WordOrdering {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show a recorded run of the screen again.",
    discussion: """
      The file is a record of daybook --record FILE. Its events are repeated without
      a journal: nothing is opened, changed or run. A record has all that was typed
      and shown, in the clear.

      On a terminal each key shows the next frame. Without one, the last frame is
      printed as text. A frame that is not the recorded one, as after a change of the
      program, is reported, and the exit code is 1.

      Examples:
        daybook replay report.jsonl
        daybook replay report.jsonl --frame 17 --dump-state
        daybook replay report.jsonl --frames > frames.txt
        daybook replay report.jsonl --keys > report.keys
      """.reflowed)

  static let wordOrder = WordOrder.plain

  @Argument(
    help: ArgumentHelp("The record.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var file: String

  @Flag(help: "Print every distinct frame, separated by form feeds, not only the last.")
  var frames = false

  @Option(help: ArgumentHelp("Stop after the frame with this number.", valueName: "number"))
  var frame: Int?

  @Flag(help: "Print the pressed keys as a key script, for daybook play.") var keys = false

  @OptionGroup var dump: DumpOptions
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    if options.journal != nil || options.readOnly {
      throw ValidationError("a record needs no journal; omit --journal and --read-only")
    }
    if let frame, frame < 1 { throw ValidationError("--frame: frames count from 1") }
    if keys, frames || frame != nil || dump.dumpState {
      throw ValidationError("--keys prints the keys only; omit the other options")
    }
  }

  func run() throws {
    let record = try Record(path: file)
    TerminalLocale.adopt()
    // Dates of a format of the user's are written in the language of the record.
    if setlocale(LC_TIME, record.header.locale) == nil {
      Console.complain(
        "\(file): this system has no locale \(record.header.locale); dates may differ")
    }
    if keys {
      try Console.print(record.script)
    } else if !frames, frame == nil, !dump.dumpState, isatty(STDOUT_FILENO) == 1,
      StandardInput.isTerminal
    {
      try ReplayViewer(record, color: options.color).run()
    } else {
      try printFrames(of: record)
    }
    if let problem = record.problem { throw problem }
  }

  private func printFrames(of record: Record) throws {
    let player = RecordPlayer(record)
    let display = PlainDisplay(everyPicture: frames)
    var isAtEnd = false
    while player.frames != frame, !isAtEnd {
      isAtEnd = try !player.step()
      if !isAtEnd, frames || !dump.dumpState, let frame = player.frame { try display.show(frame) }
    }
    try display.end()
    if dump.dumpState, let state = player.state { try dump.print(state) }
    if record.problem != nil { return }
    if let frame, player.frames < frame {
      throw Failure(.usage, "\(file): has only \(Numbers.grouped(player.frames)) frames")
    }
    guard let first = player.different.first else { return }
    let programs =
      record.header.program == Release.version
      ? "" : "; it was made by daybook \(record.header.program), this is \(Release.version)"
    throw Failure(
      .notDone,
      "\(file): \(player.different.count) of \(player.frames) frames are not as recorded, the first is"
        + " frame \(first)\(programs)")
  }
}

/// Options for printing the state of the screen.
struct DumpOptions: ParsableArguments {
  @Flag(
    help: "Print the state of the screen at the end, each text as its number of characters.")
  var dumpState = false

  @Flag(help: "Print the texts in it, too; with --dump-state.")
  var dumpTexts = false

  func validate() throws {
    if dumpTexts, !dumpState { throw ValidationError("--dump-texts needs --dump-state") }
  }

  /// Prints a state.
  ///
  /// - Throws: ``Output/Closed`` or ``Failure`` 74.
  func print(_ state: State) throws {
    try Console.print(StateDump(showsTexts: dumpTexts).text(of: state))
  }
}

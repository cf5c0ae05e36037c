import ArgumentParser

/// `daybook play`: a key script on the journal.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a key script on the journal.",
    discussion: """
      The file holds what is to be typed: text as it is, keys as <Enter> <Esc>
      <Tab> <BS> <Space> <Up> <C-x> <A-Enter> <F1>, a plain < as <lt>.
      <Paste>...</Paste> pastes, <Wait 500ms> waits, <Say text> shows a caption,
      and <Run add 'a text'> has another process run a command on the same
      journal. Line ends are ignored; lines starting with # are comments. At the
      end the program quits; text that stands in the prompt is kept as a draft.

      On a terminal it plays at the speed of a person, and any key stops it.
      Without one the final screen is printed, and only what is written as a wait
      takes time.

      Examples:
        daybook play morning.keys
        echo 'aBought bread #home<Enter>' | daybook play -
        daybook play tour.keys --cast tour.cast --speed 2
      """)

  @Argument(
    help: ArgumentHelp("The key script; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["keys"]))
  var file: String

  @OptionGroup var play: PlayOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let steps = try KeyFile.steps(file)
    var screen = Screen()
    screen.journal = options.journal
    screen.readOnly = options.readOnly
    screen.color = options.color
    screen.frames = play.frames
    screen.playback = try play.playback(
      steps, title: "daybook play \(file)", waits: true, handsOver: false,
      configuration: .ofUser)
    try screen.open()
  }
}

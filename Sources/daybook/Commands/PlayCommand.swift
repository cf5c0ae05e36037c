import ArgumentParser
import Journal
import Screen
import Terminal
import TextLayout

/// `daybook play`: plays a key script on the journal.
struct PlayCommand: ParsableCommand, WordOrdering {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a key script on the journal.",
    discussion: """
      The file contains the text to type, and keys such as <Enter> <Esc>
      <Tab> <BS> <Space> <Up> <C-x> <A-Enter> <F1>, a plain < as <lt>.
      <Paste>...</Paste> pastes, <Wait 500ms> waits, <Say text> shows a caption,
      and <Run add 'a text'> runs a command on the same journal, as another
      program would. Line ends are ignored; lines starting with # are comments. At the
      end the program quits; text in the prompt is kept as a draft.

      On a terminal it plays at the speed of a person, and any key stops it.
      Without one, the final screen is printed, and only <Wait> takes
      time.

      Examples:
        daybook play morning.keys
        echo 'aBought bread #home<Enter>' | daybook play -
        daybook play tour.keys --cast tour.cast --speed 2
      """.reflowed)

  static let wordOrder = WordOrder.plain

  @Argument(
    help: ArgumentHelp("The key script; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["keys"]))
  var file: String

  @OptionGroup var play: PlayOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let steps = try KeyFile.steps(file)
    let configuration = try play.configuration(.ofUser)
    var screen = FullScreen()
    screen.journal = options.journal
    screen.readOnly = options.readOnly
    screen.color = options.color
    screen.frames = play.frames
    screen.isLinear = play.linear
    screen.configuration = configuration
    screen.playback = try play.playback(
      steps, title: "daybook play \(file)", waits: true, handsOver: false,
      configuration: configuration)
    try screen.open()
  }
}

/// `daybook demo`: plays the tour.
struct DemoCommand: ParsableCommand, WordOrdering {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play a tour of under a minute on a temporary journal.",
    discussion: """
      The journal has sample entries and is removed afterwards; yours is not
      touched. Any key stops the tour, and you can try things yourself. A key
      script is played instead if you name one.

      Examples:
        daybook demo
        daybook demo --speed 2
        daybook demo my-own.keys
      """.reflowed)

  static let wordOrder = WordOrder.plain

  @Argument(
    help: ArgumentHelp("A key script to play instead of the tour.", valueName: "file"),
    completion: .file(extensions: ["keys"]))
  var file: String?

  @OptionGroup var play: PlayOptions
  @OptionGroup var options: GlobalOptions

  // A fixed clock makes pictures comparable with older ones.
  @Option(help: .hidden) var now: String?

  func validate() throws {
    if options.journal != nil || options.readOnly {
      throw ValidationError(
        "the demo has a journal of its own; omit --journal and --read-only")
    }
    if let now, Moment(now) == nil { throw ValidationError("--now: not a moment") }
  }

  func run() throws {
    let steps =
      if let file { try KeyFile.steps(file) } else {
        try KeyFile.steps(PackageResources.demo_keys, name: "demo.keys")
      }
    // Options are checked before the directory is made. The loop handles any signal from here on,
    // so the directory is removed in any case.
    let configuration = try play.configuration(Configuration())
    let playback = try play.playback(
      steps, title: "daybook demo", waits: false, handsOver: true, configuration: configuration)
    let signals = try SignalPipe()
    let journal = try DemoJournal(now: now.flatMap { Moment($0) })
    var screen = FullScreen()
    screen.journal = journal.path
    screen.color = options.color
    screen.frames = play.frames
    screen.isLinear = play.linear
    screen.clock = journal.clock
    screen.playback = playback
    screen.configuration = configuration
    try withExtendedLifetime((signals, journal)) { try screen.open() }
  }
}

/// Options for playing a script and recording it.
struct PlayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Play N times as fast as a person types; 0 or max plays without waits.", valueName: "factor"))
  var speed: Speed?

  @Flag(help: "Print every distinct screen, separated by form feeds, not only the last.")
  var frames = false

  @Flag(help: "Say one line for each thing that happens, for screen readers; nothing is drawn.")
  var linear = false

  @Option(
    help: ArgumentHelp(
      "Record the screens as asciinema v2, by the script's own clock.", valueName: "file"),
    completion: .file())
  var cast: String?

  @Flag(help: "Replace an existing file.") var force = false

  // Options for `make pictures` only: the last screen, all screens with their times, the colours of
  // the terminal.
  @Option(help: .hidden) var svg: String?
  @Option(help: .hidden) var animation: String?
  @Option(help: .hidden) var paper: Paper = .light

  @Option(
    help: ArgumentHelp("Use this theme, also in recordings.", valueName: "name"),
    completion: .themes)
  var theme: String?

  /// A configuration with the theme of the option, if any.
  ///
  /// - Throws: ``Failure`` 64 for a theme that does not exist.
  func configuration(_ configuration: Configuration) throws(Failure) -> Configuration {
    guard let theme else { return configuration }
    return try configuration.using(theme: theme)
  }

  /// A playback of steps.
  ///
  /// - Throws: ``Failure`` 64 for a theme that does not exist, 73 for a file that exists.
  func playback(
    _ steps: [KeyFileStep], title: String, waits: Bool, handsOver: Bool,
    configuration: Configuration
  ) throws -> Playback {
    Playback(
      steps, speed: speed, waits: waits && cast == nil, handsOver: handsOver,
      recording: try recording(title: title, configuration))
  }

  private func recording(
    title: String, _ configuration: Configuration
  ) throws -> Recording? {
    guard cast != nil || svg != nil || animation != nil else { return nil }
    let new = { [force] path throws(Failure) in try NewFile(path, replacing: force) }
    let files = Recording.Files(
      cast: try cast.map(new), drawing: try svg.map(new), animation: try animation.map(new),
      paper: paper)
    return try Recording(
      theme: configuration.settings.theme, of: configuration.themes, title: title, files: files)
  }
}

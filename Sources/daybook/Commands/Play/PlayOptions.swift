import ArgumentParser
import JournalApp
import TerminalUI

/// How a script is played and what is recorded of it.
struct PlayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Play so many times as fast as a person; 0 or max without any wait.", valueName: "factor"))
  var speed: Speed?

  @Flag(help: "Print every distinct screen, separated by form feeds, not only the last.")
  var frames = false

  @Option(
    help: ArgumentHelp(
      "Record the screens as asciinema v2, by the script's own clock.", valueName: "file"),
    completion: .file())
  var cast: String?

  @Flag(help: "Replace a file that is there.") var force = false

  // What `make screenshots` needs, and nobody else.
  @Option(help: .hidden) var svg: String?
  @Option(help: .hidden) var paper: Paper = .light
  @Option(help: .hidden) var theme: String?

  /// A playback of steps.
  ///
  /// - Throws: ``Failure`` 64 for a theme that does not exist, 73 for a file that does.
  func playback(
    _ steps: [KeyScript.Step], title: String, waits: Bool, handsOver: Bool,
    configuration: Configuration
  ) throws -> Playback {
    Playback(
      steps, speed: speed, waits: waits && cast == nil, handsOver: handsOver,
      recording: try recording(title: title, configuration))
  }

  private func recording(
    title: String, _ configuration: Configuration
  ) throws -> Recording? {
    guard cast != nil || svg != nil else { return nil }
    let casting = try cast.map { path throws(Failure) in try NewFile(path, replacing: force) }
    let drawing = try svg.map { path throws(Failure) in try NewFile(path, replacing: force) }
    return try Recording(
      theme: theme ?? configuration.settings.theme, of: configuration.themes, title: title,
      cast: casting, drawing: drawing.map { ($0, paper) })
  }
}

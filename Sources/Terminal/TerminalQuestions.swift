import CNcurses
import TextLayout

/// The questions to the terminal, and its answers.
extension Terminal {
  /// Whether Esc and keys with Alt have bytes that cannot be anything else.
  package var tellsKeysApart: Bool { isEntered && features.held.contains(.keyboard) }

  /// Asks the terminal what it can do; the answers are ``TerminalReport``s among the keys.
  ///
  /// Nothing waits for them: a terminal that does not answer costs nothing.
  ///
  /// - Parameters:
  ///   - isFollowed: whether its background and changes of it matter.
  ///   - pictures: whether it may draw pictures.
  package func ask(background isFollowed: Bool, pictures: Bool = false) {
    guard inputIsTerminal, description.isFamily, !hasEnded, !isReleased else { return }
    followsBackground = isFollowed && colorProfile >= .ansi
    for feature in [TerminalFeature.scheme, .keyboard] {
      want(feature, feature == .keyboard || followsBackground)
    }
    // The alternate screen comes first: a terminal that prints a question must not print it on the other.
    if shown == nil {
      wnoutrefresh(daybook_stdscr())
      doupdate()
    }
    // tmux and screen take the question for a title; what shows tmux is known without it.
    let isMultiplexer = ["tmux", "screen", "rxvt"].contains(where: description.name.hasPrefix)
    let asksForPictures = pictures && mayDrawPictures
    // One of eight colours may be old, and print what it does not know.
    let isPlain = isMultiplexer || colorProfile < .indexed
    mayDrawPixels = mayDrawPixels || asksForPictures
    send(
      TerminalFeatures.questions(
        followsBackground: followsBackground,
        pictures: asksForPictures ? isPlain ? [.sixel] : [.pictures, .sixel] : []))
    forgetScreen()
  }

  /// Follows the terminal's background from now on, or no longer.
  package func follow(background isFollowed: Bool) {
    guard isFollowed != followsBackground, inputIsTerminal, description.isFamily else { return }
    if isFollowed { return ask(background: true) }
    followsBackground = false
    for feature in [TerminalFeature.scheme, .focus] { want(feature, false) }
  }

  private func send(_ questions: [UInt8]) {
    write(questions)
    asked = .now
    unanswered += 1
  }

  /// Asks for the background alone, which may have changed.
  private func askForBackground() {
    send(TerminalFeature.background.question + TerminalFeature.lastQuestion)
  }

  /// Takes what the terminal says about itself.
  ///
  /// - Returns: its background, if that is news.
  package func take(_ report: TerminalReport) -> UInt32? {
    guard !hasEnded, !isReleased else { return nil }
    found(report)
    switch report {
    case .background(let color):
      background = color
      return color
    case .attributes:
      beginOverlaying()
      unanswered = max(0, unanswered - 1)
      if unanswered == 0 { asked = nil }
      // Without news of its colours, they are asked for when the window gets the keyboard.
      want(.focus, followsBackground && background != nil && !features.has(.scheme))
    case .scheme(let isDark):
      guard followsBackground else { return nil }
      guard background != nil else { return isDark ? 0x000000 : 0xFFFFFF }
      // The answer at the start, after that of the background, is no change.
      if unanswered == 0 { askForBackground() }
    case .focus(true):
      if features.held.contains(.focus), unanswered == 0 { askForBackground() }
    case .cell(let cell): answeredCell = cell
    case .colors(let count): answeredColors = count
    case .focus, .mode, .keyboard, .graphics, .name: break
    }
    return nil
  }

  private func found(_ report: TerminalReport) {
    var feature: TerminalFeature?
    change { feature = $0.take(report) }
    if feature == .pictures { kitty = KittyPictures(.direct, profile: colorProfile) }
    guard let feature, isEntered else { return }
    if features.held.contains(feature) { write(feature.on) }
    if feature == .clusters {
      write(features.clusteringAlone)
      // Sequences on the screen are drawn whole.
      shown = nil
    }
  }

  /// Whether an answer may be under way.
  package var awaitsAnswer: Bool { asked.map { $0.duration(to: .now) < .seconds(2) } ?? false }
}

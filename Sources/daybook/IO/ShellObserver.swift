import Files
import Glibc
import Terminal
import TextLayout

/// The person at a shell: progress is a line on standard error; SIGINT, SIGTERM and similar signals
/// cancel work.
final class ShellObserver: WorkObserver {
  private let descriptor: Int32
  private var shownColumns = 0
  /// Whether the terminal cannot draw over a line; it gets a new one every two seconds at most.
  private let isDumb = ["dumb", ""].contains(Places.variable("TERM") ?? "")
  private var lastLine: ContinuousClock.Instant?
  private var tab: ProgressTerminal?

  /// - Parameter descriptor: where progress is shown, if it is a terminal.
  init(descriptor: Int32 = STDERR_FILENO) {
    self.descriptor = descriptor
    isWatched = isatty(descriptor) == 1
    tab = ProgressTerminal(descriptor: descriptor, isGuarded: true)
  }

  let isWatched: Bool

  func show(progress line: String?, share: Double?) {
    if isDumb {
      guard let line, lastLine.map({ $0.duration(to: .now) >= .seconds(2) }) ?? true else { return }
      lastLine = .now
      return write("\(Sanitizer.plainLine(line))\n")
    }
    guard let line else {
      tab?.clear()
      guard shownColumns > 0 else { return }
      write("\r" + TextFit.spaces(shownColumns) + "\r")
      shownColumns = 0
      return
    }
    // A line that is too wide could not be erased.
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
    let shown = String(Sanitizer.plainLine(line).prefix(isKnown ? Int(size.ws_col) - 1 : 79))
    write("\r\(shown)\(TextFit.spaces(shownColumns - shown.count))")
    shownColumns = shown.count
    tab?.show(share: share)
  }

  private func write(_ text: String) {
    _ = Descriptor.writeAll(descriptor, Array(text.utf8))
  }

  func listen() throws -> any CancellationSource { try EndingSignals.shared() }
}

/// The signals that end a program, caught to cancel work; a second one ends the program at once.
private final class EndingSignals: CancellationSource {
  private let signals: SignalPipe

  // Commands run on the main thread only. A process has one pipe, which nested work shares.
  nonisolated(unsafe) private static weak var current: EndingSignals?

  static func shared() throws -> EndingSignals {
    if let current { return current }
    let made = EndingSignals(try SignalPipe())
    current = made
    return made
  }

  private init(_ signals: SignalPipe) { self.signals = signals }

  var descriptors: [Int32] { [signals.descriptor] }

  func check(_ work: String, outcome: String) throws {
    for signal in signals.drain() {
      switch signal {
      case .interrupt, .terminate, .hangUp, .quit:
        throw Failure(exitCode: 128 + signal.number, "interrupted; \(outcome)")
      case .stop: raise(SIGSTOP)
      case .windowChanged, .continued: break
      }
    }
  }
}

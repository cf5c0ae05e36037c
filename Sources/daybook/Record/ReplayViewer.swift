import Glibc
import Screen
import Terminal
import TextLayout

/// Shows a record on a terminal, frame by frame.
final class ReplayViewer {
  private let record: Record
  private var player: RecordPlayer
  private let display: TerminalDisplay
  private let loop: EventLoop
  private var decoder: KeyDecoder
  private let themes: ThemeLibrary
  private var theme = ""
  /// The number of frames of the record.
  private let count: Int
  /// Whether the frames follow each other by themselves.
  private var isPlaying = false
  private var hasQuit = false

  /// The longest pause while it plays, in milliseconds.
  private static let longestPause = 1_500

  /// Takes the terminal.
  ///
  /// - Throws: `TerminalError`, and the errors of signals.
  init(_ record: Record, color: GlobalOptions.Color) throws {
    self.record = record
    player = RecordPlayer(record)
    count = try Self.frames(of: record)
    let configuration = Configuration.ofUser
    themes = configuration.themes
    loop = EventLoop(input: STDIN_FILENO, output: STDOUT_FILENO, signals: try SignalPipe())
    display = try TerminalDisplay(color: color, theme: configuration.theme().theme, mouse: false)
    loop.unread(display.typedAhead)
    decoder = KeyDecoder(terminalKeys: display.keys)
  }

  private static func frames(of record: Record) throws -> Int {
    let player = RecordPlayer(record)
    while try player.step() {}
    return player.frames
  }

  /// Shows frames until a key leaves it.
  ///
  /// - Throws: the errors of the display.
  func run() throws {
    defer { display.end() }
    _ = try player.step()
    while !hasQuit {
      show()
      let pause = isPlaying ? try nextPause() : nil
      let wait = decoder.isWaiting ? KeyDecoder.escapeDelay : pause
      for event in loop.wait(timeout: wait) where !hasQuit { try handle(event) }
    }
  }

  private func handle(_ event: LoopEvent) throws {
    switch event {
    case .input(let bytes): try press(decoder.feed(bytes))
    case .timer where decoder.isWaiting: try press(decoder.timeOut())
    case .timer: if isPlaying, try !player.step() { isPlaying = false }
    case .inputEnded: hasQuit = true
    case .signal(.stop): display.suspend()
    case .signal(.continued): display.resume()
    case .signal(let signal): hasQuit = signal.endsProgram || signal == .interrupt
    case .readable: break
    }
  }

  private func press(_ events: [KeyEvent]) throws {
    for case .stroke(let stroke) in events {
      let wasPlaying = isPlaying
      isPlaying = false
      switch stroke.name {
      case "q", "<Esc>", "<C-c>", "<C-d>": hasQuit = true
      case "p": isPlaying = !wasPlaying
      case "<BS>", "<Left>", "<Up>", "k", "h", "b": try go(to: player.frames - 1)
      case "g", "<Home>": try go(to: 1)
      case "G", "<End>": try go(to: count)
      default: _ = try player.step()
      }
    }
  }

  /// Goes to a frame by its number; earlier ones are played again from the beginning.
  private func go(to number: Int) throws {
    if number < player.frames { player = RecordPlayer(record) }
    while player.frames < max(1, number), try player.step() {}
  }

  /// The time until the next frame.
  private func nextPause() throws -> Duration {
    let now = player.time
    let next = record.lines[min(player.next, record.lines.count)...].first {
      $0.line.checksum != nil
    }
    return .milliseconds(min(max(0, (next?.at ?? now) - now), Self.longestPause))
  }

  /// Draws the frame, and on the last line of the terminal where it is in the record.
  private func show() {
    if let name = player.state?.settings.theme, name != theme {
      theme = name
      if let found = try? themes.theme(named: name) { display.use(found) }
    }
    let size = display.size
    var canvas = Canvas(width: size.columns, height: size.lines)
    if let frame = player.frame { canvas.draw(frame.canvas) }
    let seconds = player.time / 1_000
    let clock = "\(seconds / 60):\(String(100 + seconds % 60).dropFirst())"
    let place = "frame \(player.frames) of \(count)  \(clock)"
    let differs = player.different.last == player.frames ? "  not as recorded" : ""
    let keys = player.keys.isEmpty ? "" : "  \(player.keys.suffix(20))"
    let help = "  Space next  BS back  p \(isPlaying ? "stop" : "play")  q quit"
    let row = size.lines - 1
    canvas.fill(
      CanvasRect(column: 0, row: row, width: size.columns, height: 1), style: Style(.status))
    canvas.draw(
      TextFit.cut(place + differs + help + keys, columns: size.columns - 1), at: 0, row: row,
      style: Style(.status, bold: true))
    let cursor = player.frame?.cursor.flatMap { $0.row < row ? $0 : nil }
    display.show(Frame(canvas: canvas, cursor: cursor))
  }
}

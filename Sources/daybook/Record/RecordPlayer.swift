import Screen
import TextLayout

/// Repeats a recorded run: its events through `update`, its frames through the view.
///
/// No effect is carried out: what came of them is in the record. So no journal, file, program or network
/// is touched.
final class RecordPlayer {
  private let record: Record
  /// The index of the next line.
  private(set) var next = 0
  /// The state after the last event; `nil` before the opening.
  private(set) var state: State?
  /// The last frame.
  private(set) var frame: Frame?
  /// The number of frames so far.
  private(set) var frames = 0
  /// The numbers of the frames that differ from the recorded ones.
  private(set) var different: [Int] = []
  /// The keys since the frame before the last one.
  private(set) var keys = ""
  private var keyTable = KeyTable.standard
  private var painter: ScreenPainter?
  private var answers = RecordedAnswers()
  private let display = FrameDisplay()

  init(_ record: Record) { self.record = record }

  /// The time of the last frame, in milliseconds.
  var time: Int { next == 0 ? 0 : record.lines[next - 1].at }

  /// Goes to the next frame.
  ///
  /// A record that ends between two frames, as that of a program that crashed, has a last frame of its
  /// last state.
  ///
  /// - Returns: `false` at the end.
  /// - Throws: the errors of the display.
  func step() throws -> Bool {
    keys = ""
    var hasChanged = false
    while next < record.lines.count {
      let line = record.lines[next].line
      next += 1
      try play(line)
      if let sum = line.checksum {
        frames += 1
        if frame?.checksum != sum { different.append(frames) }
        return true
      }
      if case .event = line { hasChanged = true }
      if case .end = line { hasChanged = false }
    }
    guard hasChanged else { return false }
    try draw()
    frames += 1
    return true
  }

  private func play(_ line: RecordLine) throws {
    switch line {
    case .opening(let opening): state = State(opening, catalog: .ofProgram)
    case .pressed(let pressed): keys += pressed
    case .event(let event):
      guard var state else { return }
      self.state = nil
      // The effects are in the past.
      _ = update(&state, event, keys: keyTable)
      self.state = state
    case .screen(let keys):
      keyTable = keys ?? .standard
      painter = ScreenPainter(FrameSource(answers), on: display, keys: keyTable) { true }
    case .row(let path, let row): answers.rows[path] = row
    case .days(let asked, let several):
      answers.daysWithSeveralOffsets.subtract(asked)
      answers.daysWithSeveralOffsets.formUnion(several)
    case .total(let section, let total): answers.totals[section] = total
    case .away(let moments): moments.forEach(answers.away.insert)
    case .excerpts(let reading): painter?.take(reading)
    case .picture(let key, let picture):
      if let pixels = picture.pixels { painter?.take(pixels, for: key) }
    case .frame: try draw()
    case .work(let word, _):
      if let state { painter?.show(work: word, over: state) }
    case .lock(let isNew, _):
      if isNew { painter?.invalidate() }
      if let state { painter?.showLock(over: state) }
    case .end: break
    }
    frame = display.frame
  }

  /// Draws the state, also an equal one: its rows may have changed.
  private func draw() throws {
    guard let state else { return }
    painter?.invalidate()
    _ = try painter?.show(state)
    frame = display.frame
  }
}

/// Keeps the last frame.
private final class FrameDisplay: Display {
  private(set) var frame: Frame?
  let wantsEveryPicture = false
  let keys: [String: [UInt8]] = [:]

  var size: Size {
    Size(columns: frame?.canvas.width ?? 0, lines: frame?.canvas.height ?? 0)
  }

  func show(_ picture: Frame) { frame = picture }
  func redraw() {}
  func copy(_ text: String) {}
  func use(_ theme: Theme) {}
  func hear(mouse isHeard: Bool) {}
  func suspend() {}
  func resume() {}
  func outside<Value>(_ body: () throws -> Value) throws -> Value { try body() }
  func end() {}
}

import Screen
import Terminal
import TextLayout

/// Turns keys and signals into events, through the open prompt or by key name.
final class KeyInput {
  private unowned let loop: ScreenLoop
  private let display: any Display
  private let work: WorkAttendant
  /// The bindings.
  var keys: KeyTable
  private var decoder: KeyDecoder
  /// Whether the remaining keys of this read are dropped.
  private var dropsTypedAhead = false
  /// Keys of somebody who types on without having seen a question.
  private var typist = Typist()
  var now: () -> ContinuousClock.Instant = { .now }
  /// Whether a question was open after the last keys, and when those came.
  private var (wasAsking, lastKey): (Bool, ContinuousClock.Instant?) = (false, nil)
  /// When the last bytes of a paste came, and when those came that wait to be shown.
  private var paste: (last: ContinuousClock.Instant, waiting: ContinuousClock.Instant?)?
  /// The number of keys so far, for the messages of a script.
  private var keyCount = 0

  init(loop: ScreenLoop, display: any Display, work: WorkAttendant, keys: KeyTable) {
    self.loop = loop
    self.display = display
    self.work = work
    self.keys = keys
    decoder = KeyDecoder(terminalKeys: display.keys)
  }

  /// Takes a single ESC as the key, after the time for more bytes.
  func endEscape() {
    for event in decoder.timeOut() { press(event) }
    keepTypedAhead([])
  }

  /// Handles an event of the loop.
  ///
  /// - Throws: the errors of a display that shows every frame.
  func handle(_ event: LoopEvent) throws {
    switch event {
    case .input where loop.isPlaying: loop.stopPlaying()
    case .input(let bytes):
      loop.timers.set(.escape, after: nil)
      decoder.expectsAnswer = display.awaitsAnswer
      if isEndOfPaste(bytes) { try press(decoder.endPaste()) }
      try press(decoder.feed(bytes).map(meant))
      try waitForPaste()
      // Bytes from a pipe have no timing: those after ESC belong to its sequence.
      if decoder.isWaiting, loop.state.environment.keysAreTyped {
        loop.timers.set(.escape, after: KeyDecoder.escapeDelay)
      }
    case .inputEnded:
      try press(decoder.finish().map(meant))
      loop.send(.terminal(.inputEnded))
    case .signal(let signal):
      // A text that has arrived is there for whatever ends the program.
      if signal.endsProgram || signal == .stop { try press(decoder.takePart()) }
      handle(signal)
    case .readable(let descriptor): loop.handle(readable: descriptor)
    case .timer: break
    }
  }

  /// Whether a key ends a paste whose end the terminal has not sent: one that comes alone, after a pause.
  private func isEndOfPaste(_ bytes: [UInt8]) -> Bool {
    guard decoder.isPasting, let last = paste?.last, last.duration(to: .now) >= Self.pastePause
    else { return false }
    return decoder.isWayOut(bytes)
  }

  /// Shows a part of a paste that arrives slowly, so that it is seen and kept as any text.
  private func waitForPaste() throws {
    guard decoder.isPasting, loop.state.environment.keysAreTyped else {
      paste = nil
      return loop.timers.set(.paste, after: nil)
    }
    let now = ContinuousClock.now
    paste = (now, paste?.waiting ?? now)
    if let waiting = paste?.waiting, waiting.duration(to: now) >= Self.pasteDelay {
      paste?.waiting = nil
      try press(decoder.takePart())
    }
    loop.timers.set(.paste, after: Self.pasteDelay)
  }

  /// Shows what has arrived of a paste after a pause, and then says how to end it.
  func showPaste() {
    guard decoder.isPasting, let last = paste?.last else { return }
    paste?.waiting = nil
    try? press(decoder.takePart())
    loop.session?.prompts.keepWaitingDraft(in: loop.state)
    let pause = last.duration(to: .now)
    if pause < Self.pastePause {
      loop.timers.set(.paste, after: Self.pastePause - pause)
    } else {
      loop.send(.journal(.failed("the terminal has not ended its paste; Esc ends it")))
    }
  }

  /// How long a part of a paste waits to be shown, and how long the next one is waited for.
  private static let (pasteDelay, pastePause) = (Duration.milliseconds(250), Duration.seconds(1))

  /// The key that is meant: in keys from a pipe a line feed is Enter, as a carriage return.
  private func meant(_ event: KeyEvent) -> KeyEvent {
    guard !loop.state.environment.keysAreTyped, case .stroke(let stroke) = event,
      stroke.bytes == [0x0A]
    else {
      return event
    }
    return .stroke(KeyStroke(name: stroke.name, bytes: [0x0D]))
  }

  /// Handles the keys that arrived together.
  ///
  /// - Throws: the errors of a display that shows every frame.
  func press(_ events: [KeyEvent]) throws {
    var rest = events[...]
    if loop.state.isAsking, isTypedOn(rest) {
      for case .report(let report) in rest { take(report) }
      return keepTypedAhead(rest)
    }
    dropsTypedAhead = false
    defer { (wasAsking, lastKey) = (loop.state.isAsking, now()) }
    while let event = rest.first, loop.exitCode == nil, !dropsTypedAhead {
      if case .report(let report) = event {
        // It is no key: nothing waits for it, and nothing ends by it.
        rest = rest.dropFirst()
        take(report)
        continue
      }
      let isAsked = loop.state.isAsking && loop.state.environment.keysAreTyped
      if isAsked, case .paste = event {
        // A paste is no answer: it is kept, as text that is typed on is.
        typist.resume(at: now())
        keepTypedAhead(rest.prefix(1))
        rest = rest.dropFirst()
        continue
      }
      if isAsked, let stroke = event.stroke, stroke.text != nil, loop.state.isNoAnswer(stroke.name)
      {
        // Who types it has not read the question, and may go on.
        typist.resume(at: now())
        typist.keys.append(event)
        press(event)
        rest = rest.dropFirst()
        if typist.goesOn(rest, at: now()) { return keepTypedAhead(rest) }
        continue
      }
      let typed = display.wantsEveryPicture ? 0 : type(rest)
      rest = rest.dropFirst(max(1, typed))
      keyCount += max(1, typed)
      if typed == 0 {
        // Work that earlier keys have started belongs to them.
        loop.finishQueries(before: event.stroke)
        loop.failures.begin(.event(event), at: "key \(keyCount)")
        press(event)
        if !isAsked, loop.state.isAsking { dropTypedAhead() }
      }
      if display.wantsEveryPicture { try loop.show() }
    }
    loop.session?.prompts.nameDraftBehindQuestion(in: loop.state)
    keepTypedAhead(dropsTypedAhead ? rest : [])
  }

  /// Whether keys follow those before the question too fast to be answers.
  private func isTypedOn(_ keys: ArraySlice<KeyEvent>) -> Bool {
    // The question came between two keys, by no key.
    if !wasAsking, loop.state.environment.keysAreTyped, let lastKey { typist = Typist(at: lastKey) }
    wasAsking = true
    return typist.goesOn(keys, at: now())
  }

  /// Keeps the text of keys that were dropped as a draft.
  private func keepTypedAhead(_ rest: ArraySlice<KeyEvent>) {
    let held = TypedAhead.events(
      of: work.takeDropped(), KeyDecoder(terminalKeys: display.keys))
    guard loop.state.environment.keysAreTyped else { return }
    if !typist.isTyping { typist = Typist() }
    defer { if !loop.state.isAsking { typist = Typist() } }
    typist.keys += rest + held
    let text = rest.isEmpty && held.isEmpty ? nil : TypedAhead.text(of: typist.keys)
    guard let text else { return }
    typist.draft = loop.session?.prompts.keepTypedAhead(text, in: typist.draft, loop.state)
  }

  /// Takes what the terminal says about itself.
  private func take(_ report: TerminalReport) {
    guard let color = display.take(report) else { return }
    loop.send(.terminal(.backgroundFound(color)))
  }

  /// Drops the keys typed before a save failed: they were meant for another state.
  ///
  /// A text of them becomes a draft. Keys from a pipe are kept, since a script does not depend on timing.
  func dropTypedAhead() {
    guard loop.state.environment.keysAreTyped else { return }
    dropsTypedAhead = true
    typist = Typist(at: now())
    work.dropHeldKeys()
  }

  /// Types many characters into the prompt at once: typing one costs as much as the length of the
  /// text before it.
  ///
  /// - Returns: the number of events typed.
  private func type(_ events: ArraySlice<KeyEvent>) -> Int {
    guard loop.prompt.isActive else { return 0 }
    var strokes: [KeyStroke] = []
    for event in events.prefix(4_096) {
      guard case .stroke(let stroke) = event, stroke.text != nil else { break }
      strokes.append(stroke)
    }
    guard strokes.count >= 16 else { return 0 }
    let typed = loop.prompt.type(strokes[...], columns: loop.state.environment.size.columns)
    loop.recorder?.note(pressed: events.prefix(typed.taken))
    for event in typed.events { loop.send(event) }
    return typed.taken
  }

  /// Handles a key, a paste or a mouse event.
  func press(_ event: KeyEvent) {
    loop.recorder?.note(pressed: CollectionOfOne(event))
    handle(event)
  }

  private func handle(_ event: KeyEvent) {
    loop.finishQueries(before: event.stroke)
    if case .mouse(let mouse) = event { return loop.send(.mouse(mouse.action)) }
    if case .report(let report) = event { return take(report) }
    if loop.prompt.isActive {
      if case .stroke(let stroke) = event {
        if stroke.name == "<C-z>" { return suspendInPrompt() }
        if stroke.mayBeEscapeAndKey, !display.tellsKeysApart,
          let plain = KeyStroke(withoutAlt: stroke),
          !loop.prompt.takes(alt: stroke)
        {
          // Esc and a key that arrive together look like Alt, for which readline has no command.
          handle(.stroke(.escape))
          return handle(.stroke(plain))
        }
      }
      let state = loop.state
      for event in loop.prompt.handle(
        event, columns: state.environment.size.columns, page: state.promptPage)
      {
        loop.send(event)
      }
      return
    }
    switch event {
    case .stroke(let stroke):
      if !display.tellsKeysApart, let plain = KeyStroke(withoutAlt: stroke),
        keys.match(KeySequence(keys: [stroke.name]), in: loop.state.context) == .none
      {
        // Esc and a key that arrive together look like Alt, which is unbound.
        loop.finishQueries(before: .escape)
        loop.send(.key(KeyStroke.escape.name))
        return handle(.stroke(plain))
      }
      loop.send(.key(stroke.name))
    case .paste:
      loop.send(.journal(.failed("pasted text is not run as keys; press a, then paste")))
    case .mouse, .report: break
    }
  }

  /// Saves the typed text first, since a stopped program may never continue.
  private func suspendInPrompt() {
    loop.send(.prompt(.draftTimerFired))
    loop.session?.prompts.keepWaitingDraft(in: loop.state)
    loop.perform(.terminal(.suspend))
  }

  private func handle(_ signal: TerminalSignal) {
    switch signal {
    case .hangUp, .terminate, .quit: loop.send(.terminal(.signalled(signal.number)))
    case .interrupt:
      if loop.isPlaying {
        loop.stopPlaying()
      } else if loop.prompt.isActive {
        for event in loop.prompt.cancel() { loop.send(event) }
      } else {
        loop.send(.key("<C-c>"))
      }
    case .windowChanged:
      let size = display.size
      // The terminal moved its signs though the size has come back.
      if size == loop.state.environment.size { try? display.redraw() }
      loop.send(.terminal(.resized(size)))
    case .continued: loop.comeBack()
    case .stop: loop.perform(.terminal(.suspend))
    }
  }
}

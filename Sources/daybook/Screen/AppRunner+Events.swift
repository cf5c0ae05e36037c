import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// What wakes the main loop, turned into intents.
extension AppRunner {
  func handle(_ event: LoopEvent) throws {
    switch event {
    case .input where player != nil: stopPlaying()
    case .input(let bytes):
      timers.set(.escape, after: nil)
      try press(decoder.feed(bytes))
      // In a pipe no time lies between keys: what follows ESC there belongs to it.
      if decoder.isWaiting, keysAreTyped { timers.set(.escape, after: KeyDecoder.escapeDelay) }
    case .inputEnded:
      try press(decoder.finish())
      send(.inputEnded)
    case .signal(let signal): handle(signal)
    case .readable: refresh()
    case .timer: break
    }
  }

  private func press(_ events: [KeyEvent]) throws {
    dropsTypedAhead = false
    var rest = events[...]
    while let event = rest.first, exitCode == nil, !dropsTypedAhead {
      let typed = display.wantsEveryPicture ? 0 : type(rest)
      rest = rest.dropFirst(max(1, typed))
      if typed == 0 { press(event) }
      if display.wantsEveryPicture { try show() }
    }
  }

  /// Forgets the keys that were typed before their effect was known: they were meant for another one.
  ///
  /// Keys from a pipe go on as they were meant.
  func dropTypedAhead() {
    guard keysAreTyped else { return }
    dropsTypedAhead = true
    heldEvents.removeAll { if case .input = $0 { true } else { false } }
  }

  /// Types many characters into the prompt at once: each one alone would cost as much as all the text
  /// before it.
  ///
  /// - Returns: how many events that were.
  private func type(_ events: ArraySlice<KeyEvent>) -> Int {
    guard prompt.isActive else { return 0 }
    var strokes: [KeyStroke] = []
    for event in events.prefix(4_096) {
      guard case .stroke(let stroke) = event, stroke.text != nil else { break }
      strokes.append(stroke)
    }
    guard strokes.count >= 16 else { return 0 }
    let typed = prompt.type(strokes[...], size: state.size)
    for intent in typed.intents { send(intent) }
    return typed.taken
  }

  /// Handles one key, one paste or one use of the mouse.
  func press(_ event: KeyEvent) {
    finishWanted()
    if case .mouse(let mouse) = event { return send(.mouse(mouse.intent)) }
    if prompt.isActive {
      if case .stroke(let stroke) = event, stroke.name == "<C-z>" { return suspendInPrompt() }
      for intent in prompt.handle(event, size: state.size) { send(intent) }
      return
    }
    switch event {
    case .stroke(let stroke):
      if let plain = stroke.withoutAlt,
        keys.match(KeySequence(keys: [stroke.name]), in: state.context) == .none
      {
        // Esc and a key that arrive together look like Alt; nothing is bound to that.
        send(.keyPressed(KeyStroke.escape.name))
        finishWanted()
        return send(.keyPressed(plain))
      }
      send(.keyPressed(stroke.name))
    case .paste: send(.failed("pasted text is not run as keys; press a, then paste"))
    case .mouse: break
    }
  }

  /// What is typed is kept first: who stops a program may not come back to it.
  private func suspendInPrompt() {
    send(.draftTimerFired)
    perform(.suspend)
  }

  private func handle(_ signal: TerminalSignal) {
    switch signal {
    case .hangUp, .terminate, .quit: send(.signalled(signal.number))
    case .interrupt:
      if player != nil {
        stopPlaying()
      } else if prompt.isActive {
        for intent in prompt.cancel() { send(intent) }
      } else {
        send(.keyPressed("<C-c>"))
      }
    case .windowChanged: send(.resized(display.size))
    case .continued: comeBack()
    case .stop: perform(.suspend)
    }
  }

  func handleTimers() {
    for kind in timers.takeDue() where exitCode == nil {
      switch kind {
      case .escape: for event in decoder.timeOut() { press(event) }
      case .draft: keepWaitingDraft()
      case .highlight: send(.highlightEnded)
      case .refresh: refresh()
      case .dayEnd: break
      case .key: playStep()
      }
    }
    let today = settings.dayRule.day(of: store.clock.moment())
    if today != state.today { send(.dayChanged(today)) }
  }

  /// Looks whether another process committed.
  func refresh() {
    do {
      let found = try store.refresh()
      timers.set(.refresh, after: found.retryAfter.map { .milliseconds($0) })
      if found.changed { send(.journalChanged) }
      switch found.place {
      case .same: break
      case .replaced: send(.failed("another file has taken the journal's place; quit and reopen"))
      case .removed: send(.failed("the journal's file is gone; quit and reopen"))
      }
    } catch {
      send(.failed(Failure(explaining: error).screenMessage))
    }
  }

  /// After a stop or another program: the size may have changed, and others may have written.
  func comeBack() {
    shown = nil
    do { try display.resume() } catch { quit(Failure(explaining: error).code) }
    send(.resized(display.size))
    refresh()
  }
}

extension MouseEvent {
  /// The event as the reducer takes it.
  var intent: MouseIntent {
    switch kind {
    case .press: MouseIntent(.click, column: column, line: row)
    case .wheelUp: MouseIntent(.wheel(-3), column: column, line: row)
    case .wheelDown: MouseIntent(.wheel(3), column: column, line: row)
    }
  }
}

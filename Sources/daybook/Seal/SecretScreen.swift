import Glibc
import Screen
import Seal
import Terminal
import TextLayout

/// Asks for secrets on the full screen, in place of all that it showed.
///
/// The screen's own loop does not run meanwhile: its journal is not open yet, or is locked.
final class SecretScreen {
  private let display: any Display
  private let loop: EventLoop

  init(_ display: any Display, _ loop: EventLoop) {
    self.display = display
    self.loop = loop
  }

  /// Asks once.
  ///
  /// - Returns: the answer; `nil` after Esc, ^C, ^D, an interrupt, or a signal that ends the program.
  /// - Throws: the errors of the display.
  func ask(_ question: SecretQuestion) throws -> Passphrase? {
    var picture = SecretPicture(
      title: question.title, lines: question.lines, label: question.label,
      problem: question.problem, enter: question.enter)
    var keys = SecretKeys(KeyDecoder(terminalKeys: display.keys))
    try display.voice?.say(Self.words(question))
    // Pictures of a journal that was locked must not stay in the terminal.
    display.deletePictures()
    while true {
      try display.show(picture.frame(of: display.size))
      // Without the watched descriptors: nobody reads them here.
      for event in loop.wait(timeout: keys.timeout, withWatched: false) {
        let outcome: SecretLine.Outcome?
        switch event {
        case .input(let bytes):
          outcome = keys.feed(bytes, expectsAnswer: display.awaitsAnswer)
          for report in keys.takeReports() { _ = display.take(report) }
        case .timer: outcome = keys.timeOut()
        case .inputEnded: return nil
        case .signal(let signal):
          if signal.endsProgram || signal == .interrupt { return nil }
          if signal == .stop { try display.suspend() }
          if signal == .continued { try display.resume() }
          outcome = nil
        case .readable: outcome = nil
        }
        switch outcome {
        case .typed: picture.problem = nil
        case .entered:
          picture.isChecking = true
          try display.voice?.say(["checking"])
          try display.show(picture.frame(of: display.size))
          return keys.take()
        case .cancelled: return nil
        case nil: continue
        }
      }
    }
  }
}

extension SecretScreen {
  /// The question in words; what is typed is never said.
  private static func words(_ question: SecretQuestion) -> [String] {
    ([question.title] + question.lines + (question.problem.map { ["error: \($0)"] } ?? []) + [
      "\(question.label): nothing is shown while you type; Enter \(question.enter), Esc cancels"
    ]).filter { !$0.isEmpty }.map { Sanitizer.plainLine($0) }
  }
}

/// The keys of a secret line, decoded from a terminal's bytes in pieces of any size.
struct SecretKeys {
  private var decoder: KeyDecoder
  private var line = SecretLine()
  private var reports: [TerminalReport] = []

  init(_ decoder: KeyDecoder = KeyDecoder()) {
    self.decoder = decoder
  }

  /// The time until ``timeOut()``; `nil` when no key is incomplete.
  var timeout: Duration? { decoder.isWaiting ? KeyDecoder.escapeDelay : nil }

  /// Takes bytes; those after Enter are dropped.
  ///
  /// - Parameter expectsAnswer: whether the terminal's answer to a question may be among them.
  /// - Returns: the outcome; `nil` when there was no key of the line.
  mutating func feed(_ bytes: [UInt8], expectsAnswer: Bool = false) -> SecretLine.Outcome? {
    decoder.expectsAnswer = expectsAnswer
    return press(decoder.feed(bytes))
  }

  /// Takes an incomplete sequence as keys: a lone ESC is Esc.
  mutating func timeOut() -> SecretLine.Outcome? { press(decoder.timeOut()) }

  /// Removes and returns what the terminal said about itself.
  mutating func takeReports() -> [TerminalReport] {
    defer { reports = [] }
    return reports
  }

  /// The typed text; the line is empty afterwards.
  mutating func take() -> Passphrase { line.take() }

  private mutating func press(_ events: [KeyEvent]) -> SecretLine.Outcome? {
    var last: SecretLine.Outcome?
    for event in events {
      guard let outcome = press(event) else { continue }
      if outcome != .typed { return outcome }
      last = outcome
    }
    return last
  }

  private mutating func press(_ event: KeyEvent) -> SecretLine.Outcome? {
    switch event {
    case .stroke(.escape): return .cancelled
    case .stroke(let stroke):
      // All other sequences are no keys of a line: arrows, functions, Alt.
      guard stroke.text != nil || stroke.bytes.count == 1 else { return nil }
      return press(stroke.bytes)
    case .paste(let bytes): return press(Self.text(ofPaste: bytes))
    case .report(let report):
      reports.append(report)
      return nil
    case .mouse: return nil
    }
  }

  private mutating func press(_ bytes: [UInt8]) -> SecretLine.Outcome? {
    var outcome: SecretLine.Outcome?
    for byte in bytes {
      outcome = line.press(byte)
      if outcome != .typed { return outcome }
    }
    return outcome
  }

  /// A pasted text without control characters, such as the line end of a copied line: none of its
  /// bytes acts as a key.
  private static func text(ofPaste bytes: [UInt8]) -> [UInt8] {
    bytes.filter { $0 >= 0x20 && $0 != 0x7F }
  }
}

import Glibc
import Screen
import Seal
import Terminal

/// Asks for secrets on the full screen, in place of all that it showed.
///
/// The loop of the screen stands still meanwhile: its journal is not open yet, or is locked.
final class SecretScreen {
  private let display: any Display
  private let loop: EventLoop

  init(_ display: any Display, _ loop: EventLoop) {
    self.display = display
    self.loop = loop
  }

  /// Asks once.
  ///
  /// - Returns: the answer; `nil` after Esc, ^C, ^D, or a signal that ends the program.
  /// - Throws: the errors of the display.
  func ask(_ question: SecretQuestion) throws -> Passphrase? {
    var picture = SecretPicture(
      title: question.title, lines: question.lines, label: question.label,
      problem: question.problem, enter: question.enter)
    var line = SecretLine()
    while true {
      try display.show(picture.frame(of: display.size))
      for event in loop.wait(timeout: nil) {
        switch event {
        case .input(let bytes):
          switch take(bytes, &line) {
          case .typed: picture.problem = nil
          case .entered:
            picture.isChecking = true
            try display.show(picture.frame(of: display.size))
            return line.take()
          case .cancelled: return nil
          }
        case .inputEnded: return nil
        case .signal(let signal):
          if signal.endsProgram { return nil }
          if signal == .stop { try display.suspend() }
          if signal == .continued { try display.resume() }
        case .readable, .timer: continue
        }
      }
    }
  }

  /// Takes the bytes of keys: sequences of other keys than text are skipped, Esc alone leaves.
  private func take(_ bytes: [UInt8], _ line: inout SecretLine) -> SecretLine.Outcome {
    if bytes == [0x1B] { return .cancelled }
    // An arrow key, a mouse event or the answer of the terminal to a question.
    if bytes.first == 0x1B { return .typed }
    for byte in bytes {
      let outcome = line.press(byte)
      if outcome != .typed { return outcome }
    }
    return .typed
  }
}

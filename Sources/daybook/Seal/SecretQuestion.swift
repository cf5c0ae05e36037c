import Files
import Glibc
import Seal
import Terminal
import TextLayout

/// A question whose answer is not shown while it is typed.
struct SecretQuestion: Equatable {
  var title: String
  /// Explanations, a paragraph each.
  var lines: [String] = []
  /// The label of the input: `Passphrase`.
  var label: String
  /// Why the last answer was not taken.
  var problem: String?
  /// The action of Enter.
  var enter = "open"
}

/// Asks a person for secrets.
///
/// - Returns: `nil` when the person gives up.
typealias SecretAsking = (SecretQuestion) throws -> Passphrase?

/// Asks at the terminal without echo, whatever standard input is.
enum TerminalQuestion {
  /// Whether there is a person to ask.
  static var isPossible: Bool {
    guard isatty(STDERR_FILENO) == 1 else { return false }
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }

  /// Asks once.
  ///
  /// Signals act after the terminal has its echo again. A program that is stopped and continued asks
  /// again.
  ///
  /// - Returns: the answer; `nil` after ^C, ^D, a hang-up, or a signal that the program handles.
  /// - Throws: ``Failure`` 77 without a terminal.
  static func ask(_ question: SecretQuestion) throws(Failure) -> Passphrase? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else {
      throw Failure(.noPermission, "a passphrase is needed, and there is no terminal to ask at")
    }
    defer { close(terminal) }
    while true {
      let held = HeldSignals()
      let end = read(question, terminal, held)
      // The terminal has its echo again: a held signal ends or stops the program now.
      held.release()
      switch end {
      case .failed(let code): throw .system(code, "/dev/tty")
      case .entered(let passphrase): return passphrase
      case .cancelled: return nil
      case .signalled(let signal):
        // The program runs on: it was continued, or it ignores the signal, or handles it.
        if signal != SIGTSTP, HeldSignals.hasHandler(signal) { return nil }
      }
    }
  }

  /// How a question ended.
  private enum End {
    case entered(Passphrase)
    case cancelled
    case signalled(Int32)
    case failed(Int32)
  }

  /// The time between checks for signals, in milliseconds.
  private static let interval: Int32 = 200

  /// Asks without echo; afterwards the terminal is as it was.
  private static func read(
    _ question: SecretQuestion, _ terminal: Int32, _ held: HeldSignals
  ) -> End {
    var usual = termios()
    guard tcgetattr(terminal, &usual) == 0 else { return .failed(errno) }
    var quiet = usual
    // Without signals from keys, so that ^C cannot leave the terminal without echo.
    quiet.c_lflag &= ~tcflag_t(ECHO | ISIG | ICANON)
    quiet.c_iflag |= tcflag_t(ICRNL)
    tcsetattr(terminal, TCSAFLUSH, &quiet)
    defer { tcsetattr(terminal, TCSAFLUSH, &usual) }
    let lines = question.lines + (question.problem.map { [$0] } ?? [])
    show(lines.map { Sanitizer.plainLine($0) + "\n" }.joined() + "\(question.label): ", terminal)
    var line = SecretLine()
    defer { line.clear() }
    var buffer = [UInt8](repeating: 0, count: 256)
    defer { explicit_bzero(&buffer, buffer.count) }
    var poll = Poll()
    while true {
      if let signal = held.pending {
        show("\n", terminal)
        return .signalled(signal)
      }
      do {
        guard try poll.wait(for: [.reading(terminal)], milliseconds: interval) != nil else {
          continue
        }
      } catch {
        return .failed(error.code)
      }
      let read = buffer.withUnsafeMutableBytes { Descriptor.read(terminal, into: $0) }
      guard case .success(let count) = read, count > 0 else { return .cancelled }
      for byte in buffer.prefix(count) {
        switch line.press(byte) {
        case .typed: continue
        case .entered:
          show("\n", terminal)
          return .entered(line.take())
        case .cancelled:
          show("\n", terminal)
          return .cancelled
        }
      }
    }
  }

  private static func show(_ text: String, _ terminal: Int32) {
    _ = Descriptor.writeAll(terminal, Array(text.utf8))
  }
}

/// Signals that end or stop the program, held back while the terminal has no echo.
private struct HeldSignals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  /// The signals that were blocked before.
  private var before = sigset_t()

  init() {
    var held = sigset_t()
    sigemptyset(&held)
    for number in Self.numbers { sigaddset(&held, number) }
    pthread_sigmask(SIG_BLOCK, &held, &before)
  }

  /// A signal that waits.
  var pending: Int32? {
    var (waiting, before) = (sigset_t(), before)
    sigpending(&waiting)
    return Self.numbers.first {
      sigismember(&waiting, $0) == 1 && sigismember(&before, $0) == 0
    }
  }

  /// Lets the signals act.
  func release() {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Whether the program handles a signal, so that it still runs after one.
  static func hasHandler(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_DFL is 0, SIG_IGN is 1.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) > 1
  }
}

/// A line of secret text that is being typed, byte by byte.
struct SecretLine {
  /// The effect of a byte.
  enum Outcome {
    case typed, entered, cancelled
  }

  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(Passphrase.longestRead + 1) }

  /// The number of characters typed so far.
  var count: Int { bytes.count { $0 & 0xC0 != 0x80 } }

  /// Takes a byte: text, Backspace, `^U`, Enter, or `^C` and `^D`, which cancel.
  mutating func press(_ byte: UInt8) -> Outcome {
    switch byte {
    case 0x03: return .cancelled
    case 0x04: return bytes.isEmpty ? .cancelled : .entered
    case 0x0A, 0x0D: return .entered
    case 0x08, 0x7F:
      while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    case 0x15: clear()
    case 0x00..<0x20: break
    // One byte more shows that it is too long.
    default: if bytes.count <= Passphrase.longestRead { bytes.append(byte) }
    }
    return .typed
  }

  /// The typed text; the line is empty afterwards.
  mutating func take() -> Passphrase {
    let passphrase = Passphrase(Array(bytes))
    clear()
    return passphrase
  }

  /// Forgets the typed text.
  mutating func clear() {
    bytes.withUnsafeMutableBytes { buffer in
      if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}

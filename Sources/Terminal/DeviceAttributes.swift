import Files
import Glibc

/// The answer of a terminal to the request for its device attributes (DA1 of ECMA-48): one whose name no
/// system knows understands control sequences if it answers.
struct DeviceAttributes {
  private(set) var isAnswered = false
  /// The keys typed meanwhile, or before.
  private(set) var typed: [UInt8] = []

  private static let request = Array("\u{1B}[c".utf8)
  /// The longest wait in milliseconds: somebody may be far away, and the program ends without an answer.
  private static let patience: Int32 = 1_000

  /// Asks the terminal at two descriptors; nothing is asked unless both are one.
  init(input: Int32, output: Int32) {
    var settings = termios()
    guard isatty(input) == 1, isatty(output) == 1, tcgetattr(input, &settings) == 0 else { return }
    var raw = settings
    cfmakeraw(&raw)
    // Keys typed before stay.
    guard tcsetattr(input, TCSANOW, &raw) == 0 else { return }
    defer { tcsetattr(input, TCSANOW, &settings) }
    guard Descriptor.writeAll(output, Self.request) == 0 else { return }
    let start = ContinuousClock.now
    var poll = Poll()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !isAnswered {
      let passed = Int32(min(start.duration(to: .now) / .milliseconds(1), 1e6))
      guard passed < Self.patience,
        let ready = try? poll.wait(for: [.reading(input)], milliseconds: Self.patience - passed),
        ready.contains(where: { $0.revents != 0 })
      else { return }
      let count = read(input, &buffer, buffer.count)
      guard count > 0 else { return }
      typed += buffer[..<count]
      takeAnswer()
    }
  }

  /// Takes the answer, `ESC [ ? numbers c`, out of what was read.
  private mutating func takeAnswer() {
    let begin = Array("\u{1B}[?".utf8)
    for start in typed.indices where typed[start...].starts(with: begin) {
      let rest = typed[(start + begin.count)...]
      let numbers = rest.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
      guard numbers.endIndex < typed.endIndex, typed[numbers.endIndex] == UInt8(ascii: "c") else {
        continue
      }
      typed.removeSubrange(start...numbers.endIndex)
      isAnswered = true
      return
    }
  }
}

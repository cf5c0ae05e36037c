import ArgumentParser
import Files
import Glibc
import Terminal
import TextLayout

/// A step of a key file, with its place for messages.
struct KeyFileStep {
  var step: KeyScript.Step
  /// `FILE:LINE:COLUMN`.
  var place: String
}

/// A playing script: its remaining steps and their timing.
struct KeyPlayer {
  /// The action after the last step.
  enum Ending {
    /// The program ends, as at the end of piped keys.
    case quits
    /// The viewer's keys are used from then on.
    case handsOver
  }

  /// The speed.
  let pace: Pace
  /// The action after the last step.
  let ending: Ending
  /// Shows a caption; `nil` removes it.
  let say: (String?) -> Void
  private var steps: ArraySlice<KeyFileStep>

  /// Makes a player at the start of a script.
  init(
    _ steps: [KeyFileStep], pace: Pace, ending: Ending, say: @escaping (String?) -> Void
  ) {
    self.steps = steps[...]
    self.pace = pace
    self.ending = ending
    self.say = say
  }

  /// The next step; `nil` at the end.
  mutating func next() -> KeyFileStep? { steps.popFirst() }
}

/// Reads key files and reports their errors.
enum KeyFile {
  /// The maximum size of a key file, in bytes.
  private static let limit = 16 << 20

  /// The steps of a file; `-` is standard input.
  ///
  /// - Throws: ``Failure`` 65 with file and line, 66 when the file does not exist.
  static func steps(_ path: String) throws(Failure) -> [KeyFileStep] {
    let name = path == "-" ? "standard input" : path
    let bytes = path == "-" ? try StandardInput.bytes() : try read(path)
    guard bytes.count <= limit else {
      throw Failure(.badData, "\(name): longer than \(limit >> 20) MiB; play it in parts")
    }
    return try steps(bytes, name: name)
  }

  /// The steps in the bytes of a file.
  ///
  /// - Throws: ``Failure`` 65 with file and line.
  static func steps(_ bytes: [UInt8], name: String) throws(Failure) -> [KeyFileStep] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let end = bytes.indices.last { String(validating: bytes[..<$0], as: UTF8.self) != nil } ?? 0
      let line = bytes[..<end].count { $0 == UInt8(ascii: "\n") } + 1
      throw Failure(.badData, "\(name):\(line): invalid UTF-8; nothing played")
    }
    do {
      return try KeyScript.positioned(text).map { step, position in
        KeyFileStep(step: step, place: "\(name):\(position.line):\(position.column)")
      }
    } catch {
      throw Failure(.badData, "\(name):\(error.line): \(error.message)")
    }
  }

  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR {
        throw Failure(.noInput, "\(path): no such file; name a key file, or - for standard input")
      }
      throw .system(errno, path)
    }
    defer { close(descriptor) }
    return try Descriptor.readAll(descriptor, limit: limit).whole(path)
  }
}

/// The speed of a script.
struct Pace: Equatable {
  /// The factor relative to a person.
  var speed = 1.0
  /// Whether to skip all waiting; the script's own clock still advances.
  var skips = false
  /// Whether each key takes as long as a person's; otherwise only explicit waits take time.
  var hasRhythm = true

  /// The pause after a step.
  func pause(after step: KeyScript.Step) -> Duration {
    switch step {
    case .wait(let milliseconds): .milliseconds(milliseconds) / speed
    case .event(let event): hasRhythm ? Self.rhythm(of: event) / speed : .zero
    case .run: hasRhythm ? .milliseconds(200) / speed : .zero
    case .say: .zero
    }
  }

  /// Letters are fast, a word ends with a short pause, and a command key with a longer one.
  private static func rhythm(of event: KeyEvent) -> Duration {
    guard case .stroke(let stroke) = event, let text = stroke.text else {
      return .milliseconds(250)
    }
    return .milliseconds(text == " " ? 90 : 60)
  }
}

/// The speed option of a script: `2` is twice as fast, `0` or `max` without any wait.
struct Speed: ExpressibleByArgument, Equatable {
  /// The factor relative to a person; `nil` without any wait.
  let factor: Double?

  /// Parses a number from 0 to 1000, or `max`.
  init?(argument: String) {
    if argument == "max" {
      factor = nil
      return
    }
    guard let number = Double(argument), (0...1000).contains(number) else { return nil }
    // A slower script would practically never end.
    guard number == 0 || number >= 0.01 else { return nil }
    factor = number == 0 ? nil : number
  }
}

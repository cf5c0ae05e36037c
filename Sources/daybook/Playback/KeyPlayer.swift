import ArgumentParser
import Files
import Glibc
import Terminal
import TextLayout

/// A script that is being played: what comes next and when.
struct KeyPlayer {
  /// What comes behind the last step.
  enum Ending {
    /// The program ends, as at the end of piped keys.
    case quits
    /// The person who watched has the keys.
    case handsOver
  }

  /// How fast it is played.
  let pace: Pace
  /// What comes behind the last step.
  let ending: Ending
  /// Shows a caption; `nil` gives its place back.
  let say: (String?) -> Void
  private var steps: ArraySlice<KeyScript.Step>

  /// Makes a player at the beginning of a script.
  init(
    _ steps: [KeyScript.Step], pace: Pace, ending: Ending, say: @escaping (String?) -> Void
  ) {
    self.steps = steps[...]
    self.pace = pace
    self.ending = ending
    self.say = say
  }

  /// The next step; `nil` at the end.
  mutating func next() -> KeyScript.Step? { steps.popFirst() }
}

/// Key files: where they are read and what is said of a wrong one.
enum KeyFile {
  /// The largest key file, in bytes.
  private static let limit = 16 << 20

  /// The steps of a file; `-` is standard input.
  ///
  /// - Throws: ``Failure`` 65 naming file and line, 66 when there is no such file.
  static func steps(_ path: String) throws(Failure) -> [KeyScript.Step] {
    let name = path == "-" ? "standard input" : path
    let bytes = path == "-" ? try StandardInput.bytes() : try read(path)
    guard bytes.count <= limit else {
      throw Failure(.badData, "\(name): longer than \(limit >> 20) MiB; play it in parts")
    }
    return try steps(bytes, name: name)
  }

  /// The steps of a file that has been read.
  ///
  /// - Throws: ``Failure`` 65 naming file and line.
  static func steps(_ bytes: [UInt8], name: String) throws(Failure) -> [KeyScript.Step] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let end = bytes.indices.last { String(validating: bytes[..<$0], as: UTF8.self) != nil } ?? 0
      let line = bytes[..<end].count { $0 == UInt8(ascii: "\n") } + 1
      throw Failure(.badData, "\(name):\(line): invalid UTF-8; nothing played")
    }
    do {
      return try KeyScript.parse(text)
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

/// How fast a script is played.
struct Pace: Equatable {
  /// How many times as fast as a person.
  var speed = 1.0
  /// Whether no time is waited for; the script's own clock goes on all the same.
  var skips = false
  /// Whether a key takes the time that a person takes; otherwise only what is written as a wait does.
  var hasRhythm = true

  /// The pause behind a step.
  func pause(after step: KeyScript.Step) -> Duration {
    switch step {
    case .wait(let milliseconds): .milliseconds(milliseconds) / speed
    case .event(let event): hasRhythm ? Self.rhythm(of: event) / speed : .zero
    case .run: hasRhythm ? .milliseconds(200) / speed : .zero
    case .say: .zero
    }
  }

  /// Typing runs on, a word ends with a breath, and a key that does something is looked at.
  private static func rhythm(of event: KeyEvent) -> Duration {
    guard case .stroke(let stroke) = event, let text = stroke.text else {
      return .milliseconds(250)
    }
    return .milliseconds(text == " " ? 90 : 60)
  }
}

/// How fast a script is to be played, as people say it: `2` is twice as fast, `0` or `max` without any
/// wait.
struct Speed: ExpressibleByArgument, Equatable {
  /// How many times as fast as a person; `nil` without any wait.
  let factor: Double?

  /// Reads a number from 0 to 1000, or `max`.
  init?(argument: String) {
    if argument == "max" {
      factor = nil
      return
    }
    guard let number = Double(argument), (0...1000).contains(number) else { return nil }
    // Slower than this nobody lives to see the end.
    guard number == 0 || number >= 0.01 else { return nil }
    factor = number == 0 ? nil : number
  }
}

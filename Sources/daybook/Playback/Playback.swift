import Files
import Glibc
import JournalStore
import Screen
import Terminal
import TextLayout

/// A key script played on the screen, with its viewer, its speed and its recording.
final class Playback {
  /// The descriptor of the viewer's keys; any of them stops the script.
  let input: Int32
  /// Whether a viewer with keys watches on a terminal.
  let isWatched: Bool
  private let steps: [KeyFileStep]
  private let pace: Pace
  private let ending: KeyPlayer.Ending
  private let recording: Recording?
  private var captions: CaptionDisplay?

  /// Makes a playback without starting it.
  ///
  /// - Parameters:
  ///   - steps: the script.
  ///   - speed: the speed; `nil` for a person's if there is a viewer, else without pauses between
  ///     keys.
  ///   - waits: whether explicit waits take time without a viewer and a given speed.
  ///   - handsOver: whether the viewer's keys are used after the end.
  ///   - recording: the recording, if any.
  init(
    _ steps: [KeyFileStep], speed: Speed?, waits: Bool, handsOver: Bool, recording: Recording?
  ) {
    self.steps = steps
    self.recording = recording
    let hasTerminal = isatty(STDOUT_FILENO) == 1
    input = hasTerminal ? Self.personsInput() : -1
    isWatched = input >= 0
    ending = handsOver && isWatched ? .handsOver : .quits
    if let speed {
      pace = Pace(speed: speed.factor ?? 1, skips: speed.factor == nil)
    } else if hasTerminal {
      pace = Pace()
    } else {
      pace = Pace(skips: !waits, hasRhythm: !waits)
    }
  }

  /// Standard input, or the terminal itself if the script comes from there; -1 for neither.
  private static func personsInput() -> Int32 {
    isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDONLY | O_CLOEXEC)
  }

  /// The display with captions and recording.
  func display(over base: any Display) -> any Display {
    let recorded = recording.map { RecordingDisplay(over: base, $0) } ?? base
    guard steps.contains(where: { if case .say = $0.step { true } else { false } }) else {
      return recorded
    }
    let captions = CaptionDisplay(over: recorded)
    if case .say(let text)? = steps.first?.step { captions.say(text) }
    self.captions = captions
    return captions
  }

  /// Starts the script.
  func start(_ screen: ScreenLoop) {
    screen.loop.setReadsInput(isWatched)
    recording?.time = { [weak screen] in screen?.timers.scriptTime ?? .zero }
    screen.play(
      KeyPlayer(steps, pace: pace, ending: ending) { [captions] in captions?.say($0) })
  }

  /// Writes the recording.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77.
  func finish() throws {
    try recording?.write()
  }
}

/// Reserves the last line of another display for captions, like subtitles; the screen above does
/// not know of them.
final class CaptionDisplay: DisplayOver {
  /// The minimum height for captions; smaller screens need all lines.
  private static let leastLines = 6

  let base: any Display
  private var caption: String? = ""
  private var last: Frame?

  /// Makes captions below a display.
  init(over base: any Display) {
    self.base = base
  }

  /// Shows a caption; `nil` releases the line.
  func say(_ text: String?) {
    caption = text
    if let text, let voice { try? voice.say([Sanitizer.plainLine(text)]) }
    // A terminal that cannot show this fails at the next frame, too, and reports it then.
    if text != nil, let last { try? show(last) }
  }

  private var hasCaption: Bool { caption != nil && base.size.lines >= Self.leastLines }

  var size: Size {
    let whole = base.size
    return hasCaption ? Size(columns: whole.columns, lines: whole.lines - 1) : whole
  }

  func show(_ picture: Frame) throws {
    last = picture
    guard hasCaption, let caption else { return try base.show(picture) }
    var canvas = Canvas(width: picture.canvas.width, height: picture.canvas.height + 1)
    canvas.draw(picture.canvas)
    canvas.draw(
      TextFit.cut(caption, columns: canvas.width - 2), at: 1, row: picture.canvas.height,
      style: Style(.header, bold: true))
    try base.show(Frame(canvas: canvas, cursor: picture.cursor))
  }
}

/// A new file of a command: it appears only when it is complete, and replaces an existing one only
/// on request.
struct NewFile {
  let path: String
  private let replaces: Bool
  private let removesLeftovers: Bool
  /// Whether the path had a file at the start.
  let replacesOther: Bool

  /// Checks before the work whether the file may be created.
  ///
  /// - Parameter removesLeftovers: whether to remove leftovers of killed writers of this file; a
  ///   writer of many files in one directory does it once.
  /// - Throws: ``Failure`` 73 if the file exists, or is not a regular file.
  init(_ path: String, replacing: Bool, removesLeftovers: Bool = true) throws(Failure) {
    self.path = path
    self.removesLeftovers = removesLeftovers
    replaces = replacing
    var status = stat()
    guard stat(path, &status) == 0 else {
      // A dangling link counts as missing; after other errors it is unknown whether the file
      // exists.
      guard errno == ENOENT || errno == ENOTDIR else { throw .system(errno, path) }
      replacesOther = false
      return
    }
    replacesOther = true
    // A rename would replace a device by a file.
    if status.st_mode & S_IFMT != S_IFREG {
      throw Failure(.cannotCreate, "\(path): is not a regular file; name another one")
    }
    if !replacing {
      throw Failure(.cannotCreate, "\(path): exists; --force replaces it")
    }
  }

  /// Writes a text, completely or not at all.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77; an existing file is then unchanged.
  func write(_ text: String) throws(Failure) {
    do {
      try write { descriptor in
        let problem = Descriptor.writeAll(descriptor, Array(text.utf8))
        guard problem == 0 else { throw Failure.system(problem, path) }
      }
    } catch {
      throw Failure(explaining: error)
    }
  }

  /// The same for output in parts.
  ///
  /// - Parameter body: writes to a descriptor.
  /// - Throws: ``Failure`` 73, 74 or 77, and the error of `body`; an existing file is then
  ///   unchanged.
  func write(_ body: (Int32) throws -> Void) throws {
    if removesLeftovers { Leftovers.remove(beside: path) }
    do {
      try AtomicFile(path, existing: replaces ? .replace : .refuse).write(body)
    } catch let error as FileError where error.code == EEXIST {
      throw Failure(.cannotCreate, "\(path): exists; --force replaces it")
    } catch let error as FileError {
      throw Failure.system(error.code, path)
    }
  }
}

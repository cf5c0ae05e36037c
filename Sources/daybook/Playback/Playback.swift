import Files
import Glibc
import JournalStore
import Screen
import Terminal
import TextLayout

/// A key script on its way through the screen: who watches, how fast it goes, what is recorded.
final class Playback {
  /// Where the keys of a person come from, who stops the script with any of them.
  let input: Int32
  /// Whether a person watches on a terminal and has keys.
  let isWatched: Bool
  private let steps: [KeyScript.Step]
  private let pace: Pace
  private let ending: KeyPlayer.Ending
  private let recording: Recording?
  private var captions: CaptionDisplay?

  /// Makes a playback that has not begun.
  ///
  /// - Parameters:
  ///   - steps: the script.
  ///   - speed: how fast; `nil` as fast as a person where one watches, else without pauses between keys.
  ///   - waits: whether written waits take time where nobody watches and no speed is named.
  ///   - handsOver: whether a person who watched to the end has the keys then.
  ///   - recording: what is kept of it.
  init(
    _ steps: [KeyScript.Step], speed: Speed?, waits: Bool, handsOver: Bool, recording: Recording?
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

  /// Standard input, or the terminal itself when the script came from there; -1 for neither.
  private static func personsInput() -> Int32 {
    isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDONLY | O_CLOEXEC)
  }

  /// The display with what the script needs around it.
  func display(over base: any Display) -> any Display {
    let recorded = recording.map { RecordingDisplay(over: base, $0) } ?? base
    guard steps.contains(where: { if case .say = $0 { true } else { false } }) else {
      return recorded
    }
    let captions = CaptionDisplay(over: recorded)
    if case .say(let text)? = steps.first { captions.say(text) }
    self.captions = captions
    return captions
  }

  /// Begins to play.
  func start(_ screen: ScreenLoop) {
    screen.loop.setReadsInput(isWatched)
    recording?.time = { [weak screen] in screen?.timers.scriptTime ?? .zero }
    screen.play(
      KeyPlayer(steps, pace: pace, ending: ending) { [captions] in captions?.say($0) })
  }

  /// Writes what was recorded.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77.
  func finish() throws {
    try recording?.write()
  }
}

/// Takes the last line of another display for captions, as a film has subtitles: the screen above is
/// whole and does not know of them.
final class CaptionDisplay: Display {
  /// A screen of fewer lines needs them all.
  private static let leastLines = 6

  private let base: any Display
  private var caption: String? = ""
  private var last: Picture?

  /// Makes captions below a display.
  init(over base: any Display) {
    self.base = base
  }

  /// Shows a caption; `nil` gives the line back.
  func say(_ text: String?) {
    caption = text
    // A terminal that cannot show this will not show the next picture either, and says so then.
    if text != nil, let last { try? show(last) }
  }

  private var hasCaption: Bool { caption != nil && base.size.lines >= Self.leastLines }

  var size: Size {
    let whole = base.size
    return hasCaption ? Size(columns: whole.columns, lines: whole.lines - 1) : whole
  }

  func show(_ picture: Picture) throws {
    last = picture
    guard hasCaption, let caption else { return try base.show(picture) }
    var canvas = Canvas(width: picture.canvas.width, height: picture.canvas.height + 1)
    canvas.draw(picture.canvas)
    canvas.draw(
      TextFit.cut(caption, columns: canvas.width - 2), at: 1, row: picture.canvas.height,
      style: Style(.header, bold: true))
    try base.show(Picture(canvas: canvas, cursor: picture.cursor))
  }

  var wantsEveryPicture: Bool { base.wantsEveryPicture }

  func redraw() throws { try base.redraw() }

  var keys: [String: [UInt8]] { base.keys }

  func copy(_ text: String) -> Bool { base.copy(text) }

  func use(theme name: String) throws { try base.use(theme: name) }

  func hear(mouse isHeard: Bool) { base.hear(mouse: isHeard) }

  func suspend() throws { try base.suspend() }

  func resume() throws { try base.resume() }

  func outside<Value>(_ body: () throws -> Value) throws -> Value { try base.outside(body) }

  func end() throws { try base.end() }
}

/// A file that a command makes: it appears whole or not at all, and replaces another only when told.
struct NewFile {
  /// Where it is to stand.
  let path: String
  private let replaces: Bool
  private let removesLeftovers: Bool
  /// Whether a file stood there when the work began.
  let replacesOther: Bool

  /// Looks before the work begins whether the file may be made.
  ///
  /// - Parameter removesLeftovers: whether what killed writers of this file left is removed; who writes many
  ///   files into one directory does that once.
  /// - Throws: ``Failure`` 73 when one stands there, or something that is no file.
  init(_ path: String, replacing: Bool, removesLeftovers: Bool = true) throws(Failure) {
    self.path = path
    self.removesLeftovers = removesLeftovers
    replaces = replacing
    var status = stat()
    guard stat(path, &status) == 0 else {
      // A link to nothing counts as nothing; of anything else it is not known what is there.
      guard errno == ENOENT || errno == ENOTDIR else { throw .system(errno, path) }
      replacesOther = false
      return
    }
    replacesOther = true
    // Renaming onto a device would put a file in its place.
    if status.st_mode & S_IFMT != S_IFREG {
      throw Failure(.cannotCreate, "\(path): is no regular file; name another one")
    }
    if !replacing {
      throw Failure(.cannotCreate, "\(path): exists; --force replaces it")
    }
  }

  /// Writes a text, whole or not at all.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77; what stood there still stands.
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

  /// The same for what is written bit by bit.
  ///
  /// - Parameter body: writes to a descriptor.
  /// - Throws: ``Failure`` 73, 74 or 77, and what `body` throws; what stood there still stands.
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

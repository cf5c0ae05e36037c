import Files
import Glibc
import Journal
import JournalStore
import Screen

/// The picture on the clipboard of the desktop, by the program that reads it: `wl-paste` or `xclip`.
struct ClipboardPicture {
  /// The command that prints the types of the clipboard, a line for each.
  let listing: String
  /// The command that prints what is there of a type.
  let reading: (String) -> String

  /// The program for the desktop of the environment; `nil` without one.
  static func ofDesktop(
    _ variable: (String) -> String? = { Places.variable($0) }
  ) -> ClipboardPicture? {
    let path = variable("PATH") ?? ""
    if variable("WAYLAND_DISPLAY") != nil, ProgramSearch.find("wl-paste", in: path) != nil {
      return ClipboardPicture(listing: "wl-paste --list-types") { "wl-paste --type \($0)" }
    }
    if variable("DISPLAY") != nil, ProgramSearch.find("xclip", in: path) != nil {
      let xclip = "xclip -selection clipboard -out -target"
      return ClipboardPicture(listing: "\(xclip) TARGETS") { "\(xclip) \($0)" }
    }
    return nil
  }

  /// The types that are taken, the best first.
  private static let types = ["png", "jpeg", "webp", "gif", "tiff", "bmp"]

  /// How long the clipboard's program may take, in seconds.
  private static let seconds = 10

  /// Writes the picture into a directory.
  ///
  /// - Returns: the path, and the suffix for its name.
  /// - Throws: ``Failure`` without a picture, or if the program does not answer.
  func written(to directory: String) throws(Failure) -> (path: String, suffix: String) {
    let offered = try output(of: listing)
    let lines = Set(String(decoding: offered, as: UTF8.self).split(whereSeparator: \.isNewline))
    guard let type = Self.types.first(where: { lines.contains("image/\($0)") }) else {
      throw Failure(.notDone, "the clipboard has no picture")
    }
    let path = "\(directory)/picture"
    let quoted = path.replacing("'", with: "'\\''")
    _ = try output(of: "\(reading("image/\(type)")) > '\(quoted)'")
    return (path, type == "jpeg" ? "jpg" : type)
  }

  private func output(of command: String) throws(Failure) -> [UInt8] {
    let name = command.prefix { $0 != " " }
    guard let (bytes, code) = try SubProcess.output(of: command, seconds: Self.seconds) else {
      throw Failure(.notDone, "\(name) did not answer")
    }
    // A shell's codes for a program that cannot be run.
    guard code != 126, code != 127 else { throw Failure(.notDone, "\(name) cannot be run") }
    // An empty clipboard is an error of both programs.
    guard code == 0 else { throw Failure(.notDone, "the clipboard has no picture") }
    return bytes
  }
}

extension ProgramRunner {
  /// Appends the picture of the clipboard to an entry.
  func pastePicture(to target: Target) throws {
    guard journal.store.keepsFiles else {
      throw StoreError.keepsNoFiles(at: journal.store.path)
    }
    guard let clipboard = ClipboardPicture.ofDesktop() else {
      throw Failure(.notDone, "no clipboard with pictures here; install wl-clipboard or xclip")
    }
    let directory = try TemporaryDirectory(
      "daybook-file", in: journal.store.key == nil ? nil : MemoryDirectory.ofUser.make())
    let (path, suffix) = try clipboard.written(to: directory.path)
    let time = journal.store.clock.moment().description
    let name =
      "Picture \(time.prefix(10)) \(time.dropFirst(11).prefix(8).replacing(":", with: ".")).\(suffix)"
    let content = try FileContent(path, named: name)
    guard content.stored.size > 0 else { throw Failure(.notDone, "the clipboard has no picture") }
    let number = try journal.actions.number(of: target)
    send(.journal(.saved(try journal.actions.attach(content, to: number))))
  }
}

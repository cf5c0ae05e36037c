import CNcurses
import Files
import Glibc
import TextLayout

/// The terminal in which tmux is shown, which may have fewer colours than tmux promises.
///
/// tmux replaces what its terminal lacks, and all darker greys by black: on a dark background that text is
/// gone. It says nothing about its terminal in control sequences, so its own program is asked, once a run.
package struct MultiplexerClient {
  /// The name of its terminal's description.
  let name: String
  /// The features that tmux knows of it: `256`, `RGB`.
  let features: Set<String>
  /// The name that its terminal has for itself, as XTVERSION: `kitty(0.35.2)`.
  let ownName: String
  /// Whether tmux passes sequences on to it.
  let passesOn: Bool

  /// The longest wait in milliseconds, for a server that hangs.
  private static let patience: Int32 = 250

  /// Asks the tmux around this process; nil without one, and without an answer.
  package init?() {
    guard getenv("TMUX") != nil, let answer = Self.ask() else { return nil }
    self.init(answer: answer)
  }

  /// Parses `NAME FEATURE,FEATURE|on OWNNAME`.
  init?(answer: String) {
    let parts = answer.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let words = (parts.first ?? "").split(whereSeparator: { $0 == " " || $0 == "\n" }).map(
      String.init)
    let more = (parts.count > 1 ? parts[1] : "").split(whereSeparator: { $0 == " " || $0 == "\n" })
    // Up to version 3.3 the option is a flag.
    passesOn = more.first.map { ["on", "all", "1"].contains($0) } ?? false
    ownName = more.dropFirst().joined(separator: " ")
    guard let name = words.first else { return nil }
    self.name = name
    features = Set(words.dropFirst().first?.split(separator: ",").map(String.init) ?? [])
  }

  /// The colours that reach the terminal; nil if they are as many as tmux promises.
  package var limit: ColorProfile? {
    guard features.isDisjoint(with: ["256", "RGB"]), let colors = Self.colors(of: name),
      colors < 256
    else { return nil }
    return colors >= 8 ? .ansi : .attributes
  }

  /// Whether its terminal shows pictures that are sent through tmux.
  var showsPictures: Bool { passesOn && KittyPictures.hasPlaceholders(ownName) }

  /// The number of colours in a description; nil if there is none.
  private static func colors(of name: String) -> Int? {
    let before = daybook_current_terminal()
    defer { daybook_set_current_terminal(before) }
    var problem: Int32 = 0
    guard setupterm(name, STDOUT_FILENO, &problem) == OK else { return nil }
    defer { daybook_forget_current_terminal() }
    return Int(daybook_terminal_number("colors"))
  }

  private static func ask() -> String? {
    let searched =
      getenv("PATH").map { String(cString: $0) } ?? ProgramSearch.standardPath
    guard let path = ProgramSearch.find("tmux", in: searched) else { return nil }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let variables = ["TMUX", "TMUX_PANE", "TMUX_TMPDIR", "HOME", "PATH", "LANG", "LC_ALL"]
    let environment = variables.compactMap { name in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    let format =
      "#{client_termname} #{client_termfeatures}|#{allow-passthrough} #{client_termtype}"
    let program = ProgramStart(
      path, ["tmux", "display-message", "-p", format], environment: environment,
      redirections: [
        .file("/dev/null", flags: O_RDWR, as: 0), .descriptor(ends[1], as: 1),
        .file("/dev/null", flags: O_RDWR, as: 2),
      ])
    let process = try? program.run()
    close(ends[1])
    guard let process else { return nil }
    let answer = read(ends[0])
    if answer == nil { kill(process, SIGKILL) }
    let code = try? ProgramStart.exitCode(of: process)
    return code == 0 ? answer : nil
  }

  /// All that is written until the end; nil if it takes too long.
  private static func read(_ descriptor: Int32) -> String? {
    var poll = Poll()
    var (bytes, buffer): ([UInt8], [UInt8]) = ([], .init(repeating: 0, count: 1_024))
    let start = ContinuousClock.now
    while bytes.count < 16_384 {
      let passed = Int32(min(start.duration(to: .now) / .milliseconds(1), 1e6))
      guard passed < patience,
        let ready = try? poll.wait(for: [.reading(descriptor)], milliseconds: patience - passed),
        ready.contains(where: { $0.revents != 0 })
      else { return nil }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
    return nil
  }
}

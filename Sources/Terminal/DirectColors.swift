import CNcurses
import Files
import Glibc

/// A terminfo description with 24-bit colours, for a terminal that has them although the description
/// of its `TERM` lists 256.
///
/// `COLORTERM` names such terminals; `TERM` is `xterm-256color` in nearly all of them, and ncurses
/// refuses colour numbers above its description's count. The new description uses the old one and
/// replaces its colours. `tic`, which every Debian system has, compiles it once into a directory of
/// the user's cache.
struct DirectColors {
  /// The name of the description, for `newterm`.
  let name: String
  /// The directory with the compiled description.
  let directory: String

  /// Finds or compiles the description; nil if the terminal has no more colours, if its description
  /// has them all already, or if `tic` fails.
  ///
  /// Call it after `setupterm`.
  ///
  /// - Parameters:
  ///   - term: The value of `TERM`.
  ///   - cache: The directory; it is made if needed, its parent too.
  init?(for term: String, cache: String) {
    guard Self.isPromised(term), term.utf8.allSatisfy(Self.isSafe),
      daybook_terminal_flag("RGB") == 0,
      daybook_terminal_number("colors") >= 256, let colors = daybook_terminal_string("setaf"),
      String(cString: colors).hasPrefix("\u{1B}[")
    else { return nil }
    name = "daybook-\(term)"
    directory = cache
    if access("\(cache)/d/\(name)", R_OK) != 0, !compile(from: term) { return nil }
  }

  /// Whether `COLORTERM` promises 24-bit colours; GNU screen passes it on but does not have them.
  private static func isPromised(_ term: String) -> Bool {
    guard let value = getenv("COLORTERM") else { return false }
    let isScreen = term.hasPrefix("screen") && getenv("TMUX") == nil
    return ["truecolor", "24bit"].contains(String(cString: value)) && !isScreen
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"):
      true
    default: false
    }
  }

  /// The source of the description: colours below 8 are those of the palette, all others are red,
  /// green and blue.
  private func source(from term: String) -> String {
    let channels = "%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
    func color(_ start: Int) -> String {
      "\\E[%?%p1%{8}%<%t\(start)%p1%d%e\(start)8;2;\(channels)%;m"
    }
    return """
      \(name)|\(term) with 24-bit colours,
      \tRGB, ccc@, initc@, colors#0x1000000, pairs#0x7FFF,
      \tsetaf=\(color(3)), setab=\(color(4)), use=\(term),

      """
  }

  /// Compiles the description into a directory of its own, then copies it: other processes see all
  /// of it or nothing.
  private func compile(from term: String) -> Bool {
    let own = "\(directory).\(getpid())"
    guard (try? Directory.make(Directory.of(directory))) != nil, mkdir(own, 0o700) == 0 else {
      return false
    }
    let file = "\(own)/source"
    defer {
      unlink(file)
      unlink("\(own)/d/\(name)")
      rmdir("\(own)/d")
      rmdir(own)
    }
    guard let stream = fopen(file, "wx") else { return false }
    let isWritten = fputs(source(from: term), stream) >= 0
    guard fclose(stream) == 0, isWritten else { return false }
    let variables: [String] = ["HOME", "TERMINFO", "TERMINFO_DIRS"]
    let environment = variables.compactMap { name in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    let tic = ProgramStart(
      "/usr/bin/tic", ["tic", "-x", "-o", own, file], environment: environment,
      redirections: [0, 1, 2].map { .file("/dev/null", flags: O_RDWR, as: $0) })
    guard let process = try? tic.run(), (try? ProgramStart.exitCode(of: process)) == 0 else {
      return false
    }
    do {
      try Directory.make("\(directory)/d")
      try AtomicFile("\(directory)/d/\(name)").write(RegularFile.read("\(own)/d/\(name)"))
      return true
    } catch {
      return false
    }
  }

  /// Runs a function while ncurses searches the directory before its own ones.
  func whileSearched<Result>(_ body: () -> Result) -> Result {
    let others = getenv("TERMINFO_DIRS").map { String(cString: $0) } ?? ""
    // An empty part means the directories that ncurses was built with.
    return withEnvironment(["TERMINFO_DIRS": "\(directory):\(others)"], body)
  }
}

import ArgumentParser
import Files
import Glibc
import Screen
import TextLayout

/// The user's pager: a shell command that shows long output page by page.
struct Pager: Equatable {
  /// The shell command.
  let command: String
  /// Whether it shows a sealed journal: `less` then keeps no history of searches.
  var leavesNoTrace = false

  /// The pager that the user wants, as in git: `DAYBOOK_PAGER`, the setting, `PAGER`, else `less`.
  ///
  /// - Returns: `nil` if that is empty or `cat`, on a terminal that cannot move its cursor, and if
  ///   there is no such program.
  static func ofUser(
    _ settings: Settings, variable: (String) -> String? = Self.variable
  ) -> Pager? {
    let command =
      variable("DAYBOOK_PAGER") ?? settings.pager ?? variable("PAGER") ?? Self.standard
    guard !command.allSatisfy(\.isWhitespace), command != "cat",
      !["", "dumb"].contains(variable("TERM") ?? ""), isThere(command, variable("PATH") ?? "")
    else { return nil }
    return Pager(command: command)
  }

  private static let standard = "less"

  /// A variable of the environment; an empty one too.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Whether the program of a command exists; the shell decides about anything but plain words.
  private static func isThere(_ command: String, _ path: String) -> Bool {
    let isPlain = command.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"),
        UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: " "):
        true
      default: false
      }
    }
    guard isPlain, let word = command.split(separator: " ").first else { return true }
    return ProgramSearch.find(String(word), in: path) != nil
  }

  /// Starts the pager.
  ///
  /// `less` gets the options that git gives it: it ends by itself if one page is enough, keeps
  /// colours, and leaves the text on the screen.
  ///
  /// - Returns: the running pager; `nil` if it cannot be started.
  func start() -> Running? {
    // The pager must not hold its own input open.
    guard let ends = try? Descriptor.pipe() else { return nil }
    var options = [("LESS", "FRX"), ("LV", "-c")].filter { Self.variable($0.0) == nil }
    if leavesNoTrace { options.append(("LESSHISTFILE", "-")) }
    let process = try? SubProcess.spawn(
      ["sh", "-c", command], executable: "/bin/sh", descriptors: [(ends.reading, STDIN_FILENO)],
      adding: options.map { "\($0.0)=\($0.1)" })
    close(ends.reading)
    guard let process else {
      close(ends.writing)
      return nil
    }
    return Running(process: process, input: ends.writing)
  }

  /// A started pager.
  final class Running {
    /// Its standard input.
    let input: Int32
    private let process: pid_t

    fileprivate init(process: pid_t, input: Int32) {
      self.process = process
      self.input = input
      // ^C and ^\ are keys of the pager; the shell must not take the terminal back before its end.
      KeySignals.ignore()
    }

    /// Ends its input and waits until the user leaves it.
    func end() {
      close(input)
      _ = try? ProgramStart.exitCode(of: process)
      KeySignals.restore()
    }
  }
}

/// The option of commands whose output may be long.
struct PagerOptions: ParsableArguments {
  @Flag(help: "Print without the pager.") var noPager = false
}

/// The lines that output takes on a terminal.
enum ScreenRows {
  /// Whether a text takes at least as many lines as a screen has.
  ///
  /// Widths are estimated from above, and attributes have none: a pager that need not have been
  /// started ends by itself, but one line too many would scroll.
  static func fill(_ bytes: [UInt8], columns: Int, rows: Int) -> Bool {
    var (lines, width, isEscape) = (0, 0, false)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"):
        lines += 1 + max(0, width - 1) / max(1, columns)
        if lines >= rows { return true }
        width = 0
      case 0x1B: isEscape = true
      case _ where isEscape: isEscape = byte != UInt8(ascii: "m")
      case UInt8(ascii: "\t"): width += 8
      // Bytes after the first one of a character.
      case 0x80..<0xC0: break
      // East Asian characters and emoji have three or four bytes, and two columns.
      case 0xE0...: width += 2
      default: width += 1
      }
    }
    return false
  }
}

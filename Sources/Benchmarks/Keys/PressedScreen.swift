import Foundation

/// Presses keys on the real screen of a journal, each in a program of its own.
struct PressedScreen {
  let bench: Bench
  let journal: String

  /// How long a program must do nothing to be at rest, in milliseconds.
  private static let quiet = 20.0
  /// The same on the way to a page.
  private static let shortQuiet = 6.0
  /// Work that goes on longer after the first output is met by another key, in milliseconds.
  private static let longest = 8.0
  /// The bytes that show the cursor, which only prompts do.
  private static let cursor = "\u{1b}[?25h"
  private static let redraw = "\u{0c}"

  /// Checks that the keys to each page open it: else those of another page would be measured.
  func checkPages() throws {
    for page in MeasuredPage.allCases {
      let screen = try start(page.path)
      defer { screen.kill() }
      // A line that did not change is not sent again; the order menu takes no other key.
      if page.context != .order {
        screen.forgetOutput()
        try press(Self.redraw, in: screen, quiet: Self.quiet)
      }
      guard !page.sign.isEmpty, screen.hasShown(page.sign) else {
        throw BenchError("the keys to “\(page.rawValue)” do not show “\(page.sign)”")
      }
    }
  }

  /// Presses a key, and if its work goes on after the first output, in a second program another key after it.
  func press(_ press: KeyPress) throws -> KeyTimes {
    var times = try measure(press) { screen, key in
      let first = Monotonic.milliseconds(
        from: key.time, to: try screen.restOrEnd(since: key) { _ in true })
      let rest = Monotonic.milliseconds(
        from: key.time, to: try screen.restOrEnd(quiet: Self.quiet))
      // The end of the program shows the cursor again, and no key can follow it.
      guard !screen.hasEnded else { return KeyTimes(first: first, rest: first) }
      return KeyTimes(first: first, rest: rest, opensPrompt: screen.hasShown(Self.cursor))
    }
    guard times.rest - times.first > Self.longest else { return times }
    times.next = try measure(press) { screen, key in
      _ = try screen.restOrEnd(since: key) { _ in true }
      screen.forgetOutput()
      let next = try screen.press(EveryKeyRow.marker)
      return Monotonic.milliseconds(
        from: next.time,
        to: try screen.restOrEnd(since: next) { $0.hasShown(EveryKeyRow.marker) })
    }
    return times
  }

  private func measure<Value>(
    _ press: KeyPress, _ body: (TerminalProcess, PressedKey) throws -> Value
  ) throws -> Value {
    do {
      let screen = try start(press.path)
      defer { screen.kill() }
      screen.forgetOutput()
      return try body(screen, screen.press(press.key))
    } catch {
      throw BenchError("\(press.words): \(error)")
    }
  }

  private func press(_ keys: String, in screen: TerminalProcess, quiet: Double) throws {
    let key = try screen.press(keys)
    _ = try screen.restOrEnd(quiet: quiet, since: key)
  }

  /// Starts a program and presses keys, each when it is at rest.
  private func start(_ path: [String]) throws -> TerminalProcess {
    // Drafts and places of the program before it.
    for directory in [".local", ".config", ".cache"] {
      try? FileManager.default.removeItem(atPath: "\(bench.data.work)/\(directory)")
    }
    // Wide enough for the sidebar.
    let screen = try bench.screen(journal, columns: 120, lines: 40).process
    do {
      _ = try screen.rest(quiet: Self.shortQuiet)
      for keys in path { try press(keys, in: screen, quiet: Self.shortQuiet) }
      _ = try screen.rest(quiet: Self.quiet)
    } catch {
      screen.kill()
      throw error
    }
    return screen
  }
}

/// A key that was pressed in a program.
private struct PressedKey {
  /// The time of the press.
  let time: UInt64
  /// The processor time of the program before it.
  let worked: Int
}

extension TerminalProcess {
  /// Presses a key.
  fileprivate func press(_ key: String) throws -> PressedKey {
    let worked = try ProcessStatistics(pid: child.pid).nanoseconds
    let time = Monotonic.now()
    send(key)
    return PressedKey(time: time, worked: worked)
  }

  /// Reads until the program has nothing left to do or has ended, as some keys ask it to.
  fileprivate func restOrEnd(
    quiet: Double = 20, since key: PressedKey? = nil,
    until isEnough: (TerminalProcess) -> Bool = { _ in false }
  ) throws -> UInt64 {
    do {
      return try rest(quiet: quiet, since: key?.worked, until: isEnough)
    } catch  where readOnce(timeout: 100) == nil {
      return Monotonic.now()
    }
  }
}

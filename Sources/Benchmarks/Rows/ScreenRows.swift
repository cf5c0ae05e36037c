import Glibc

/// Rows 7, 8 and 14: the real screen over a large journal: another process's commits, keys, idling.
struct ScreenRows {
  let bench: Bench

  private var count: String { "\(Bench.words(bench.large)) entries" }

  /// Row 7.
  func notice() throws -> [Figure] {
    let samples = try notice(
      try bench.data.copy(bench.large, as: "notice"), rounds: bench.isQuick ? 20 : 100)
    return [
      Figure(
        row: 7, name: "another process's commit until shown, 95 of 100, \(count)",
        value: samples.quantile(0.95), goal: Goal(most: 5)),
      Figure(
        row: 7, name: "another process's commit until shown, median, \(count)",
        value: samples.median),
    ]
  }

  /// The time from each commit of another process until the screen shows it.
  func notice(_ journal: String, rounds: Int) throws -> Samples {
    let screen = try bench.screen(journal).process
    screen.settle(milliseconds: 200)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchError("no pipe") }
    // Only the writer may have a copy of the writing end, or the pipe would never end.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let writer = try ChildProcess(
      [bench.itself, WriterProgram.option, journal, "\(rounds)"], environment: bench.environment,
      output: ends[1])
    close(ends[1])
    let lines = fdopen(ends[0], "r")
    defer { fclose(lines) }
    var samples = Samples()
    for round in 0..<rounds {
      let shown = try screen.wait(for: WriterProgram.title(round))
      samples.add(Monotonic.milliseconds(from: try number(lines), to: shown))
      // The newest entry is selected, so that no later one is above the visible part of the list.
      screen.send("gg")
      screen.settle(milliseconds: 5)
    }
    try writer.wait()
    screen.send("q")
    _ = try screen.end()
    return samples
  }

  private func number(_ stream: UnsafeMutablePointer<FILE>?) throws -> UInt64 {
    var line = [CChar](repeating: 0, count: 64)
    guard let stream, fgets(&line, 64, stream) != nil,
      let number = UInt64(String(decoding: line.prefix { $0 > 32 }.map(UInt8.init), as: UTF8.self))
    else { throw BenchError("the writing process ended early") }
    return number
  }

  /// Row 8.
  func keys() throws -> [Figure] {
    let journal = try bench.data.copy(bench.large, as: "keys")
    return try [("sections", ""), ("flat", "ox")].flatMap { list, keys in
      let screen = try bench.screen(journal).process
      screen.settle(milliseconds: 200)
      screen.send(keys)
      screen.settle(milliseconds: 1_000)
      let figures = try [("line down", "j"), ("page down", "\u{06}")].map { name, key in
        Figure(
          row: 8, name: "\(name), 99 of 100, \(list), \(count)",
          value: try presses(key, in: screen, bench.rounds * 20).quantile(0.99),
          goal: Goal(most: 2))
      }
      screen.send("q")
      _ = try screen.end()
      return figures
    }
  }

  /// The time from each page down to the first byte of output, in the list by day.
  func pages(_ journal: String) throws -> Samples {
    let screen = try bench.screen(journal).process
    screen.settle(milliseconds: 200)
    // A small journal has few pages, so that down and up alternate.
    var samples = Samples()
    for _ in 0..<bench.rounds * 10 {
      for key in ["\u{06}", "\u{02}"] {
        for value in try presses(key, in: screen, 1).values { samples.add(value) }
      }
    }
    screen.send("q")
    _ = try screen.end()
    return samples
  }

  /// The time from each press of a key to the first byte of output.
  func presses(_ key: String, in screen: TerminalProcess, _ count: Int) throws -> Samples {
    var samples = Samples()
    for _ in 0..<count {
      screen.settle(milliseconds: 2)
      let pressed = Monotonic.now()
      screen.send(key)
      guard screen.readOnce(timeout: 2_000) == true else { throw BenchError("a key was ignored") }
      samples.add(Monotonic.milliseconds(since: pressed))
    }
    return samples
  }

  /// Row 14.
  func idle() throws -> [Figure] {
    let seconds = bench.isQuick ? 2 : 10
    let screen = try bench.screen(try bench.data.sample(bench.large)).process
    screen.settle(milliseconds: 1_000)
    let before = try ProcessStatistics(pid: screen.child.pid)
    sleep(UInt32(seconds))
    let after = try ProcessStatistics(pid: screen.child.pid)
    screen.send("q")
    _ = try screen.end()
    return [
      Figure(
        row: 14, name: "wake-ups in \(seconds) s of rest",
        value: Double(after.sleeps - before.sleeps), unit: .times, goal: Goal(most: 0)),
      Figure(
        row: 14, name: "processor time in \(seconds) s of rest",
        value: Double(after.nanoseconds - before.nanoseconds) / 1_000_000, goal: Goal(most: 0)),
    ]
  }
}

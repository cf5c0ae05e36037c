import TestSupport

/// Row 18: the memory of the program after many random intents, which a user would have in weeks.
struct IntentRow {
  let bench: Bench

  /// All at 100,000 intents; otherwise as many as fit into a run of ten minutes.
  private var intents: Int { bench.isQuick ? 2_000 : bench.isFull ? 100_000 : 5_000 }
  private static let warmUp = 1_000

  func measure() throws -> [Figure] {
    let journal = try bench.data.copy(bench.large, as: "intents")
    let screen = try bench.screen(journal).process
    var random = SeededGenerator(seed: 18)
    var before = 0
    do {
      for number in 0..<intents {
        screen.send(Intents.next(number, &random))
        // An intent at a time: keys that arrive together would skip the frames between them.
        guard let hadOutput = screen.readOnce(timeout: 20) else {
          throw BenchError("the program ended after \(number) intents")
        }
        if hadOutput { screen.settle(milliseconds: 0) }
        screen.forgetOutput()
        if number + 1 == Self.warmUp { before = try memory(screen) }
      }
      let after = try memory(screen)
      screen.send("Q")
      _ = try screen.end()
      let entries = "\(Bench.words(bench.large)) entries"
      return [
        Figure(
          row: 18, name: "memory after \(Bench.words(intents)) random intents, \(entries)",
          value: Double(after) / 1_024, unit: .mebibytes,
          peer: ("after the first \(Bench.words(Self.warmUp))", Double(before) / 1_024),
          goal: Goal(mostRatio: 1.1))
      ]
    } catch {
      screen.kill()
      throw error
    }
  }

  /// The resident memory in KiB when nothing is left to do, in the list.
  private func memory(_ screen: TerminalProcess) throws -> Int {
    screen.send("\u{1b}")
    _ = try screen.rest(seconds: 600)
    return try ProcessStatistics(pid: screen.child.pid).kibibytes
  }
}

/// Random intents, each the keys that begin and end in the list: Esc leaves what has opened, and ends
/// nothing where nothing could open, as in an empty list.
enum Intents {
  private static let moves = [
    "j", "k", "\u{04}", "\u{15}", "\u{06}", "\u{02}", "gg", "G", "{", "}", "5j", "zt", "zz",
    "\u{0f}",
    "\u{0e}",
  ]
  private static let views = [
    "\rjG\u{1b}", "/bread\r", "n", "N", "\u{1b}", "f#home\r", "fbread garden\r", "za", "zM", "zR",
    "p", "P",
    "gs", "Mjj\u{1b}", "gij\u{1b}", "oo", "on", "oc", "om", "od", "H\u{1b}", "?j\u{1b}",
  ]
  private static let changes = ["s", "s", "d", "u", "u", "\u{12}", "x", "tbench\r"]

  /// The keys of an intent: eight in ten move, three in twenty change, one looks at something else.
  static func next(_ number: Int, _ random: inout SeededGenerator) -> String {
    switch random.below(20) {
    case 0..<16: moves[random.below(moves.count)]
    case 16..<19:
      random.oneIn(4) ? "aWritten \(number) #bench\r" : changes[random.below(changes.count)]
    default: views[random.below(views.count)]
    }
  }
}

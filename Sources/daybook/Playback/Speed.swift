import ArgumentParser

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

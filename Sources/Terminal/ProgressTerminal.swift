import Glibc
import TextLayout

/// A terminal that shows the progress of long work in its tab or in the task bar (OSC 9;4).
///
/// No question finds it out, and terminals without it show the sequence as a message on the desktop. So it
/// is sent only where a variable that the terminal sets and documents names it, and not behind a
/// multiplexer, which passes such variables on from another terminal.
package struct ProgressTerminal {
  private let descriptor: Int32
  private let isGuarded: Bool
  private var shown: [UInt8] = []

  /// Looks for the variables; nil if there are none, or if the descriptor is not a terminal.
  ///
  /// - Parameter isGuarded: whether a crash ends the progress; the screen's own guard does so else.
  package init?(descriptor: Int32, isGuarded: Bool = false) {
    guard isatty(descriptor) == 1, Self.isNamed({ getenv($0).map { String(cString: $0) } }) else {
      return nil
    }
    self.descriptor = descriptor
    self.isGuarded = isGuarded
  }

  /// Whether variables name a terminal that shows progress.
  ///
  /// - Parameter variable: the value of a variable.
  package static func isNamed(_ variable: (String) -> String?) -> Bool {
    guard variable("TMUX") == nil, variable("STY") == nil else { return false }
    let version = variable("TERM_PROGRAM_VERSION") ?? ""
    let numbers = version.split { !$0.isNumber }.compactMap { Int($0) }
    switch variable("TERM_PROGRAM") {
    // 1.0 and 1.1 ignore it, and older ones show messages.
    case "ghostty": return !numbers.lexicographicallyPrecedes([1, 2])
    // The date of the version: 20240203 shows messages.
    case "WezTerm": return (numbers.first ?? 0) >= 20_250_301
    default: break
    }
    if variable("ConEmuANSI") == "ON" || variable("WT_SESSION") != nil { return true }
    let ptyxis = variable("PTYXIS_VERSION")?.split(separator: ".").first.flatMap { Int($0) }
    if let ptyxis { return ptyxis >= 48 }
    return features(of: variable("TERM_FEATURES") ?? "").contains("P")
  }

  /// The features in `TERM_FEATURES` of iTerm2: `T3CwLr`, a capital letter begins each.
  private static func features(of text: String) -> Set<String> {
    var features: Set<String> = []
    var word = ""
    for character in text where !character.isNumber {
      if character.isUppercase, !word.isEmpty {
        features.insert(word)
        word = ""
      }
      word.append(character)
    }
    return features.union([word])
  }

  /// Shows the share of finished work, from 0 to 1; nil if it is not known.
  package mutating func show(share: Double?) {
    let percent = share.map { Int(min(max($0, 0), 1) * 100) }
    write(percent.map(TerminalFeature.progress(percent:)) ?? TerminalFeature.progress.on)
  }

  /// Ends it.
  package mutating func clear() {
    guard !shown.isEmpty else { return }
    write(TerminalFeature.progress.off)
    shown = []
    if isGuarded { CrashGuard.remove() }
  }

  private mutating func write(_ bytes: [UInt8]) {
    guard bytes != shown else { return }
    if isGuarded, shown.isEmpty {
      CrashGuard.install(terminal: descriptor, restore: TerminalFeature.progress.off)
    }
    shown = bytes
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }
}

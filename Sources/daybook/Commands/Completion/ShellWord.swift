import ArgumentParser
import Glibc

/// The word a shell completes: without quotes, and whole where the shell has parted it.
///
/// bash takes a colon for the end of a word (`is:st` comes as `is`, `:`, `st`), and puts what it is
/// given in the place of the last part alone.
struct ShellWord {
  /// The word as far as it is typed.
  let text: String
  /// What of it stands before the part that the shell replaces.
  private let prefix: String

  /// Finds the last word.
  init(_ words: [String], _ shell: CompletionShell?) {
    let last = words.last ?? ""
    guard shell == .bash, let (prefix, part) = Self.joined(words) else {
      text = Self.plain(last)
      prefix = ""
      return
    }
    self.prefix = prefix
    text = prefix + part
  }

  /// What the shell is given for a candidate.
  func rest(of candidate: String) -> String {
    candidate.hasPrefix(prefix) ? String(candidate.dropFirst(prefix.count)) : candidate
  }

  private static func joined(_ words: [String]) -> (prefix: String, part: String)? {
    if words.count >= 2, words.last == ":" {
      return (plain(words[words.count - 2]) + ":", "")
    }
    guard words.count >= 3, words[words.count - 2] == ":", let last = words.last else { return nil }
    return (plain(words[words.count - 3]) + ":", plain(last))
  }

  /// A word without the quotes and backslashes that the shell would take away.
  static func plain(_ word: String) -> String {
    var text = ""
    var isEscaped = false
    for scalar in word.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
      } else if isEscaped || (scalar != "'" && scalar != "\"") {
        text.unicodeScalars.append(scalar)
        isEscaped = false
      }
    }
    guard text.hasPrefix("~/"), let home = getenv("HOME") else { return text }
    return String(cString: home) + text.dropFirst()
  }
}

import Files
import Glibc
import TerminalUI

/// Messages to people: one line each, and nothing in them can steer a terminal.
enum Console {
  /// Says on standard error what went wrong.
  static func complain(_ message: String) {
    let line = "daybook: \(Sanitizer.plainLine(message))\n"
    _ = Descriptor.writeAll(STDERR_FILENO, Array(line.utf8))
  }

  /// Says why the program ends: on standard error, or on standard output where that cannot be written.
  static func complainAtEnd(_ message: String) {
    let line = Array("daybook: \(Sanitizer.plainLine(message))\n".utf8)
    if Descriptor.writeAll(STDERR_FILENO, line) != 0 {
      _ = Descriptor.writeAll(STDOUT_FILENO, line)
    }
  }

  /// Says on standard error what a person may wonder about; a script that reads on need not hear it.
  static func hint(_ message: String) {
    if isatty(STDERR_FILENO) == 1 { complain(message) }
  }

  /// Puts a question on standard error, without a line end.
  static func ask(_ question: String) {
    _ = Descriptor.writeAll(STDERR_FILENO, Array(Sanitizer.plain(question).utf8))
  }

  /// Puts a question on standard error and reads the answer, a line of standard input.
  ///
  /// - Returns: whether it was `y` or `yes`.
  static func agrees(_ question: String) -> Bool {
    ask(question)
    let answer = StandardInput.line()?.lowercased()
    // A terminal has shown the answer with its line end.
    if !StandardInput.isTerminal { ask("\n") }
    return answer == "y" || answer == "yes"
  }

  /// Prints a text of ours on standard output.
  ///
  /// - Throws: ``Output/Closed`` or ``Failure`` 74.
  static func tell(_ text: String) throws {
    let output = Output()
    try output.line(text)
    try output.flush()
  }

  /// Prints what a change did.
  ///
  /// Who cannot be told must at least not make it again: a failure says that it is done.
  ///
  /// - Parameter done: what is done, in a sentence.
  /// - Throws: ``Output/Closed`` or ``Failure`` 74.
  static func tellDone(_ text: String, _ done: String = "the change is made") throws {
    do {
      try tell(text)
    } catch let failure as Failure {
      throw Failure(exitCode: failure.code, "\(done), but \(failure.message)")
    }
  }
}

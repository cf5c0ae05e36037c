import Glibc
import TerminalUI

/// The command line's words, from the bytes that the system gave.
///
/// `CommandLine.arguments` replaces what is not UTF-8 without a word; a journal must not store that.
enum ArgumentBytes {
  /// The words after the program's name.
  ///
  /// - Throws: ``Failure`` 65 naming the word and the byte.
  static func words() throws(Failure) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, ProcessArguments.count) {
      guard let start = ProcessArguments.bytes(index) else { break }
      let bytes = UnsafeBufferPointer(start: start, count: strlen(start)).map(
        UInt8.init(bitPattern:))
      words.append(try TextInput.text(from: bytes[...], name: "argument \(index)"))
    }
    return words
  }
}

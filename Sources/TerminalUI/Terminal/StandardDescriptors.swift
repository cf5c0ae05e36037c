import CTerminal
import Glibc

/// The descriptors 0 to 2, which every program takes for granted and no parent must give.
public enum StandardDescriptors {
  /// Opens `/dev/null` on each of them that is closed.
  ///
  /// Otherwise the journal's file would get the number of standard output, and a message would
  /// be written into it. To be called first of all.
  ///
  /// - Throws: ``TerminalError/system(call:code:)`` when `/dev/null` cannot be opened.
  public static func ensureOpen() throws(TerminalError) {
    guard daybook_ensure_standard_descriptors() == 0 else {
      throw .system(call: "/dev/null", code: errno)
    }
  }
}

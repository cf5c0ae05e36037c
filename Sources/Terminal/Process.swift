import CTerminal
import Glibc

/// The command-line arguments, byte for byte.
///
/// Swift's own `CommandLine` replaces invalid UTF-8, and is empty if `/proc` is not mounted.
package enum ProcessArguments {
  /// The number of arguments, including the program's name.
  package static var count: Int { Int(daybook_argument_count()) }

  /// The bytes of an argument, NUL-terminated; the pointer stays valid.
  package static func bytes(_ index: Int) -> UnsafePointer<CChar>? {
    daybook_argument(Int32(index))
  }
}

/// The descriptors 0 to 2, which programs assume to be open.
package enum StandardDescriptors {
  /// Opens `/dev/null` on each of them that is closed.
  ///
  /// Otherwise the journal's file could become standard output, and a message would be written into
  /// it. Call it before anything else.
  ///
  /// - Throws: ``TerminalError/system(call:code:)`` when `/dev/null` cannot be opened.
  package static func ensureOpen() throws(TerminalError) {
    guard daybook_ensure_standard_descriptors() == 0 else {
      throw .system(call: "/dev/null", code: errno)
    }
  }
}

/// Files in memory without a name, for data that must not be stored on a disk.
package enum MemoryFile {
  /// Opens an empty file, closed on exec; -1 and `errno` on failure.
  ///
  /// - Parameter name: the name that tools for open files show.
  package static func open(_ name: String) -> Int32 {
    daybook_memory_file(name)
  }
}

/// Restores the terminal when the program crashes or an unhandled signal kills it.
///
/// The handler only writes prepared bytes, restores the terminal's settings, and passes the signal
/// to the previous handler, so that exit codes and crash reports do not change. It is in C: Swift
/// may allocate or lock anywhere.
package enum CrashGuard {
  /// Runs `body`; a signal that ends the program meanwhile writes bytes to a terminal first.
  ///
  /// - Throws: the errors of `body`, after the guard is removed; then nothing is written.
  package static func around(
    terminal: Int32, restore: [UInt8], _ body: () throws -> Void
  ) rethrows {
    install(terminal: terminal, restore: restore)
    defer { remove() }
    try body()
  }

  /// Saves the settings of a terminal and installs the handler; false if it is not a terminal.
  @discardableResult
  static func install(terminal: Int32, restore: [UInt8]) -> Bool {
    guard daybook_guard_install(terminal) == 0 else { return false }
    set(restore: restore)
    arm(true)
    return true
  }

  /// Sets the bytes that restore the screen, at most 512.
  static func set(restore: [UInt8]) {
    restore.withUnsafeBytes { daybook_guard_set_restore($0.baseAddress, $0.count) }
  }

  /// Sets whether the program owns the terminal now.
  static func arm(_ isOurs: Bool) {
    daybook_guard_arm(isOurs ? 1 : 0)
  }

  /// Restores the previous handlers.
  static func remove() {
    daybook_guard_remove()
  }
}

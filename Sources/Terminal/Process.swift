import CTerminal
import Glibc

/// The words of the command line, byte for byte.
///
/// Swift's own `CommandLine` replaces what is not UTF-8, and has no words at all where `/proc` is not
/// mounted.
package enum ProcessArguments {
  /// How many there are, the program's name included.
  package static var count: Int { Int(daybook_argument_count()) }

  /// The bytes of a word, which end with a zero and stay where they are.
  package static func bytes(_ index: Int) -> UnsafePointer<CChar>? {
    daybook_argument(Int32(index))
  }
}

/// A descriptor that `poll` reports readable when a process has ended.
package final class ProcessDescriptor {
  /// The descriptor.
  package let descriptor: Int32

  /// Opens a descriptor of a process that runs; nil where the kernel has none (before Linux 5.3).
  package init?(_ process: pid_t) {
    descriptor = daybook_process_open(process)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }
}

/// The descriptors 0 to 2, which every program takes for granted and no parent must give.
package enum StandardDescriptors {
  /// Opens `/dev/null` on each of them that is closed.
  ///
  /// Otherwise the journal's file would get the number of standard output, and a message would
  /// be written into it. To be called first of all.
  ///
  /// - Throws: ``TerminalError/system(call:code:)`` when `/dev/null` cannot be opened.
  package static func ensureOpen() throws(TerminalError) {
    guard daybook_ensure_standard_descriptors() == 0 else {
      throw .system(call: "/dev/null", code: errno)
    }
  }
}

/// Files without a name, for what must not lie on a disk.
package enum MemoryFile {
  /// Opens an empty one that another program does not inherit; -1 and `errno` on failure.
  ///
  /// - Parameter name: what tools that list open files show.
  package static func open(_ name: String) -> Int32 {
    daybook_memory_file(name)
  }
}

/// Puts the terminal back when the program crashes or is killed by a signal that nobody hears.
///
/// The handler only writes bytes that were made before, restores the terminal's settings, and
/// hands the signal on to whoever had it, so that exit codes and crash reports stay what they
/// were. It must be in C: Swift may allocate or lock anywhere.
enum CrashGuard {
  /// Remembers the settings of a terminal and installs the handler; false when it is none.
  @discardableResult
  static func install(terminal: Int32, restore: [UInt8]) -> Bool {
    guard daybook_guard_install(terminal) == 0 else { return false }
    restore.withUnsafeBytes { daybook_guard_set_restore($0.baseAddress, $0.count) }
    arm(true)
    return true
  }

  /// Says whether the terminal is ours at the moment.
  static func arm(_ isOurs: Bool) {
    daybook_guard_arm(isOurs ? 1 : 0)
  }

  /// Puts the handlers back that were there before.
  static func remove() {
    daybook_guard_remove()
  }
}

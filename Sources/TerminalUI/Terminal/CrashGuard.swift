import CTerminal

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

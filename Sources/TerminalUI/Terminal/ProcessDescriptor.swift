import CTerminal
import Glibc

/// A descriptor that `poll` reports readable when a process has ended.
public final class ProcessDescriptor {
  /// The descriptor.
  public let descriptor: Int32

  /// Opens a descriptor of a process that runs; nil where the kernel has none (before Linux 5.3).
  public init?(_ process: pid_t) {
    descriptor = daybook_process_open(process)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }
}

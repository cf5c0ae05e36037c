import CFiles
import Glibc

/// A descriptor that `poll` reports readable when a process has ended.
package final class ProcessDescriptor {
  /// -1 if the kernel has none (before Linux 5.3).
  private let descriptor: Int32
  private let process: pid_t

  /// Opens the descriptor of a running process, or of a child that was not waited for; `nil` if there is
  /// no such process.
  package convenience init?(_ process: pid_t) { self.init(process, opening: daybook_process_open) }

  init?(_ process: pid_t, opening open: (pid_t) -> Int32) {
    self.process = process
    descriptor = open(process)
    guard descriptor >= 0 || errno != ESRCH else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Waits until the process has ended; or until a signal comes, another descriptor is readable, or the
  /// time is over.
  ///
  /// - Parameter milliseconds: the longest wait; -1 waits without limit.
  package func wait(or others: [Int32?] = [], milliseconds: Int32 = -1) {
    var poll = Poll()
    // If the system lacks memory for the wait, the callers look again after a short sleep.
    guard descriptor < 0 else {
      _ = try? poll.wait(
        for: ([descriptor] + others).map { .reading($0) }, milliseconds: milliseconds)
      return
    }
    let end = milliseconds < 0 ? nil : ContinuousClock.now + .milliseconds(Int64(milliseconds))
    while !hasEnded, end.map({ .now < $0 }) ?? true {
      guard (try? poll.wait(for: others.map { .reading($0) }, milliseconds: 10)) == nil else {
        return
      }
    }
  }

  private var hasEnded: Bool {
    var information = siginfo_t()
    let code = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    // Only a child can be waited for; any other process ends without a trace.
    return code == 0 ? information.si_signo != 0 : kill(process, 0) != 0 && errno == ESRCH
  }
}

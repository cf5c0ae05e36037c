import Glibc
import Synchronization

/// The signals of ^C and ^\, which are keys of a program that has the terminal: this process ignores them
/// meanwhile.
///
/// Such programs are counted. If two ran at once and each restored the actions that it found, those of the
/// second would be the first one's, and the signals would stay ignored.
enum KeySignals {
  private struct State {
    var count = 0
    var before: [(number: Int32, action: sigaction)] = []
  }

  private static let state = Mutex(State())

  /// Ignores the signals until ``restore()`` was called as often.
  static func ignore() {
    state.withLock { state in
      state.count += 1
      guard state.count == 1 else { return }
      state.before = [SIGINT, SIGQUIT].map { number in
        var ignoring = sigaction()
        ignoring.__sigaction_handler.sa_handler = SIG_IGN
        var before = sigaction()
        sigaction(number, &ignoring, &before)
        return (number, before)
      }
    }
  }

  /// Gives the signals the actions that they had before.
  static func restore() {
    state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return }
      for (number, action) in state.before {
        var action = action
        sigaction(number, &action, nil)
      }
    }
  }
}

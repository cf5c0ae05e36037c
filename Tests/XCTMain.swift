import Glibc
import Testing

/// The start of the tests.
///
/// SwiftPM else reads an index of all sources to find tests of XCTest, which we have not, and to write
/// that index takes a part of each build.
@main enum TestMain {
  static func main() async {
    // Asked for the tests of XCTest, also for a list of them.
    guard CommandLine.arguments.contains("--testing-library") else {
      if CommandLine.arguments.contains("--dump-tests-json") {
        print(#"{"name": "All tests", "tests": []}"#)
      }
      return
    }
    // `nohup` and shells ignore signals for what runs in the background. The programs that tests start
    // would inherit that, and wait for ever for a signal that ends them.
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { signal(number, SIG_DFL) }
    await Testing.__swiftPMEntryPoint() as Never
  }
}

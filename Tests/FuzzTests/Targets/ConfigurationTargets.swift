import Foundation
import Screen

@testable import daybook

extension FuzzTarget {
  /// A configuration is read, its errors are told on one line with a line of the file, and a view is
  /// added without another change, or not at all.
  static let configuration = FuzzTarget(
    "configuration",
    tokens: [
      "[", "]", "[[", "]]", "{", "}", "\"", "\"\"\"", "'", "'''", "\\u12", "\\U0011", "\\", "\n",
      "\r\n",
      "\r", "=", ".", ",", "#", " ", "\t", "0", "-", "+", "1e", "0x", "0b", "0o", "_", "inf",
      "nan", "true",
      "fals", "1979-05-27", "T07:32:00Z", "07:32", "é", "\u{FEFF}", "\u{1}", "\u{7F}", "\u{2028}",
      "a", "Z",
      ":", "a.b", "1979-05-27 07:32:00", "9223372036854775808", "[keys.list]\n", "[themes.a]\n",
      "[views]\n",
      "[templates]\n", "theme = ", "sort = ", "base = ", "bold ", "red", "<C-x>",
    ]
  ) { bytes in
    try FuzzDirectory.using { directory in
      let path = try directory.put(bytes, as: ConfigReader.file)
      let configuration = Configuration.load(directory: directory.path)
      let lines = bytes.count { $0 == 0x0A } + 1
      for problem in configuration.problems {
        try promise(!problem.description.contains(where: \.isNewline), "\(problem)")
        try promise((1...lines).contains(problem.line ?? 1), "\(problem) of \(lines) lines")
      }
      _ = (configuration.theme(), configuration.keys, configuration.summary)
      let view = SavedView(name: "fuzz \"x\"", query: "is:starred \"é\"")
      do throws(any Error) {
        _ = try ConfigEdit(path).set(view)
      } catch is Failure {
        return
      }
      let after = Configuration.load(directory: directory.path)
      try promise(after.settings.views.contains(view), "the view is missing")
      let others = { (settings: Settings) in settings.views.filter { $0.name != view.name } }
      try promiseEqual(others(after.settings), others(configuration.settings), "other views")
    }
  }
}

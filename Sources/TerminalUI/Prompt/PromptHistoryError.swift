import Glibc

/// Why a history could not be read or written.
public enum PromptHistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands at the path is not a file of ours: a link, a folder, someone else's file.
  case notOurFile(path: String)

  /// A call of the system failed.
  case system(call: String, path: String, code: Int32)

  /// One line that says what is wrong, where, and what to do.
  ///
  /// The path comes from outside: pass the line through the sanitiser.
  public var description: String {
    switch self {
    case .notOurFile(let path):
      "\(path): not a plain file of yours; history not kept (move it away)"
    case .system(let call, let path, let code):
      "\(path): \(call): \(String(cString: strerror(code))); history not kept"
    }
  }
}

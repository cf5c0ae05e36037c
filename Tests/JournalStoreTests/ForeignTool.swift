import Foundation

/// The `sqlite3` program, as a tool that knows nothing of journals.
enum ForeignTool {
  static let path = "/usr/bin/sqlite3"

  /// Runs SQL on a file in another process.
  ///
  /// - Returns: what it printed.
  @discardableResult
  static func run(_ sql: String, on file: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-bail", file, ".timeout 5000", sql]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
    return String(decoding: data, as: UTF8.self)
  }

  struct Failed: Error {}
}

import Foundation
import Testing

/// The library of `Tests/FaultShim`, compiled once for a test run with the C compiler that is there.
enum FaultShim {
  /// The path of the library; a test fails where no C compiler is installed, though Swift brings one.
  static func path() throws -> String {
    try #require(library, "no C compiler in PATH: install clang")
  }

  private static let library: String? = {
    let source = Repository.root.appending(path: "Tests/FaultShim/shim.c").path
    let path = FileManager.default.temporaryDirectory
      .appending(path: "daybook-fault-\(getpid()).so").path
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let compilers = directories.flatMap { directory in
      ["cc", "clang", "gcc"].map { "\(directory)/\($0)" }
    }
    for compiler in compilers where FileManager.default.isExecutableFile(atPath: compiler) {
      let process = Process()
      process.executableURL = URL(filePath: compiler)
      process.arguments = ["-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"]
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { continue }
      process.waitUntilExit()
      if process.terminationStatus == 0 { return path }
    }
    return nil
  }()
}

extension Program {
  /// Runs the program with faults: the n-th change to a file under a directory fails.
  ///
  /// - Returns: the result, and whether there was an n-th change.
  func run(
    _ arguments: [String], input: [UInt8] = [], failing change: Int, with number: Int32,
    sticky: Bool, under directory: String
  ) throws -> (result: Result, isHit: Bool) {
    let mark = home.appending(path: "mark").path
    unlink(mark)
    var extra = [
      "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": directory, "FAULT_AT": "\(change)",
      "FAULT_ERRNO": "\(number)", "FAULT_MARK": mark,
    ]
    if sticky { extra["FAULT_STICKY"] = "1" }
    let result = try run(arguments, input: input, extra: extra)
    return (result, FileManager.default.fileExists(atPath: mark))
  }
}

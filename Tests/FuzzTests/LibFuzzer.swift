#if FUZZING
  import Foundation
  import FuzzDriver
  import Testing

  /// The entry of `make fuzz`: libFuzzer on the target named by `FUZZ_TARGET`.
  struct LibFuzzer {
    /// What libFuzzer calls, as a function of C has no context; set once before it runs.
    nonisolated(unsafe) private static var target = FuzzTarget.all[0]

    /// On the main thread, which gets the alarm of libFuzzer's `-timeout`; it is lost on any other.
    @MainActor
    @Test(.enabled(if: ProcessInfo.processInfo.environment["FUZZ_TARGET"] != nil))
    func run() throws {
      let environment = ProcessInfo.processInfo.environment
      let name = environment["FUZZ_TARGET"] ?? ""
      Self.target = try #require(FuzzTarget.all.first { $0.name == name }, "no target \(name)")
      let directory = URL(filePath: try #require(environment["FUZZ_DIRECTORY"]))
      let corpus = directory.appending(path: "corpus")
      let files = FileManager.default
      try files.createDirectory(at: corpus, withIntermediateDirectories: true)
      let samples = try Self.target.samples()
      for (index, bytes) in samples.enumerated() {
        try Data(bytes).write(to: corpus.appending(path: "sample-\(index)"))
      }
      for (name, bytes) in try Self.target.corpus() {
        try Data(bytes).write(to: corpus.appending(path: name))
      }
      let dictionary = directory.appending(path: "tokens")
      let lines = Self.target.tokens.map { "\"\(Self.escaped($0))\"\n" }
      try Data(lines.joined().utf8).write(to: dictionary)
      let options = (environment["FUZZ_ARGS"] ?? "").split(separator: " ").map(String.init)
      let usual = [
        "fuzz", "-timeout=10", "-rss_limit_mb=2048",
        "-max_len=\(samples.map(\.count).reduce(65_536, max))",
        "-artifact_prefix=\(directory.path)/", "-dict=\(dictionary.path)",
      ]
      // A file named by the options is run alone.
      let isReplay = options.contains { !$0.hasPrefix("-") }
      let arguments = usual + options + (isReplay ? [] : [corpus.path])
      var pointers = arguments.map { strdup($0) } + [nil]
      exit(
        fuzz_driver_run(Int32(arguments.count), &pointers) { bytes, count in
          do {
            try LibFuzzer.target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
          } catch {
            print("broken promise: \(error)")
            fflush(nil)
            abort()
          }
          return 0
        })
    }

    /// A token in the notation of libFuzzer's dictionaries.
    private static func escaped(_ token: String) -> String {
      token.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
        case 0x20...0x7E: "\(Unicode.Scalar(byte))"
        default: "\\x" + String(format: "%02X", byte)
        }
      }.joined()
    }
  }
#endif

import Foundation
import Testing

/// A program besides Daybook that tests run.
struct Tool {
  var name: String
  /// The Debian package that has it; nil for one of every Debian system.
  var package: String?

  static let all = [
    Tool(name: "tmux", package: "tmux"), Tool(name: "sqlite3", package: "sqlite3"),
    Tool(name: "zsh", package: "zsh"), Tool(name: "fish", package: "fish"),
    Tool(name: "pkill", package: "procps"), Tool(name: "git", package: "git"), Tool(name: "bash"),
    Tool(name: "script"),
    Tool(name: "timeout"), Tool(name: "mkfifo"), Tool(name: "base64"),
  ]

  /// The packages that `make test` installs.
  static func installed() throws -> [String] {
    let lines = try Repository.text("Makefile").split(separator: "\n").filter {
      $0.hasPrefix("BUILD_PACKAGES := ") || $0.hasPrefix("TEST_PACKAGES := ")
    }
    try #require(lines.count == 2)
    return lines.flatMap { $0.split(separator: " ").dropFirst(2).map(String.init) }
  }
}

/// Without its tools a test run fails, instead of leaving tests out unseen.
struct ToolTests {
  @Test("every tool that tests run is there")
  func present() {
    for tool in Tool.all {
      let isThere = ["/usr/bin", "/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(tool.name)")
      }
      #expect(isThere, "\(tool.name) is missing: install \(tool.package ?? "it")")
    }
  }

  @Test("time zones and a C compiler are there")
  func data() throws {
    #expect(
      FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Pacific/Apia"),
      "the time zones are missing: install tzdata")
    _ = try FaultShim.path()
  }

  @Test("make test installs the package of every tool")
  func packages() throws {
    let packages = try Tool.installed()
    for tool in Tool.all {
      if let package = tool.package { #expect(packages.contains(package), "\(tool.name)") }
    }
  }
}

import Foundation
import Testing

/// The library as another package takes it: by its URL and a version.
@Suite("A dependent package")
struct DependentPackageTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  @Test("that switches the traits off fetches nothing else, and runs the documented example")
  func withoutTraits() throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "dependent-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let library = directory.appending(path: "library")
    let dependent = directory.appending(path: "dependent")
    try publish(at: library)
    try FileManager.default.createDirectory(
      at: dependent.appending(path: "Sources/App"), withIntermediateDirectories: true)
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App",
        platforms: [.macOS(.v15)],
        dependencies: [.package(url: "\(library.absoluteString)", from: "1.0.0", traits: [])],
        targets: [
          .executableTarget(
            name: "App",
            dependencies: [.product(name: "SectionedResults", package: "library")])
        ]
      )
      """
    try Data(manifest.utf8).write(to: dependent.appending(path: "Package.swift"))
    let article = root.appending(path: "Sources/SectionedResults/SectionedResults.docc/Example.md")
    let parts = try String(contentsOf: article, encoding: .utf8).split(separator: "```")
    let code = try #require(parts.first { $0.hasPrefix("swift\n") }).dropFirst("swift\n".count)
    try Data(
      """
      \(code)
      let (before, after) = try runNotesExample()
      print((before + [""] + after).joined(separator: "\\n"))
      """.utf8
    ).write(to: dependent.appending(path: "Sources/App/main.swift"))
    try run(
      "swift", "build", "--disable-sandbox", "--disable-index-store", "--scratch-path", "build",
      in: dependent)
    let checkouts = try FileManager.default.contentsOfDirectory(
      atPath: dependent.appending(path: "build/checkouts").path)
    #expect(checkouts == ["library"])
    let shown = try run("build/debug/App", in: dependent)
    // What the article says: the screen before and after the transaction.
    let screens = parts.filter { $0.hasPrefix("\n2026-") }.map { $0.dropFirst() }
    #expect(screens.count == 2)
    #expect(shown == screens.joined(separator: "\n"))
  }

  @Test("the sources of the library import nothing but the standard library's locks")
  func imports() throws {
    let sources = root.appending(path: "Sources/SectionedResults")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var imports: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      imports.formUnion(
        text.split(separator: "\n").filter { $0.hasPrefix("import ") }.map(String.init))
    }
    #expect(imports == ["import Synchronization"])
  }

  /// A repository with the package as it is now, and a version.
  private func publish(at library: URL) throws {
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    for name in ["Package.swift", "Sources", "Tests", "Resources"] {
      try FileManager.default.copyItem(
        at: root.appending(path: name), to: library.appending(path: name))
    }
    try run("git", "init", "-q", in: library)
    try run("git", "add", "-A", in: library)
    try run(
      "git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", "1",
      in: library)
    try run("git", "tag", "1.0.0", in: library)
  }

  @discardableResult
  private func run(_ arguments: String..., in directory: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "QUICK" }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(arguments): \(text)")
    return text
  }
}

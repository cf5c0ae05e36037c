import Files
import Foundation
import Testing

/// Finding a program in `PATH`.
struct ProgramSearchTests {
  @Test("the first program of the name in an absolute directory is found, and nothing else")
  func find() throws {
    let files = FileManager.default
    let home = files.temporaryDirectory.appending(path: "daybook-\(UUID().uuidString)")
    defer { try? files.removeItem(at: home) }
    for name in ["a", "b", "c", "d/tool"] {
      try files.createDirectory(
        at: home.appending(path: name), withIntermediateDirectories: true)
    }
    func write(_ name: String, _ mode: Int) throws {
      let path = home.appending(path: name).path
      #expect(files.createFile(atPath: path, contents: Data("#!/bin/sh\n".utf8)))
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    // Not executable; then two programs. In `d` the name is a directory.
    try write("a/tool", 0o644)
    try write("b/tool", 0o755)
    try write("c/tool", 0o755)
    let path = { (names: [String]) in
      names.map { home.appending(path: $0).path }.joined(separator: ":")
    }
    let tool = home.appending(path: "b/tool").path
    #expect(ProgramSearch.find("tool", in: path(["d", "a", "b", "c"])) == tool)
    #expect(ProgramSearch.find("tool", in: path(["a", "d"])) == nil)
    #expect(ProgramSearch.find("tool", in: "") == nil)
    #expect(ProgramSearch.find("sh", in: "bin:.:") == nil)
    #expect(ProgramSearch.find(tool, in: "") == tool)
    #expect(ProgramSearch.find(home.appending(path: "a/tool").path, in: "") == nil)
    #expect(ProgramSearch.find("sh", in: ProgramSearch.standardPath) != nil)
  }
}

import Foundation
import Screen
import Testing

@testable import daybook

/// Views written into a file that somebody keeps by hand.
struct ConfigEditTests {
  private let work = SavedView(name: "work", query: "#work since:1m")

  @Test("a view goes below the last one, and nothing else of the file changes")
  func inserted() throws {
    let text = """
      # My settings
      theme = "calm"   # quiet

      [views]
      home = "#home"  # where I live
      # more to come

      [keys]
      "x" = "star"
      """
    let directory = try ConfigDirectory(text)
    #expect(try edit(directory).set(work))
    let expected = text.replacing(
      "where I live\n", with: "where I live\nwork = \"#work since:1m\"\n")
    #expect(try read(directory) == expected)
    #expect(directory.load().settings.views.map(\.name) == ["home", "work"])
  }

  @Test("a file without views gets the table at its end, a missing one is made for its owner alone")
  func madeTable() throws {
    let directory = try ConfigDirectory("theme = \"calm\"")
    #expect(try edit(directory).set(work))
    #expect(try read(directory) == "theme = \"calm\"\n\n[views]\nwork = \"#work since:1m\"\n")
    let empty = try ConfigDirectory()
    #expect(try edit(empty).set(SavedView(name: "a b", query: "say \"x\"")))
    #expect(try read(empty) == "[views]\n\"a b\" = \"say \\\"x\\\"\"\n")
    let path = empty.url.appending(path: "config.toml").path
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("a view of the name is replaced where it stands, with the comment behind it")
  func replaced() throws {
    let directory = try ConfigDirectory(
      "[views]\r\nwork = \"#job # x\"  # mine\r\nhome = \"#home\"\r\n")
    #expect(try edit(directory).set(work) == false)
    #expect(
      try read(directory)
        == "[views]\r\nwork = \"#work since:1m\"  # mine\r\nhome = \"#home\"\r\n")
  }

  @Test("a view is taken out with its line; its comment lines and the table stay")
  func removed() throws {
    let directory = try ConfigDirectory("# a\n[views]\n# b\nwork = \"x\"\n")
    try edit(directory).remove(view: "work")
    #expect(try read(directory) == "# a\n[views]\n# b\n")
    #expect(try edit(directory).set(work))
    #expect(try read(directory) == "# a\n[views]\nwork = \"#work since:1m\"\n# b\n")
  }

  @Test("a link stays one, and what it leads to keeps its rights")
  func link() throws {
    let directory = try ConfigDirectory()
    let real = directory.url.appending(path: "dotfiles.toml")
    try Data("theme = \"calm\"\n".utf8).write(to: real)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real.path)
    let link = directory.url.appending(path: "config.toml").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "dotfiles.toml")
    #expect(try edit(directory).set(work))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "dotfiles.toml")
    #expect(try String(contentsOf: real, encoding: .utf8).hasSuffix("#work since:1m\"\n"))
    let rights = try FileManager.default.attributesOfItem(atPath: real.path)[.posixPermissions]
    #expect(rights as? Int == 0o640)
  }

  @Test(
    "what is written in a way that a line cannot be put into is left alone, and told",
    arguments: [
      "views = { home = \"#home\" }\n", "[views]\nhome = \"\"\"\n#home\"\"\"\n[keys]\n",
      "[views]\nwork = '''\nx'''\n", "theme = \n",
    ])
  func refused(text: String) throws {
    let directory = try ConfigDirectory(text)
    do {
      _ = try edit(directory).set(work)
      // A place was found after all: then it must say what was wanted.
      #expect(directory.load().settings.views.contains(work))
    } catch {
      #expect(try read(directory) == text)
      #expect((error as? Failure)?.message.contains("config.toml") == true)
    }
  }

  private func edit(_ directory: ConfigDirectory) throws -> ConfigEdit {
    try ConfigEdit(directory.url.appending(path: "config.toml").path)
  }

  private func read(_ directory: ConfigDirectory) throws -> String {
    try String(contentsOf: directory.url.appending(path: "config.toml"), encoding: .utf8)
  }
}

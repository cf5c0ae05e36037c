import Foundation
import Testing

/// The README and the pages for contributors agree with the repository.
struct ReadmeTests {
  @Test("the README has 100 to 150 lines")
  func length() throws {
    let lines = try Repository.readme().text.count { $0 == "\n" }
    #expect(100...150 ~= lines)
  }

  @Test("every link of the README and of the pages in Resources leads to a file")
  func links() throws {
    var count = 0
    for document in try Repository.documents() {
      let directory = Repository.root.appending(path: document.path).deletingLastPathComponent()
      // A link in code is an example.
      let text = document.text.replacing(/`[^`\n]+`/, with: "")
      for match in text.matches(of: /\]\((?<target>[^)\s]+)\)|(?:src|srcset)="([^"]+)"/) {
        let target = String(match.output.target ?? match.output.2 ?? "")
        // An attached file is in a journal, or will be.
        let isElsewhere = ["://", "file:", "attach:"].contains { target.contains($0) }
        if isElsewhere || target.hasPrefix("#") { continue }
        let path = target.prefix { $0 != "#" }
        let file = directory.appending(path: String(path)).standardizedFileURL
        #expect(
          FileManager.default.fileExists(atPath: file.path), "\(document.path): \(target)")
        count += 1
      }
    }
    #expect(count > 20)
  }

  @Test("every chapter of the manual and every decision is named in its list")
  func lists() throws {
    for directory in ["manual", "decisions"] {
      let list = try Repository.text("Resources/\(directory)/README.md")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: Repository.root.appending(path: "Resources/\(directory)").path)
      for name in names where name != "README.md" {
        #expect(list.contains("](\(name))"), "\(directory)/\(name)")
      }
    }
  }

  @Test("every decision has a date in its name, a context, a decision and consequences")
  func decisions() throws {
    let decisions = try Repository.documents().filter {
      $0.path.hasPrefix("Resources/decisions/") && !$0.path.hasSuffix("README.md")
    }
    #expect(decisions.count > 20)
    for decision in decisions {
      let name = try #require(decision.path.split(separator: "/").last)
      #expect(name.wholeMatch(of: /\d{4}-\d\d-\d\d-[a-z0-9-]+\.md/) != nil, "\(name)")
      for title in ["Context", "Decision", "Consequences"] {
        #expect(try !decision.section(title).isEmpty, "\(name): \(title)")
      }
    }
  }

  @Test("every file that a drill of CONTRIBUTING names is there")
  func drills() throws {
    let text = try Repository.text("Resources/CONTRIBUTING.md")
    var count = 0
    for match in text.matches(of: /`((?:Sources|Tests|Resources)\/[^`\s*]+)`/) {
      let file = Repository.root.appending(path: String(match.1))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(match.1)")
      count += 1
    }
    #expect(count > 20)
  }

  @Test("every variable that enlarges tests is named in CONTRIBUTING")
  func variables() throws {
    let text = try Repository.text("Resources/CONTRIBUTING.md")
    var found: Set<String> = []
    for file in try Repository.swiftFiles(in: "Tests") {
      let text = try Repository.text("Tests/\(file)")
      found.formUnion(text.matches(of: /environment\["([A-Z_]+)"\]/).map { String($0.1) })
    }
    found.remove("PATH")
    #expect(found.count > 5)
    for name in found { #expect(text.contains("`\(name)"), "\(name)") }
  }

  @Test("every Debian package that make installs is named in the README")
  func packages() throws {
    let readme = try ["Install", "Contributing"].map { try Repository.readme().section($0) }
      .joined(separator: "\n")
    let words = Set(readme.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
    for name in try Tool.installed() { #expect(words.contains(name), "\(name)") }
  }

  @Test("CI calls only what the README names")
  func continuousIntegration() throws {
    let readme = try Repository.readme().text
    let calls = try Repository.text(".ci/run").split(separator: "\n").filter {
      !$0.hasPrefix("#") && !$0.hasPrefix("set ") && !$0.hasPrefix("cd ")
    }
    #expect(calls.count > 1)
    for call in calls { #expect(readme.contains("`\(call)`"), "\(call)") }
  }
}

/// What the README tells people to type works.
struct ReadmeCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("every command of the README ends with 0 and no message, in this order")
  func commands() throws {
    let fences = try Repository.readme().text.split(
      separator: "```", omittingEmptySubsequences: false)
    let commands = fences.enumerated().filter { $0.offset % 2 == 1 }
      .flatMap { $0.element.split(separator: "\n") }.filter { $0.hasPrefix("daybook ") }
    #expect(commands.count > 9)
    // The files that the commands name; jq is not needed to see that its input is JSON.
    let setup = """
      cd "$HOME"; mkdir backups; jq() { read -r line; case $line in '{'*) ;; *) return 9 ;; esac; }
      set -o pipefail
      for entry in 'Bought bread #home' 'Bought bread and milk #home'; do
        daybook --journal old.sqlite add "$entry" >old.out || exit
      done
      daybook --journal old.sqlite export --format jrnl-text -o journal.txt 2>old.out || exit
      daybook --journal old.sqlite export --format dayone -o dayone.zip 2>old.out || exit
      daybook --journal old.sqlite export --format markdown -o notes/ || exit
      daybook --journal old.sqlite export --format tui-journal -o tui-journal.json 2>old.out || exit
      """
    let script =
      setup + "\n"
      + commands.map { "\($0)\ncode=$?; [ $code = 0 ] || echo \"$code\" >&2" }
      .joined(separator: "\n")
    let result = try program.shell(script)
    // The remote's name may be a wrong one, so that a repository that was made is told.
    let made = /daybook: made a new, empty repository: [^\n]*\/journal\.git\n/
    #expect(result.errors.replacing(made, with: "", maxReplacements: 1) == "")
    #expect(result.output.contains("added 2, skipped 0, failed 0"))
  }

  @Test("the README's configuration is valid")
  func configuration() throws {
    let parts = try Repository.readme().section("Configuration").split(separator: "```")
    let toml = try #require(parts.first { $0.hasPrefix("toml\n") }).dropFirst("toml\n".count)
    #expect(toml.contains("[keys]"))
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try String(toml).write(
      to: directory.appending(path: "config.toml"), atomically: true, encoding: .utf8)
    let result = try program.run(["config", "show"])
    #expect(result.code == 0)
    #expect(result.errors == "")
  }

  @Test("every key of the README's table is a standard key")
  func keys() throws {
    let known = try program.run(["config", "keys"]).output
    var count = 0
    for row in try Repository.readme().table("First five minutes") {
      let cell = try #require(row.split(separator: "|").first)
      for match in cell.matches(of: /`([^`]+)`/) {
        #expect(known.contains("\"\(match.1)\" = "), "\(match.1)")
        count += 1
      }
    }
    #expect(count > 9)
  }
}

/// The licences are where people look for them.
struct LicenseTests {
  private static let libraries = [
    "SectionedResults", "SectionedResultsFoundation", "SectionedResultsGRDB",
    "SectionedResultsTesting",
  ]

  @Test(
    "every file of the libraries names its licence on its first line",
    arguments: libraries)
  func library(name: String) throws {
    for file in try Repository.swiftFiles(in: "Sources/\(name)") {
      let text = try Repository.text("Sources/\(name)/\(file)")
      #expect(text.hasPrefix("// SPDX-License-Identifier: MIT\n"), "\(file)")
    }
  }

  @Test("the texts of both licences are there, and README and package name them")
  func texts() throws {
    let program = try Repository.text("Resources/licenses/GPL-3.0-or-later.txt")
    #expect(program.contains("GNU GENERAL PUBLIC LICENSE") && program.contains("Version 3"))
    let library = try Repository.text("Resources/licenses/MIT.txt")
    #expect(library.hasPrefix("MIT License"))
    for name in Self.libraries {
      #expect(try Repository.text("Sources/\(name)/LICENSE") == library)
    }
    let readme = try Repository.readme().section("Licence")
    #expect(readme.contains("GPL-3.0-or-later") && readme.contains("MIT"))
    let package = try Repository.text("Resources/debian/copyright")
    #expect(package.contains("License: GPL-3.0-or-later"))
    #expect(package.contains("Files: Sources/SectionedResults*"))
  }
}

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
      for match in document.text.matches(of: /\]\((?<target>[^)\s]+)\)|(?:src|srcset)="([^"]+)"/) {
        let target = String(match.output.target ?? match.output.2 ?? "")
        if target.contains("://") || target.hasPrefix("#") { continue }
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
    let readme = try Repository.readme().section("Install")
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

/// The licences are where people look for them.
struct LicenseTests {
  @Test("every file of the library names its licence on its first line")
  func library() throws {
    for file in try Repository.swiftFiles(in: "Sources/SectionedResults") {
      let text = try Repository.text("Sources/SectionedResults/\(file)")
      #expect(text.hasPrefix("// SPDX-License-Identifier: MIT\n"), "\(file)")
    }
  }

  @Test("the texts of both licences are there, and README and package name them")
  func texts() throws {
    let program = try Repository.text("Resources/licenses/GPL-3.0-or-later.txt")
    #expect(program.contains("GNU GENERAL PUBLIC LICENSE") && program.contains("Version 3"))
    let library = try Repository.text("Resources/licenses/MIT.txt")
    #expect(library.hasPrefix("MIT License"))
    #expect(try Repository.text("Sources/SectionedResults/LICENSE") == library)
    let readme = try Repository.readme().section("Licence")
    #expect(readme.contains("GPL-3.0-or-later") && readme.contains("MIT"))
    let package = try Repository.text("Resources/debian/copyright")
    #expect(package.contains("License: GPL-3.0-or-later"))
    #expect(package.contains("Files: Sources/SectionedResults/*"))
  }
}

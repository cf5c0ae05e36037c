import Journal
import Testing

/// What the Debian package says of the program is true.
struct PackageTests {
  @Test("every library that is opened at run time is recommended")
  func openedLibraries() throws {
    let control = try Repository.text("Resources/debian/control")
    let recommended = try #require(
      control.split(separator: "\n").first { $0.hasPrefix("Recommends: ") })
    var count = 0
    for file in [
      "Sources/CSeal/Sodium.c", "Sources/CArchive/archive.c", "Sources/CMarkup/markup.c",
    ] {
      for match in try Repository.text(file).matches(of: /dlopen\("(lib\w+)\.so\.(\d+)"/) {
        // A name that ends with a digit has a hyphen before the number, or had none for 2.
        let name = match.1 == "libxml2" ? (match.2 == "2" ? "libxml2" : "libxml2-") : match.1
        let number = name == "libxml2" ? "" : match.2
        #expect(recommended.contains("\(name)\(number)"), "\(match.0)")
        count += 1
      }
    }
    #expect(count >= 5)
  }

  @Test("every package whose sources the program contains has its copyright named")
  func copyrights() throws {
    let copyright = try Repository.text("Resources/debian/copyright")
    let manifest = try Repository.text("Package.swift")
    let names = manifest.matches(of: /dependency\("[\w-]+\/([\w.-]+)", from/).map(\.1)
    #expect(names.count == 4)
    for name in names { #expect(copyright.contains("\(name)/*"), "\(name)") }
  }

  @Test("the version comes from one place")
  func version() throws {
    let result = try Program().run(["--version"])
    #expect(result.output.hasPrefix("daybook \(Release.version)\n"))
    for file in try Repository.swiftFiles(in: "Sources") where file != "Journal/Release.swift" {
      let text = try Repository.text("Sources/\(file)")
      #expect(!text.contains("\"\(Release.version)\""), "\(file)")
    }
    // What the Makefile reads.
    let lines = try Repository.text("Sources/Journal/Release.swift").split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix("let version = \"\(Release.version)\"") })
    #expect(lines.contains { $0.hasSuffix("let date = \"\(Release.date)\"") })
  }
}

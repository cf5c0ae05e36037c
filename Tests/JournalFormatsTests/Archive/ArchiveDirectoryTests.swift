import Journal
import TestSupport
import Testing

@testable import JournalFormats

/// A zip or tar of any program is a directory.
struct ArchiveDirectoryTests {
  private static let files = [
    (name: "notes/2024-01-06.md", text: "two"), (name: "notes/", text: ""),
    (name: "notes/2024-01-05.md", text: "one"), (name: "photos/a.jpeg", text: "\u{1}"),
    (name: "inner.zip", text: "PK\u{3}\u{4}"),
  ]

  /// The same files in each kind of archive.
  private static let archives: [(kind: String, bytes: [UInt8])] = [
    ("zip", Archives.zip(files)), ("tar", Archives.tar(files)),
    ("tar.gz", Archives.gzip(Archives.tar(files))),
  ]

  @Test(
    "a zip, a tar and a compressed tar have the same files", arguments: ["zip", "tar", "tar.gz"])
  func kinds(kind: String) throws {
    let bytes = try #require(Self.archives.first { $0.kind == kind }).bytes
    #expect(ArchiveDirectory.begins(bytes))
    #expect(ImportFormat.detect(bytes, path: "a.\(kind)") == .archive)
    let archive = try ArchiveDirectory(bytes)
    #expect(archive.files == Self.files.map(\.name).filter { !$0.hasSuffix("/") })
    for (name, text) in Self.files where !name.hasSuffix("/") {
      #expect(try archive.text(name) == text)
    }
    #expect(archive.failure == nil)
  }

  @Test("names in a zip of Windows have their letters, and directories where backslashes are")
  func consoleNames() throws {
    let names = [utf8("2024-01-05 ") + [0x8E] + utf8("rger.md"), utf8("img\\p.png")]
    let zip = Archives.zip(names.map { ($0, utf8("x")) }, areCalledUTF8: false)
    let archive = try ArchiveDirectory(zip)
    #expect(archive.files == ["2024-01-05 Ärger.md", "img/p.png"])
    #expect(try archive.text("img/p.png") == "x")
    #expect(try archive.text("2024-01-05 Ärger.md") == "x")
  }

  @Test("an archive of notes is read as their directory is, and what is not read is counted")
  func notes() throws {
    for (kind, bytes) in Self.archives {
      let archive = try ArchiveDirectory(bytes)
      #expect(try ImportFormat.detect(archive) == .markdown)
      let read = items(Opened(.markdown, archive))
      let texts = read.compactMap { if case .entry(let entry, _) = $0 { entry.text } else { nil } }
      #expect(texts == ["two", "one"], "\(kind)")
      let left = read.compactMap { if case .leftOut(let kind) = $0 { kind } else { nil } }
      #expect(left == [.file(ending: ".jpeg"), .apart("inner.zip", isInArchive: true)])
    }
  }

  @Test(
    "each format reads from an archive what it reads from a directory",
    arguments: ImportFormat.allCases)
  func everyFormat(format: ImportFormat) throws {
    let sample = try FormatSample.of(format)
    guard sample.database == nil else { return }
    let files = ["sub/\(sample.path)": sample.text(), "sub/x.bin": "x"]
    let directory = items(Opened(format, DirectoryInMemory(files)))
    #expect(directory.count { if case .entry = $0 { true } else { false } } == 1)
    let zip = try ArchiveDirectory(Archives.zip(files.map { ($0.key, $0.value) }))
    #expect(Set(items(Opened(format, zip))) == Set(directory))
  }

  @Test("names that lead out of the archive, hidden files and those of macOS are left out")
  func names() throws {
    let archive = try ArchiveDirectory(
      Archives.zip([
        ("../../etc/a.md", "x"), ("/root/b.md", "b"), ("./c.md", "c"), ("a/../d.md", "x"),
        (".hidden/e.md", "x"), (".obsidian/f.md", "x"), ("__MACOSX/._g.md", "x"),
        ("dir\\h.md", "h"), (String(repeating: "d/", count: 40) + "i.md", "x"),
        (String(repeating: "n", count: 3000), "x"), ("k.md", "first"), ("k.md", "second"),
      ]))
    #expect(archive.files == ["root/b.md", "c.md", "dir/h.md", "k.md", "k (2).md"])
    #expect(
      archive.leftOut == [
        .outside, .outside, .backup(".obsidian"), .deepDirectory, .outside,
      ])
    #expect(try archive.text("k.md") == "first")
    #expect(try archive.text("k (2).md") == "second")
    #expect(throws: FormatError.self) { try archive.open("../../etc/a.md") }
  }

  @Test("files are read in any order, one at a time")
  func order() throws {
    let files = (0..<30).map { (name: "\($0).md", text: "text \($0)") }
    let archive = try ArchiveDirectory(Archives.tar(files))
    var random = SeededGenerator(seed: 5)
    for file in files.shuffled(using: &random) {
      #expect(try archive.text(file.name) == file.text)
    }
    let left = try archive.open("3.md")
    _ = try archive.open("4.md")
    #expect(throws: FormatError("was left before its end")) { try left.rest() }
    #expect(try archive.text("3.md") == "text 3")
  }

  @Test("an archive is read only so often, so many bytes and so many files")
  func limits() throws {
    let bytes = Archives.zip((0..<100).map { ("\($0).md", String(repeating: "x", count: 1000)) })
    var limits = ArchiveDirectory.Limits()
    limits.files = 99
    #expect(throws: FormatError("the archive has more than 99 files")) {
      try ArchiveDirectory(bytes, limits: limits)
    }
    limits.files = 100
    limits.packed = 0
    let archive = try ArchiveDirectory(bytes, limits: limits)
    let error = #expect(throws: FormatError.self) {
      for index in (0..<100).reversed() { _ = try archive.text("\(index).md") }
    }
    #expect(error?.reason == "cannot be reached: the archive was read too often")
    limits = ArchiveDirectory.Limits()
    (limits.unpacked, limits.ratio) = (2500, 0)
    let small = try ArchiveDirectory(bytes, limits: limits)
    #expect(throws: FormatError.self) { for file in small.files { _ = try small.text(file) } }
    // As many bytes as are packed: those of photographs, which no packing makes smaller.
    limits.ratio = 1
    let photos = try ArchiveDirectory(bytes, limits: limits)
    for file in photos.files { #expect(try photos.text(file).count == 1000) }
  }

  @Test("an archive that is cut is read as far as it goes, and said to be broken")
  func cut() throws {
    let whole = Archives.tar((1...9).map { ("2024-01-0\($0).md", "text") })
    let archive = try ArchiveDirectory(Array(whole[..<(5 * 1024 + 700)]))
    #expect(archive.failure != nil)
    let read = items(Opened(.markdown, archive))
    #expect(read.count { if case .entry = $0 { true } else { false } } >= 5)
    guard case .problem(let error)? = read.last else {
      Issue.record("the end is not reported: \(read)")
      return
    }
    #expect(error.reason.hasPrefix("end: "))
    #expect(throws: FormatError.self) { try ArchiveDirectory(Array(whole[..<100])) }
    let text = try ArchiveDirectory(Archives.gzip(utf8("a text")))
    #expect(text.isOneFile && text.failure == nil)
  }

  @Test("changed bytes end in an error at most")
  func mutations() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for (_, bytes) in Self.archives {
      for _ in 0..<200 {
        var copy = bytes
        for _ in 0..<3 {
          copy[.random(in: 0..<copy.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        guard let archive = try? ArchiveDirectory(copy) else { continue }
        for format in [ImportFormat.markdown, .dayOne] { _ = items(Opened(format, archive)) }
      }
    }
  }
}

/// A format's source of a directory.
private struct Opened: EntrySource {
  private var source: Result<any EntrySource, any Error>

  init(_ format: ImportFormat, _ directory: any ImportDirectory) {
    source = Result { try format.source(.directory(directory), options: options()) }
  }

  mutating func next() throws -> ImportItem? {
    var source = try self.source.get()
    defer { self.source = .success(source) }
    return try source.next()
  }
}

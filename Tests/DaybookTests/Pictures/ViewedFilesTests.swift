import Foundation
import Journal
import JournalStore
import Testing

@testable import Screen
@testable import daybook

/// Opening the files of a journal in other programs.
@Suite("Viewed files")
struct ViewedFilesTests {
  private static let bytes = Data("%PDF-1.7 of a contract".utf8)

  /// A journal with an attached file, and the file as the journal knows it.
  private func journal() throws -> (store: SQLiteEntryStore, entry: Entry, file: StoredFile) {
    let store = try SQLiteEntryStore()
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    defer { unlink(path) }
    try Self.bytes.write(to: URL(filePath: path))
    let content = try FileContent(path, named: "../-a contract.pdf")
    let moment = store.clock.moment()
    let entry = try store.add(
      NewEntry(text: "See https://a.example", created: moment, day: moment.localDay),
      attaching: [content])
    return (store, entry, content.stored)
  }

  @Test("a file is copied where only its owner reads it, once, and removed with the journal")
  func copied() throws {
    let (store, entry, file) = try journal()
    let link = try #require(Reading.links(of: entry.text).last)
    var paths: [String] = []
    var events: [Event] = []
    do {
      let files = ViewedFiles(store) { path in
        paths.append(path)
        return nil
      }
      for _ in 0..<2 {
        #expect(try files.open(link.address, of: entry) { events.append($0) })
      }
      let path = try #require(paths.first)
      #expect(paths == [path, path])
      #expect(try Data(contentsOf: URL(filePath: path)) == Self.bytes)
      for (path, mode) in [(path, 0o600), ((path as NSString).deletingLastPathComponent, 0o700)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == mode)
      }
      #expect((path as NSString).lastPathComponent.hasSuffix("a contract.pdf"))
      #expect(!path.contains("/../"))
    }
    #expect(paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    let name = try #require(store.attachments(of: entry).first).fileName
    #expect(events == Array(repeating: .journal(.noted("opened \(name)")), count: 2))
    #expect(name.hasSuffix("a contract.pdf") && file.name.hasSuffix("a contract.pdf"))
  }

  @Test("a long name is cut to what file systems take, and keeps its ending")
  func longNames() {
    for name in [String(repeating: "é", count: 200) + ".png", String(repeating: "漢", count: 99)] {
      #expect((200...255).contains(name.asFileName.utf8.count))
      #expect(name.asFileName.hasSuffix(".png") == name.hasSuffix(".png"))
    }
    #expect("a.png".asFileName == "a.png")
  }

  @Test("bytes that two entries have under two names are opened under the name in the entry")
  func twoNames() throws {
    let store = try SQLiteEntryStore()
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    defer { unlink(path) }
    try Data("<html>hi".utf8).write(to: URL(filePath: path))
    let moment = store.clock.moment()
    for name in ["page.txt", "page.html", "page.md"] {
      let entry = try store.add(
        NewEntry(text: name, created: moment, day: moment.localDay),
        attaching: [FileContent(path, named: name)])
      var paths: [String] = []
      let files = ViewedFiles(store) { path in
        paths.append(path)
        return nil
      }
      let link = try #require(Reading.links(of: entry.text).last)
      #expect(try files.open(link.address, of: entry) { _ in })
      #expect(paths.map { ($0 as NSString).lastPathComponent } == [name])
    }
  }

  @Test("a missing file, a damaged one and a viewer that fails are told; addresses are not taken")
  func failures() throws {
    let (store, entry, file) = try journal()
    let link = try #require(Reading.links(of: entry.text).last)
    var events: [Event] = []
    let failing = ViewedFiles(store) { _ in 3 }
    #expect(try failing.open(link.address, of: nil) { events.append($0) })
    let name = Attachment(
      link: FileLink(toFileNamed: file.name, target: file.hash, isPicture: false), file: file
    ).fileName
    #expect(events == [.journal(.failed("\(name): xdg-open ended with 3"))])
    #expect(throws: Failure.self) {
      try failing.open("file:" + String(repeating: "0", count: 16), of: entry) { _ in }
    }
    for address in ["https://a.example", "mailto:a@b.example", "/etc/passwd"] {
      #expect(try !failing.open(address, of: entry) { _ in })
    }
  }

  @Test("Tab selects a file, Enter opens it, and a terminal gets no link to it")
  func selected() throws {
    let (_, entry, file) = try journal()
    let links = Reading.links(of: entry.text)
    #expect(links.map(\.address) == ["https://a.example", "file:" + file.hash.prefix(16)])
    let reading = Reading(entry: entry, columns: 60)
    #expect(reading.stops.count == 2)
    let places = reading.body.flatMap { reading.linkPlaces(on: $0) }
    #expect(places.map(\.address) == ["https://a.example"])
    for text in ["[x](file:///etc/passwd)", "[x](file:0123)", "`[x](file:0123456789abcdef.pdf)`"] {
      #expect(Reading.links(of: text).isEmpty, "\(text)")
    }
  }
}

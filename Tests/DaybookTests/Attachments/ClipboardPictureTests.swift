import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

@testable import Screen
@testable import daybook

/// The picture on the clipboard, by programs that stand in for those of the desktop.
struct ClipboardPictureTests {
  private let directory = FileManager.default.temporaryDirectory.path + "/clip-\(UUID().uuidString)"

  /// Writes a program that is looked for; who runs it has a shell read it.
  ///
  /// A program that another test starts just now inherits the open file, and the system runs no file that is
  /// open for writing.
  private func program(_ name: String, _ script: String) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = "\(directory)/\(name)"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  @Test("wl-paste is for Wayland, xclip for X, and neither without its desktop or its program")
  func chosen() throws {
    try program("wl-paste", "")
    let wayland = ["PATH": directory, "WAYLAND_DISPLAY": "w", "DISPLAY": ":0"]
    #expect(ClipboardPicture.ofDesktop { wayland[$0] }?.listing == "wl-paste --list-types")
    let x = ["PATH": directory, "DISPLAY": ":0"]
    #expect(ClipboardPicture.ofDesktop { x[$0] } == nil)
    try program("xclip", "")
    #expect(ClipboardPicture.ofDesktop { x[$0] }?.listing.hasPrefix("xclip ") == true)
    #expect(ClipboardPicture.ofDesktop { ["PATH": directory][$0] } == nil)
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test("the best type is written whole; a text, an empty clipboard and a failure are told")
  func written() throws {
    try program("types", "printf 'text/plain\\nimage/jpeg\\nimage/png\\n'")
    let picture = Data(SampleFiles.picture)
    try picture.write(to: URL(filePath: directory + "/p.png"))
    let directory = directory
    let reads = ClipboardPicture(listing: "sh \(directory)/types") { type in
      "test \(type) = image/png && cat \(directory)/p.png"
    }
    let found = try reads.written(to: directory)
    #expect(found.suffix == "png")
    #expect(try Data(contentsOf: URL(filePath: found.path)) == picture)
    for listing in ["echo text/plain", "exit 1", "true"] {
      let other = ClipboardPicture(listing: listing) { _ in "true" }
      let failure = #expect(throws: Failure.self) { _ = try other.written(to: directory) }
      #expect(failure?.message.contains("the clipboard has no picture") == true)
    }
    let missing = ClipboardPicture(listing: "no-such-program --list") { _ in "true" }
    let failure = #expect(throws: Failure.self) { _ = try missing.written(to: directory) }
    #expect(failure?.message.contains("no-such-program cannot be run") == true)
    try FileManager.default.removeItem(atPath: directory)
  }
}

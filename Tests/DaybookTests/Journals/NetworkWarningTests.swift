import Foundation
import JournalStore
import Testing

@testable import daybook

/// The warning about network file systems.
final class NetworkWarningTests {
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "network-\(UUID().uuidString)").path

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  @Test("Each journal is warned about once, across runs; local and memory journals never")
  func once() throws {
    var warning = NetworkWarning(directory: directory) { $0.hasPrefix("/far") ? "NFS" : nil }
    let note = try #require(warning.note(for: "/far/a.sqlite"))
    #expect(note.hasPrefix("/far/a.sqlite: on a network file system (NFS)"))
    #expect(warning.note(for: "/far/a.sqlite") == nil)
    #expect(NetworkWarning(directory: directory) { _ in "NFS" }.note(for: "/far/a.sqlite") == nil)
    #expect(warning.note(for: "/far/b.sqlite") != nil)
    #expect(warning.note(for: "/near/a.sqlite") == nil)
    warning.fileSystem = { _ in "NFS" }
    #expect(warning.note(for: ":memory:") == nil)
    let mode = try FileManager.default.attributesOfItem(
      atPath: directory + "/network-journals")[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // Nothing to remember in: it warns again.
    let forgetful = NetworkWarning(directory: nil) { _ in "NFS" }
    #expect(forgetful.note(for: "/far/c.sqlite") != nil)
    #expect(forgetful.note(for: "/far/c.sqlite") != nil)
  }

  @Test("Opening a journal gives the warning among its notes, the first time")
  func opening() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = directory + "/j.sqlite"
    let warning = NetworkWarning(directory: directory + "/state") { _ in "SMB" }
    func notes() throws -> [String] {
      try JournalLookup.opened(path, readOnly: false, for: .writing, warning: warning).notes
    }
    #expect(try notes().count { $0.contains("network file system (SMB)") } == 1)
    #expect(try notes() == [])
  }
}

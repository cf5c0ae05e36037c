import Foundation
import Journal
import Testing

@testable import JournalStore

@Suite("Where a journal is")
struct LocationTests {
  private let directory = TemporaryDirectory()

  private func path(_ option: String?, _ environment: [String: String]) throws -> String {
    try JournalLocation.resolve(option: option, environment: environment).path
  }

  @Test("The option comes before the variable, and both before the data directory")
  func order() throws {
    let environment = ["DAYBOOK_JOURNAL": "/v.json", "XDG_DATA_HOME": "/d", "HOME": "/h"]
    #expect(try path("/o.db", environment) == "/o.db")
    #expect(try path(nil, environment) == "/v.json")
    #expect(try path(nil, ["XDG_DATA_HOME": "/d", "HOME": "/h"]) == "/d/daybook/journal.sqlite")
    #expect(
      try path(nil, ["XDG_DATA_HOME": "relative", "HOME": "/h"])
        == "/h/.local/share/daybook/journal.sqlite")
    for home in [nil, "", "relative"] {
      let error = #expect(throws: StoreError.self) {
        try JournalLocation.resolve(option: nil, environment: home.map { ["HOME": $0] } ?? [:])
      }
      #expect(error?.category == .cannotCreate)
      #expect(error?.description.hasPrefix("HOME") == true)
    }
  }

  @Test("the file name's suffix chooses the kind of journal")
  func kinds() {
    func kind(_ path: String) -> JournalLocation.Kind {
      JournalLocation(path: path, isExplicit: true).kind
    }
    #expect(kind(":memory:") == .memory)
    #expect(kind("a.json") == .json)
    #expect(kind("a.sqlite") == .sqlite)
    #expect(kind("a.db") == .sqlite)
  }

  @Test("Only the default journal's directories are made, for their owner alone")
  func directories() throws {
    let place = directory.file("x/y/journal.sqlite")
    let explicit = JournalLocation(path: place, isExplicit: true)
    #expect(throws: StoreError.self) { try explicit.open(mode: .create) }
    #expect(throws: StoreError.self) { try explicit.open(mode: .readOnly) }
    let standard = JournalLocation(path: place, isExplicit: false)
    #expect(try standard.open(mode: .readOnly).count() == 0)
    #expect(FileManager.default.fileExists(atPath: directory.file("x")) == false)
    #expect(try standard.open(mode: .create).count() == 0)
    for name in ["x", "x/y"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.file(name))
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }
}

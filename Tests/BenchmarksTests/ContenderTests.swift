import Foundation
import Testing

@testable import daybook_bench

/// All contenders of the library's figures do the same work, or comparing them would mean nothing.
struct ContenderTests {
  /// A fresh table in a file that `body` may change.
  ///
  /// At a path of its own: SQLite would share the state of a connection that is not closed yet.
  private func withTable<Value>(
    _ items: FeedItems, _ body: (String) throws -> Value
  ) throws -> Value {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appending(path: "table.sqlite").path
    try FeedTable.make(items, at: file)
    return try body(file)
  }

  @Test("all contenders show the same list before and after the same stream of changes")
  func equalLists() throws {
    let items = FeedItems(count: 600, feeds: 12)
    var states: [[[FeedItem]]] = []
    for kind in ContenderKind.allCases {
      try withTable(items) { file in
        let contender = try kind.make(items, file: file)
        try contender.fetch()
        var changes = FeedChanges(items)
        var shown = [try contender.rows()]
        for rows in [1, 1, 1, 100, 1, 400, 1, 1] {
          if rows == 100 { try contender.forget() }
          try contender.commit(changes.transaction(rows: rows))
          shown.append(try contender.rows())
          #expect(try contender.screen() == Array(shown[shown.count - 1].prefix(40)))
        }
        try contender.fetch()
        #expect(try contender.rows() == shown[shown.count - 1])
        states.append(shown)
      }
    }
    #expect(states[0][0] == Self.sorted(items.all))
    for (before, after) in zip(states[0], states[0].dropFirst()) { #expect(before != after) }
    for other in states.dropFirst() { #expect(other == states[0]) }
  }

  @Test("the lists of a crowd are equal for all contenders, and the row's lists alone change")
  func equalCrowds() throws {
    for crowd in Crowd.allCases {
      var states: [[[FeedItem]]] = []
      for kind in ContenderKind.allCases {
        try withTable(Crowd.items) { file in
          let lists = try kind.makeCrowd(of: 102, crowd, file: file)
          try lists.open()
          var changes = FeedChanges(Crowd.items)
          var shown: [[FeedItem]] = []
          for _ in 0..<2 {
            try lists.commit(changes.mark(in: FeedItems.name(0)))
            shown += try [0, 1, 100, 101].map(lists.rows(of:))
          }
          states.append(shown)
        }
      }
      for other in states.dropFirst() { #expect(other == states[0]) }
      #expect(states[0][0] != states[0][4])
      #expect((states[0][1] == states[0][5]) == (crowd == .feeds))
      #expect(states[0][0] == states[0][2])
    }
  }

  @Test("the stream writes each row of a transaction once, and changes it")
  func stream() {
    let items = FeedItems(count: 300)
    var changes = FeedChanges(items)
    var table = Dictionary(uniqueKeysWithValues: items.all.map { ($0.id, $0) })
    for _ in 0..<20 {
      var written: Set<Int64> = []
      for write in changes.transaction(rows: 100) {
        switch write {
        case .insert(let item):
          #expect(table.updateValue(item, forKey: item.id) == nil)
          #expect(written.insert(item.id).inserted)
        case .update(let item):
          #expect(table.updateValue(item, forKey: item.id) != item)
          #expect(written.insert(item.id).inserted)
        case .delete(let id):
          #expect(table.removeValue(forKey: id) != nil)
          #expect(written.insert(id).inserted)
        }
      }
    }
  }

  private static func sorted(_ items: [FeedItem]) -> [FeedItem] {
    items.sorted { ($0.feed, -$0.published, $0.id) < ($1.feed, -$1.published, $1.id) }
  }
}

import GRDB
import Journal

extension SearchIndex {
  /// Compares all the index holds with all texts, a line for each entry that is wrong.
  ///
  /// Each word of an entry adds a number made of its letters and its place to the entry's sum, on both
  /// sides.
  ///
  /// - Complexity: linear in the words of the journal; a word and a half a microsecond or so.
  func problems() throws -> [String] {
    var sums = try indexedSums()
    var problems: [String] = []
    try db.forEach("SELECT number, ifnull(text, '') FROM entry ORDER BY number") { columns in
      let number = columns.integer(0)
      let sum = SearchIndex.sum(of: columns.text(1))
      if sums.removeValue(forKey: number) ?? 0 != sum {
        problems.append("entry \(number): the search index does not have its words")
      }
    }
    return problems
      + sums.keys.sorted().map { "entry \($0): the search index has it, but it is gone" }
  }

  /// The sums over what the index holds, read through a table that only this connection sees.
  private func indexedSums() throws -> [Int64: UInt64] {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.entry_word_place
        USING fts5vocab (main, entry_word, instance)
        """)
    var sums: [Int64: UInt64] = [:]
    try db.forEach("SELECT doc, offset, term FROM temp.entry_word_place") { columns in
      let place = UInt64(bitPattern: columns.integer(1))
      sums[columns.integer(0), default: 0] &+= SearchIndex.value(of: columns.text(2), at: place)
    }
    return sums
  }

  private static func sum(of text: String) -> UInt64 {
    var sum: UInt64 = 0
    for (place, word) in Folding.words(of: text).enumerated() {
      sum &+= value(of: cut(word), at: UInt64(place))
    }
    return sum
  }

  /// FNV-1a over the place and the bytes of a word.
  private static func value(of word: String, at place: UInt64) -> UInt64 {
    let start = (0xCBF2_9CE4_8422_2325 ^ place) &* 0x100_0000_01B3
    return word.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

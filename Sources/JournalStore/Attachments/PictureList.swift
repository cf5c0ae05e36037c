import GRDB
import Journal

/// A picture that an entry shows.
package struct FoundPicture: Hashable, Sendable {
  /// The entry's number, title and day.
  package var entry: FoundTitle
  /// Its place among the files of the entry, from 1.
  package var place: Int
  /// The picture.
  package var file: StoredFile
}

extension FileTables {
  /// The pictures of the journal that entries show, those of the latest entries first.
  ///
  /// - Parameters:
  ///   - numbers: the entries, in the trash or not; `nil` for all outside the trash.
  ///   - limit: the most pictures to return.
  /// - Returns: the pictures, and how many there are.
  /// - Complexity: linear in the pictures of the journal; no text is read.
  func pictures(of numbers: Set<Int64>?, limit: Int) throws -> (first: [FoundPicture], count: Int) {
    var found: (first: [FoundPicture], count: Int) = ([], 0)
    try db.forEach(
      """
      SELECT file.hash, file.size, file.type, file.name, ifnull(file.width, 0), ifnull(file.height, 0),
        entry.number, ifnull(entry.title, ''), entry.day, entry_file.place
      FROM entry_file JOIN entry ON entry.number = entry_file.number
        JOIN file ON file.id = (
          SELECT id FROM file WHERE hash >= entry_file.target AND hash < entry_file.target || 'g'
          ORDER BY id LIMIT 1)
      WHERE entry_file.picture = 1 AND entry_file.live \(numbers == nil ? "= 1" : "IN (0, 1)")
      ORDER BY entry.day DESC, entry.created DESC, entry.number DESC, entry_file.place
      """, []
    ) { row in
      let number = row.integer(6)
      guard numbers?.contains(number) ?? true else { return }
      found.count += 1
      guard found.first.count < limit else { return }
      let entry = FoundTitle(
        number: number, title: row.text(7), day: Day(row.text(8)) ?? .earliest)
      found.first.append(
        FoundPicture(
          entry: entry, place: Int(clamping: row.integer(9)) + 1, file: Self.decode(row)))
    }
    return found
  }
}

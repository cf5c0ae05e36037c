/// Finds the rows on all leaf pages of tables in a file, whichever page says that it holds them.
///
/// It follows the file format of SQLite: cells of leaf pages of tables with their overflow pages. A row
/// is given only if all its bytes are there and its record's parts fit together; which table it belongs
/// to is for the reader to tell by its columns.
struct PageScan {
  let file: PageFile

  /// Gives each row's id and record to `body`.
  ///
  /// - Complexity: linear in the size of the file.
  func visitRows(_ body: (Int64, [RecordValue]) throws -> Void) throws {
    for number in stride(from: 1, through: file.count, by: 1) {
      guard let page = file.page(number) else { continue }
      for (id, payload) in rows(of: page, isFirst: number == 1) {
        if let record = RecordValue.record(payload) { try body(id, record) }
      }
    }
  }

  private typealias Row = (id: Int64, payload: [UInt8])

  /// What marks a leaf page of a table.
  private static let tableLeaf: UInt8 = 0x0D
  /// What marks the other pages of tables and indexes.
  private static let otherPages: Set<UInt8> = [0x02, 0x05, 0x0A]

  /// The rows of a leaf page; where its own head is damaged, also what looks like an entry.
  private func rows(of page: [UInt8], isFirst: Bool) -> [Row] {
    let header = isFirst ? 100 : 0
    if PageScan.otherPages.contains(page[header]) { return [] }
    guard page[header] == PageScan.tableLeaf else { return rowsLikeEntries(page) }
    let count = Int(RecordValue.number(page[(header + 3)..<(header + 5)]))
    let listed = listedRows(page, from: header + 8, count)
    return listed.count == count ? listed : listed + rowsLikeEntries(page)
  }

  /// The rows that a page lists, without those that make no sense.
  private func listedRows(_ page: [UInt8], from pointers: Int, _ count: Int) -> [Row] {
    let end = min(pointers + 2 * count, page.count - 1)
    return stride(from: pointers, to: end, by: 2).compactMap { place in
      row(page, at: Int(RecordValue.number(page[place..<(place + 2)])))
    }
  }

  /// An entry's record begins with the size of its head, no value for the number, and a text of 36
  /// bytes, its uuid; the size of the record and the row's id stand before it.
  private func rowsLikeEntries(_ page: [UInt8]) -> [Row] {
    var rows: [Row] = []
    for mark in 4..<(file.usableSize - 1)
    where page[mark] == 85 && page[mark - 1] == 0 && (17...30).contains(page[mark - 2]) {
      for start in stride(from: mark - 4, through: max(0, mark - 20), by: -1) {
        var rest = page[start..<file.usableSize]
        guard RecordValue.variable(&rest) != nil, RecordValue.variable(&rest) != nil,
          rest.startIndex == mark - 2, let row = row(page, at: start),
          let record = RecordValue.record(row.payload),
          SalvagedEntry(number: row.id, record)?.isProven == true
        else { continue }
        rows.append(row)
        break
      }
    }
    return rows
  }

  private func row(_ page: [UInt8], at start: Int) -> Row? {
    guard start >= 0, start < file.usableSize else { return nil }
    var rest = page[start..<file.usableSize]
    guard let size = RecordValue.variable(&rest), let id = RecordValue.variable(&rest),
      size > 0, size <= 1 << 30
    else { return nil }
    let local = localSize(Int(size))
    guard local <= rest.count else { return nil }
    var payload = Array(rest.prefix(local))
    if local < size {
      rest = rest.dropFirst(local)
      guard rest.count >= 4 else { return nil }
      let next = Int(RecordValue.number(rest.prefix(4)))
      guard appendOverflow(from: next, size: Int(size), to: &payload) else { return nil }
    }
    return (id, payload)
  }

  /// How much of a payload stands on the leaf page itself, as the file format has it.
  private func localSize(_ size: Int) -> Int {
    let most = file.usableSize - 35
    if size <= most { return size }
    let least = (file.usableSize - 12) * 32 / 255 - 23
    let kept = least + (size - least) % (file.usableSize - 4)
    return kept <= most ? kept : least
  }

  private func appendOverflow(from first: Int, size: Int, to payload: inout [UInt8]) -> Bool {
    var next = first
    var steps = 0
    while payload.count < size {
      steps += 1
      guard steps <= file.count, let page = file.page(next) else { return false }
      payload += page[4..<file.usableSize].prefix(size - payload.count)
      next = Int(RecordValue.number(page[0..<4]))
    }
    return true
  }
}

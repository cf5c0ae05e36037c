import CSeal
import Glibc
import Journal
import Seal

/// Finds the rows on all table leaf pages of a file, including pages without a parent.
///
/// It reads SQLite's file format: cells of table leaf pages with their overflow pages. A row is
/// returned only if all its bytes exist and the parts of its record are consistent; the reader
/// decides by the columns which table it belongs to.
struct PageScan {
  let file: PageFile

  /// Where a row begins.
  struct Place {
    /// The number of the page, from 1.
    var page: Int
    /// The first byte on it.
    var start: Int
  }

  /// Calls `body` with each row's id and record, the id's distance from its neighbours' on the page, and its
  /// place.
  ///
  /// A flipped bit may give a row the id of another one: then it is far away, or out of order, which is
  /// `nil`.
  ///
  /// - Complexity: linear in the size of the file.
  func visitRows(
    _ attendance: WorkAttendance = WorkAttendance(),
    _ body: (Int64, [RecordValue], _ distance: UInt64?, Place) throws -> Void
  ) throws {
    for number in stride(from: 1, through: file.count, by: 1) {
      try attendance.step("pages", number, file.count)
      guard let page = file.page(number) else { continue }
      for row in rows(of: page, isFirst: number == 1) {
        if let record = RecordValue.record(row.payload) {
          try body(row.id, record, row.distance, Place(page: number, start: row.start))
        }
      }
    }
  }

  /// The bytes of a row's only value that is not null.
  func value(at place: Place) -> [UInt8]? {
    guard let page = file.page(place.page), let payload = row(page, at: place.start)?.payload else {
      return nil
    }
    var header = payload[...]
    return RecordValue.variable(&header).map { Array(payload.dropFirst(Int(clamping: $0))) }
  }

  /// The distance of each id from the nearest one beside it; `nil` for those that do not ascend.
  private static func distances(_ ids: [Int64]) -> [UInt64?] {
    let places = longestAscent(ids)
    var distances: [UInt64?] = Array(repeating: nil, count: ids.count)
    for (index, place) in places.enumerated() {
      let sides = [index - 1, index + 1].filter(places.indices.contains).map {
        let (distance, isHuge) = ids[place].subtractingReportingOverflow(ids[places[$0]])
        return isHuge ? .max : distance.magnitude
      }
      distances[place] = sides.min() ?? .max
    }
    return distances
  }

  /// The places of the most ids that ascend; of two equal ids the later one.
  private static func longestAscent(_ ids: [Int64]) -> [Int] {
    // The last place of the best ascent of each length, and the place before each place.
    var ends: [Int] = []
    var before: [Int?] = []
    for place in ids.indices {
      let length = ends.partitioningIndex { ids[$0] >= ids[place] }
      before.append(length > 0 ? ends[length - 1] : nil)
      ends.replaceSubrange(length..<min(length + 1, ends.count), with: [place])
    }
    return sequence(first: ends.last) { $0.flatMap { before[$0] } }
      .prefix { $0 != nil }.compactMap { $0 }.reversed()
  }

  /// A row that no list of its page names has no neighbours: its distance is the greatest one.
  private struct Row {
    var id: Int64
    /// The first byte on the page.
    var start: Int
    var payload: [UInt8]
    var distance: UInt64? = .max
  }

  /// The type byte of a table leaf page.
  private static let tableLeaf: UInt8 = 0x0D
  /// The type bytes of the other table and index pages.
  private static let otherPages: Set<UInt8> = [0x02, 0x05, 0x0A]

  /// The rows of a leaf page; if its own header is damaged, also byte sequences that look like an
  /// entry.
  private func rows(of page: [UInt8], isFirst: Bool) -> [Row] {
    let header = isFirst ? 100 : 0
    if PageScan.otherPages.contains(page[header]) { return [] }
    guard page[header] == PageScan.tableLeaf else { return rowsLikeEntries(page) }
    let count = Int(RecordValue.number(page[(header + 3)..<(header + 5)]))
    var listed = listedRows(page, from: header + 8, count)
    for (index, distance) in Self.distances(listed.map(\.id)).enumerated() {
      listed[index].distance = distance
    }
    return listed.count == count ? listed : listed + rowsLikeEntries(page)
  }

  /// The rows that a page lists, without inconsistent ones.
  private func listedRows(_ page: [UInt8], from pointers: Int, _ count: Int) -> [Row] {
    let end = min(pointers + 2 * count, page.count - 1)
    return stride(from: pointers, to: end, by: 2).compactMap { place in
      row(page, at: Int(RecordValue.number(page[place..<(place + 2)])))
    }
  }

  /// An entry's record begins with the size of its header, null for the number, and a text of 36
  /// bytes, its uuid; the size of the record and the row's id precede it.
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
    return Row(id: id, start: start, payload: payload)
  }

  /// The number of payload bytes on the leaf page itself, by the file format.
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

/// The pages of a database file, read one by one without SQLite.
///
/// Any byte of the file may be wrong: each offset is checked before it is read.
final class PageFile {
  /// The size of a page in bytes.
  let pageSize: Int
  /// The usable part of a page, in bytes.
  let usableSize: Int
  /// The number of whole pages in the file; of a sealed one without old pages, of those in its map.
  let count: Int
  private let descriptor: Int32
  /// The pages of a sealed file.
  private let sealed: OpaquePointer?
  private var key: JournalKey?
  private let allowsOldPages: Bool

  /// Whether its pages are sealed.
  var isSealed: Bool { sealed != nil }

  /// Opens a file.
  ///
  /// - Parameter allowsOldPages: whether a page of a sealed file may be older than its map says.
  /// - Throws: ``StoreError`` when it cannot be read.
  init(_ path: String, shownPath: String, allowsOldPages: Bool = true) throws {
    self.allowsOldPages = allowsOldPages
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw WholeFile.failure("read", shownPath) }
    var header = [UInt8](repeating: 0, count: 100)
    guard pread(descriptor, &header, header.count, 0) >= 0 else {
      close(descriptor)
      throw WholeFile.failure("read", shownPath)
    }
    var status = stat()
    fstat(descriptor, &status)
    let pages: OpaquePointer?
    do {
      key = try PageFile.key(descriptor, shownPath)
      pages = try PageFile.sealedPages(descriptor, key, shownPath)
    } catch {
      close(descriptor)
      throw error
    }
    if let pages {
      sealed = pages
      pageSize = Int(DAYBOOK_SEAL_PAGE_BYTES)
      usableSize = pageSize - Int(DAYBOOK_SEAL_EXTRA_BYTES)
      count = Int(daybook_seal_pages_count(pages, allowsOldPages ? 1 : 0))
      return
    }
    sealed = nil
    let said = Int(header[16]) << 8 | Int(header[17])
    let size = said == 1 ? 65_536 : said
    // An invalid header is replaced by this program's default.
    pageSize = (512...65_536).contains(size) && size.nonzeroBitCount == 1 ? size : 4096
    usableSize =
      pageSize - (size == pageSize ? min(Int(header[20]), Int(DAYBOOK_SEAL_EXTRA_BYTES)) : 0)
    count = (Int(status.st_size) + pageSize - 1) / pageSize
  }

  deinit {
    if let sealed { daybook_seal_pages_close(sealed) }
    close(descriptor)
  }

  /// - Returns: `nil` for a readable file.
  private static func key(_ descriptor: Int32, _ shownPath: String) throws -> JournalKey? {
    do {
      guard let seal = try SealedHeader(descriptor: descriptor) else { return nil }
      guard let key = seal.key else { throw StoreError.locked(at: shownPath) }
      return key
    } catch let error as SealError {
      throw StoreError(error, at: shownPath)
    }
  }

  private static func sealedPages(
    _ descriptor: Int32, _ key: JournalKey?, _ shownPath: String
  ) throws -> OpaquePointer? {
    guard let key else { return nil }
    guard let pages = key.withPointer({ daybook_seal_pages_open(descriptor, $0) }) else {
      throw StoreError(SealError.outOfMemory, at: shownPath)
    }
    return pages
  }

  /// The problems of the header's two copies; none of a readable file.
  func headerProblems() -> [SealedHeader.CopyProblem?] {
    guard let key else { return [] }
    var bytes = [UInt8](repeating: 0, count: SealedHeader.size)
    let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
    return SealedHeader.problems(of: Array(bytes.prefix(count)), key: key)
  }

  /// A page by its number, from 1; missing bytes of a truncated file are zero.
  ///
  /// - Returns: `nil` beyond the end, and for a page of a sealed file that is not authentic.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1, number <= count else { return nil }
    var bytes = [UInt8](repeating: 0, count: pageSize)
    if let sealed {
      let result = daybook_seal_pages_read(sealed, UInt32(number), allowsOldPages ? 1 : 0, &bytes)
      return Int(result) == DAYBOOK_SEAL_OK ? bytes : nil
    }
    let read = pread(descriptor, &bytes, pageSize, off_t((number - 1) * pageSize))
    return read > 0 ? bytes : nil
  }
}

/// A value of a row in a database file.
enum RecordValue: Hashable {
  case null
  case integer(Int64)
  case text([UInt8])
  /// A value of a type that no column of a journal has: a float or a blob.
  case other

  /// The values of a record, if its header and its length are consistent.
  static func record(_ payload: [UInt8]) -> [RecordValue]? {
    var header = payload[...]
    guard let size = variable(&header), size <= payload.count,
      header.startIndex <= Int(size)
    else { return nil }
    header = payload[header.startIndex..<Int(size)]
    var body = payload[Int(size)...]
    var values: [RecordValue] = []
    while !header.isEmpty {
      guard values.count < 64, let type = variable(&header), let length = length(of: type),
        length <= body.count
      else { return nil }
      values.append(value(type, body.prefix(length)))
      body = body.dropFirst(length)
    }
    return values
  }

  /// A varint of up to nine bytes, seven bits in each but the last; its bytes are dropped.
  static func variable(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    var value: UInt64 = 0
    for count in 0..<9 {
      guard let byte = bytes.popFirst() else { return nil }
      if count == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int64(bitPattern: value) }
    }
    return nil
  }

  /// An unsigned big-endian integer.
  static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func length(of type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...(1 << 31): Int(type - 12) / 2
    default: nil
    }
  }

  private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> RecordValue {
    switch type {
    case 0: .null
    case 8, 9: .integer(type - 8)
    case 1...6: .integer(signed(bytes))
    case 7: .other
    default: type.isMultiple(of: 2) ? .other : .text(Array(bytes))
    }
  }

  private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let isNegative = (bytes.first ?? 0) & 0x80 != 0
    return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
  }
}

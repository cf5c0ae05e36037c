import Glibc

/// The pages of a database file, read one by one without SQLite.
///
/// Everything in the file may be wrong: each place that is read is checked first.
final class PageFile {
  /// The size of a page in bytes.
  let pageSize: Int
  /// What of a page may hold data, in bytes.
  let usableSize: Int
  /// How many whole pages the file has.
  let count: Int
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: ``StoreError`` when it cannot be read.
  init(_ path: String, place: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw WholeFile.failure("read", place) }
    var header = [UInt8](repeating: 0, count: 100)
    guard pread(descriptor, &header, header.count, 0) >= 0 else {
      close(descriptor)
      throw WholeFile.failure("read", place)
    }
    var status = stat()
    fstat(descriptor, &status)
    let said = Int(header[16]) << 8 | Int(header[17])
    let size = said == 1 ? 65_536 : said
    // A header that makes no sense is taken for that of a file of this program.
    pageSize = (512...65_536).contains(size) && size.nonzeroBitCount == 1 ? size : 4096
    usableSize = pageSize - (size == pageSize ? min(Int(header[20]), 32) : 0)
    count = (Int(status.st_size) + pageSize - 1) / pageSize
  }

  deinit { close(descriptor) }

  /// A page by its number, the first one being 1; what a cut file lacks of it is zero.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1, number <= count else { return nil }
    var bytes = [UInt8](repeating: 0, count: pageSize)
    let read = pread(descriptor, &bytes, pageSize, off_t((number - 1) * pageSize))
    return read > 0 ? bytes : nil
  }
}

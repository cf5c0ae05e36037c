import CArchive
import Journal

/// Writes entries as Day One's export in a zip: `Journal.json`, without pictures.
///
/// A zip says a file's length in front of it, so the JSON stays in memory until it is whole.
struct DayOneArchiveEncoder: EntryEncoder {
  private var encoder = DayOneEncoder()
  private var json: [UInt8] = []

  /// Begins the JSON; nothing is appended yet.
  mutating func begin(_ buffer: inout [UInt8]) { encoder.begin(&json) }

  /// Takes an entry; nothing is appended yet.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    encoder.append(entry, to: &json)
  }

  /// Appends the zip.
  ///
  /// - Throws: ``FormatError`` when there is no library to write zips with.
  mutating func end(_ buffer: inout [UInt8]) throws {
    encoder.end(&json)
    var reason = ZipReason()
    let zip = Zip()
    let result = json.withUnsafeBytes { bytes in
      reason.fill { reason, size in
        daybook_zip_write(
          "Journal.json", bytes.baseAddress, bytes.count, DayOneArchiveEncoder.write,
          Unmanaged.passUnretained(zip).toOpaque(), reason, size)
      }
    }
    guard result == 0 else { throw reason.error }
    json = []
    buffer.append(contentsOf: zip.bytes)
  }

  /// What Day One cannot hold.
  var losses: [String] { encoder.losses }

  /// The bytes of the zip, where C can point to them.
  private final class Zip {
    var bytes: [UInt8] = []
  }

  /// Called by the library with bytes of the zip.
  private static let write: daybook_zip_output = { context, bytes, count in
    guard let context else { return -1 }
    let zip = Unmanaged<Zip>.fromOpaque(context).takeUnretainedValue()
    zip.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
  }
}

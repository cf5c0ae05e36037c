import Files
import Glibc
import Journal

/// A record of the screen, read from its file.
struct Record {
  let header: RecordHeader
  /// The lines after the first one, up to the first that cannot be read.
  private(set) var lines: [TimedLine] = []
  /// Why the lines after them were not read.
  private(set) var problem: Failure?

  /// The largest file, in bytes.
  private static let limit = 512 << 20

  /// Reads a file.
  ///
  /// - Throws: ``Failure`` 65 for a file that is not a record, or of a newer form, 66 for one that does not
  ///   exist, 74 and 77.
  init(path: String) throws(Failure) {
    let bytes: [UInt8]
    do {
      bytes = try RegularFile.read(path, limit: Self.limit, followsLinks: true)
    } catch .system(_, ENOENT), .system(_, ENOTDIR) {
      throw Failure(.noInput, "\(path): no such file; name a record that daybook --record made")
    } catch .system(_, let code) {
      throw .system(code, path)
    } catch .tooLong {
      throw Failure(.badData, "\(path): is longer than \(Self.limit >> 20) MiB")
    } catch {
      throw Failure(.badData, "\(path): is not a regular file")
    }
    try self.init(bytes, name: path)
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: ``Failure`` 65 if they do not begin as a record.
  init(_ bytes: [UInt8], name: String) throws(Failure) {
    var rest = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // After the last line feed there is nothing.
    let end = rest.popLast() ?? []
    let first = try? JSONValue(Array(rest.first ?? end[...]))
    guard let first, first["record"]?.string == RecordHeader.kind else {
      throw Failure(.badData, "\(name): is not a record of daybook --record")
    }
    let format = first["format"]?.integer ?? 0
    guard format <= RecordHeader.format else {
      throw Failure(
        .badData,
        "\(name): was made by daybook \(first["program"]?.string ?? "of a later time"), in a form that"
          + " this version does not know; replay it with that one")
    }
    do {
      header = try JSONCoding.decode(RecordHeader.self, from: first)
    } catch {
      throw Failure(.badData, "\(name): line 1: \(Self.reason(error))")
    }
    let place = { (index: Int) in "\(name): line \(index + 1)" }
    for (index, bytes) in rest.enumerated().dropFirst() {
      do {
        lines.append(try TimedLine(try JSONValue(Array(bytes))))
      } catch {
        let maker = header.program == Release.version ? "" : " (made by daybook \(header.program))"
        problem = Failure(.badData, "\(place(index)): \(Self.reason(error))\(maker)")
        return
      }
    }
    if !end.isEmpty {
      problem = Failure(.badData, "\(place(rest.count)): the record ends within the line")
    }
  }

  /// An error in words.
  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let path = error.path
    return "\(path.isEmpty ? "" : path + ": ")\(error.context?.debugDescription ?? "\(error)")"
  }

  /// The pressed keys, as a key file.
  ///
  /// A line ends after Enter, unless the next one would be a comment.
  var script: String {
    var text = ""
    for case .pressed(let keys) in lines.map(\.line) {
      if text.hasSuffix("<Enter>"), !keys.hasPrefix("#") { text += "\n" }
      text += keys
    }
    return text
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }

  /// The place in the JSON: `texts.0`; empty for the whole.
  var path: String {
    (context?.codingPath ?? []).map { $0.intValue.map(String.init) ?? $0.stringValue }
      .joined(separator: ".")
  }
}

/// Reads the entries of a file one at a time, in the order of the file.
public protocol EntrySource {
  /// The next record, or `nil` at the end.
  ///
  /// - Throws: ``FormatError`` when nothing more can be read, because the file as a whole is broken;
  ///   a bad record alone is an ``ImportItem/problem(_:_:)``.
  mutating func next() throws -> ImportItem?
}

/// Why a file cannot be read or written in a format.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, without the name of the file.
  public var reason: String
  /// Where.
  public var place: ImportPlace

  /// Makes an error.
  public init(_ reason: String, at place: ImportPlace = ImportPlace()) {
    self.reason = reason
    self.place = place
  }

  /// The place, where there is one, and the reason.
  public var description: String {
    let place = place.description
    return place.isEmpty ? reason : "\(place): \(reason)"
  }
}

extension StringProtocol {
  /// A piece of a file as a message can name it: its first line, and no more of that than fits.
  var excerpt: String {
    let line = prefix { !$0.isNewline }.prefix(61)
    return line.count > 60 ? "\(line.prefix(60))…" : String(line)
  }
}

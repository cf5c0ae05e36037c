/// A file that a journal keeps, without its bytes.
package struct StoredFile: Hashable, Sendable {
  /// SHA-256 of its bytes, in 64 hexadecimal digits of lower case.
  package var hash: String
  /// The number of its bytes.
  package var size: Int
  /// Its media type: `image/jpeg`.
  package var type: String
  /// Its name where it came from.
  package var name: String
  /// The size in pixels of a picture that could be read.
  package var pixels: PixelSize?

  package init(hash: String, size: Int, type: String, name: String, pixels: PixelSize?) {
    self.hash = hash
    self.size = size
    self.type = type
    self.name = name
    self.pixels = pixels
  }

  /// The largest file that a journal takes: 1 GiB.
  package static let largest = 1 << 30
}

/// The size of a picture.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

extension PixelSize: CustomStringConvertible {
  /// Width and height: `4032×3024`.
  package var description: String { "\(width)×\(height)" }
}

extension StoredFile {
  /// Kind, size in pixels and bytes, in words: `JPEG, 4032×3024, 2.1 MB`.
  package var details: String {
    [MediaType.words(type), pixels?.description, Numbers.bytes(size)].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// The members of the object `{"name","type","bytes","width","height","hash"}`; a file that is not a
  /// picture has neither width nor height.
  ///
  /// - Parameter name: the name in the text that names it.
  package func members(named name: String) -> [JSONMember] {
    var members = [
      JSONMember("name", .string(name)), JSONMember("type", .string(type)),
      JSONMember("bytes", .number("\(size)")),
    ]
    if let pixels {
      members.append(JSONMember("width", .number("\(pixels.width)")))
      members.append(JSONMember("height", .number("\(pixels.height)")))
    }
    return members + [JSONMember("hash", .string(hash))]
  }
}

extension FileLink {
  /// The object of a file that a text names and the journal does not have: its name and the beginning of
  /// its hash.
  package var missingMembers: [JSONMember] {
    [
      JSONMember("name", .string(name)), JSONMember("hash", .string(target)),
      JSONMember("missing", .bool(true)),
    ]
  }
}

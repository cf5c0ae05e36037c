/// The kind of a file: what its content shows, else what the suffix of its name says.
///
/// A name is anybody's: where the same content has several, only what the content shows counts.
package struct FileKind: Equatable, Sendable {
  /// The media type.
  package let type: String
  /// The size of a picture.
  package let pixels: PixelSize?
  /// When a photograph was taken, as its camera says.
  package let taken: CameraTime?
  /// Whether the content shows it, whatever the name is.
  package let isOfContent: Bool

  /// Reads the beginning of a file.
  ///
  /// - Parameters:
  ///   - name: its name with a suffix.
  ///   - read: returns the bytes from an offset on, at most so many; fewer at the end of the file.
  /// - Throws: the errors of `read`.
  package init<Problem: Error>(
    named name: String, read: (_ offset: Int, _ count: Int) throws(Problem) -> [UInt8]
  ) throws(Problem) {
    let suffix = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    let named = MediaType.of(suffix: suffix)
    if let header = try PictureHeader(read: read) {
      (type, pixels, taken, isOfContent) = (header.type, header.pixels, header.taken, true)
      return
    }
    (pixels, taken) = (nil, nil)
    let isDocument = try read(0, 5).elementsEqual("%PDF-".utf8)
    isOfContent = isDocument
    type = isDocument ? "application/pdf" : named
  }
}

/// The media types of files by their suffixes, and their names in words.
package enum MediaType {
  /// The type of a file whose suffix says nothing.
  package static let unknown = "application/octet-stream"

  /// A type, the suffixes of its files, and its name.
  private struct Row {
    var type: String
    var suffixes: [String]
    var words: String

    init(_ type: String, _ suffixes: String..., words: String) {
      (self.type, self.suffixes, self.words) = (type, suffixes, words)
    }
  }

  private static let rows = [
    Row("image/jpeg", "jpg", "jpeg", "jpe", words: "JPEG"), Row("image/png", "png", words: "PNG"),
    Row("image/gif", "gif", words: "GIF"), Row("image/webp", "webp", words: "WebP"),
    Row("image/heic", "heic", "heif", words: "HEIC"), Row("image/avif", "avif", words: "AVIF"),
    Row("image/tiff", "tif", "tiff", words: "TIFF"), Row("image/bmp", "bmp", words: "BMP"),
    Row("image/svg+xml", "svg", words: "SVG"), Row("application/pdf", "pdf", words: "PDF"),
    Row("text/plain", "txt", "text", "log", words: "text"),
    Row("text/markdown", "md", "markdown", words: "Markdown"),
    Row("text/csv", "csv", words: "CSV"), Row("text/html", "html", "htm", words: "HTML"),
    Row("text/calendar", "ics", words: "calendar"), Row("application/json", "json", words: "JSON"),
    Row("application/xml", "xml", words: "XML"), Row("application/zip", "zip", words: "zip"),
    Row("application/gzip", "gz", "tgz", words: "gzip"),
    Row("application/gpx+xml", "gpx", words: "GPX"),
    Row("application/epub+zip", "epub", words: "EPUB"),
    Row("application/vnd.oasis.opendocument.text", "odt", words: "OpenDocument"),
    Row("application/vnd.oasis.opendocument.spreadsheet", "ods", words: "OpenDocument"),
    Row(
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx",
      words: "Word"),
    Row(
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", words: "Excel"),
    Row("audio/mpeg", "mp3", words: "MP3"), Row("audio/mp4", "m4a", words: "M4A"),
    Row("audio/ogg", "ogg", "oga", "opus", words: "Ogg"), Row("audio/wav", "wav", words: "WAV"),
    Row("audio/flac", "flac", words: "FLAC"), Row("video/mp4", "mp4", "m4v", words: "MP4"),
    Row("video/quicktime", "mov", words: "QuickTime"), Row("video/webm", "webm", words: "WebM"),
    Row("video/x-matroska", "mkv", words: "Matroska"),
  ]

  /// The type of files with a suffix, in any case.
  package static func of(suffix: String) -> String {
    let suffix = suffix.lowercased()
    return rows.first { $0.suffixes.contains(suffix) }?.type ?? unknown
  }

  /// A type in words; `nil` for an unknown one.
  package static func words(_ type: String) -> String? {
    rows.first { $0.type == type }?.words
  }

  /// Whether a text shows files of a type as pictures.
  package static func isPicture(_ type: String) -> Bool { type.hasPrefix("image/") }
}

extension Numbers {
  /// A number of bytes: `2.1 MB`, `512 bytes`.
  package static func bytes(_ count: Int) -> String {
    guard count >= 1_000 else { return counted(count, "byte", "bytes") }
    // A damaged journal may name any size.
    let count = min(count, Int.max / 16)
    var (factor, unit) = (1_000, 0)
    // Rounded half up.
    while (count + factor / 2) / factor >= 1_000, unit < byteUnits.count - 1 {
      factor *= 1_000
      unit += 1
    }
    let tenths = (count * 10 + factor / 2) / factor
    let shown =
      tenths < 100
      ? "\(tenths / 10).\(tenths % 10)" : grouped((count + factor / 2) / factor)
    return "\(shown) \(byteUnits[unit])"
  }

  private static let byteUnits = ["kB", "MB", "GB", "TB"]
}

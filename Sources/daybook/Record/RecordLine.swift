import Foundation
import Journal
import Screen
import SectionedResults
import TextLayout

/// One line of a record: what happened, in the order in which it happened.
///
/// A frame follows from the state and from answers of the journal; the state follows from the opening and
/// the events. So the lines repeat a run without its journal, its files and its programs. An answer is
/// written when it is given, and an event before it is handled: the record of a program that crashed ends
/// with what it crashed on.
enum RecordLine: Codable, Equatable {
  /// The facts that the screen opened with.
  case opening(Opening)
  /// Keys were pressed, in the notation of key files; nobody needs them to repeat the run.
  case pressed(String)
  /// An event of the screen.
  case event(Event)
  /// The screen is drawn again, with this key table; `nil` for the standard one.
  case screen(KeyTable?)
  /// The row at a path; `nil` if it could not be read.
  case row(RowPath, EntryRow?)
  /// The sum or the mean in the header of a section.
  case total(Int, String?)
  /// The days with several offsets among those that were asked for.
  case days([Day], several: [Day])
  /// The recorded program's clock had another offset at these moments.
  case away([Moment])
  /// Excerpts for rows.
  case excerpts(Excerpts.Reading)
  /// A picture was decoded.
  case picture(Pictures.Key, RecordedPicture)
  /// The state was shown, as a frame with this checksum.
  case frame(Int64)
  /// A word for running work was shown over the last frame.
  case work(String, Int64)
  /// The lock of another program was shown over the last frame, or over a state that was not shown yet.
  case lock(isNew: Bool, Int64)
  /// The record ends, for this reason.
  case end(String)

  /// The checksum of the frame that the line shows; `nil` for other lines.
  var checksum: Int64? {
    switch self {
    case .frame(let sum), .work(_, let sum), .lock(_, let sum): sum
    case .opening, .pressed, .event, .screen, .row, .total, .days, .away, .excerpts, .picture, .end:
      nil
    }
  }
}

/// The pixels of a picture in a record.
struct RecordedPicture: Codable, Equatable {
  private let width: Int
  private let height: Int
  private let bytes: Data

  init(_ pixels: PicturePixels) {
    (width, height, bytes) = (pixels.width, pixels.height, Data(pixels.bytes))
  }

  /// The pixels; `nil` if the record is damaged.
  var pixels: PicturePixels? { PicturePixels(width: width, height: height, bytes: [UInt8](bytes)) }
}

/// A line with its time.
struct TimedLine: Equatable {
  /// Milliseconds since the beginning of the record.
  var at: Int
  var line: RecordLine
}

extension TimedLine {
  /// The line as JSON: `{"at":1200,"pressed":{"_0":"<Enter>"}}`.
  ///
  /// The member after the time is as Swift codes an enum.
  func json() throws -> JSONValue {
    .object(
      [JSONMember("at", .number(String(at)))] + (try JSONCoding.value(of: line).members ?? []))
  }

  /// - Throws: `DecodingError`.
  init(_ json: JSONValue) throws {
    at = json["at"]?.integer ?? 0
    line = try JSONCoding.decode(RecordLine.self, from: json)
  }
}

/// The first line of a record.
struct RecordHeader: Codable, Equatable {
  /// The form of the lines after it; a program reads its own and earlier ones.
  static let format = 1
  /// The mark of a record's file.
  static let kind = "daybook"

  var record = Self.kind
  var format = Self.format
  /// The version of the program that made it.
  var program = Release.version
  /// For a person who opens the file.
  var holds = "all that was typed and shown, in the clear; read it before you send it"
  /// The terminal's name, `TERM`.
  var terminal: String?
  /// The name of `LC_TIME`, which formats dates.
  var locale: String
}

extension Frame {
  /// A checksum over all cells with their styles, the links and the cursor.
  var checksum: Int64 {
    var text = "\(canvas.width)×\(canvas.height) \(cursor.map { "\($0.row),\($0.column)" } ?? "")\n"
    for row in 0..<canvas.height {
      var style: Style?
      for cell in canvas[row: row] {
        if cell.style != style { text += "\u{1B}\(cell.style.code)" }
        style = cell.style
        if let paint = cell.paint {
          text += "\u{1B}\(paint.foreground),\(paint.background ?? .max);"
        }
        text += cell.text
      }
      text += "\n"
    }
    for link in canvas.links { text += "\(link.row) \(link.columns) \(link.address)\n" }
    return Entry.checksum(of: text)
  }
}

extension Style {
  /// The role and the attributes in letters, for a checksum.
  fileprivate var code: String {
    let attributes = [
      (bold, "b"), (dim, "d"), (underline, "u"), (italic, "i"), (reverse, "r"), (selected, "s"),
      (isCursorLine, "l"),
    ]
    return role.rawValue + ":" + attributes.filter(\.0).map(\.1).joined() + ";"
  }
}

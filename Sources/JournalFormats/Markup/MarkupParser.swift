import CMarkup
import Journal

/// An event of a parser of XML or HTML.
enum MarkupEvent: Hashable {
  /// An element begins, with its attributes, in a line from 1.
  case start(String, [String: String], line: Int)
  /// An element ends.
  case end(String)
  /// A text; neighbouring ones are joined.
  case text([UInt8])
  /// An error, after which the parser went on if it could.
  case problem(String, line: Int)
}

/// Parses XML or HTML into events, piece by piece, in the memory of a piece.
///
/// Entities that a document declares end it; unknown ones are text. `CMarkup.h` explains when the
/// library is loaded.
final class MarkupParser {
  /// The markup.
  enum Syntax {
    case xml
    /// Every text is HTML; the parser closes and adds elements as browsers do.
    case html
  }

  /// The receiver of the events, at an address for C.
  private final class Receiver {
    var events: [MarkupEvent] = []
    var parser: OpaquePointer?
    var depth = 0
    var isTooDeep = false
    let depthLimit: Int

    init(depthLimit: Int) { self.depthLimit = depthLimit }

    func add(_ text: UnsafeBufferPointer<UInt8>) {
      if case .text(var joined)? = events.last {
        // The array must not be shared while it grows.
        events[events.count - 1] = .text([])
        joined.append(contentsOf: text)
        events[events.count - 1] = .text(joined)
      } else {
        events.append(.text(Array(text)))
      }
    }
  }

  /// Elements of a document nest less deeply.
  static let depthLimit = 256

  private let parser: OpaquePointer
  private let receiver: Receiver

  /// Whether elements nest so deeply that parsing ended.
  var isTooDeep: Bool { receiver.isTooDeep }

  /// Makes a parser.
  ///
  /// - Throws: ``FormatError`` if the library is missing.
  init(_ syntax: Syntax, depthLimit: Int = MarkupParser.depthLimit) throws(FormatError) {
    let receiver = Receiver(depthLimit: depthLimit)
    var reason = CReason()
    var handlers = Self.handlers
    let made = reason.fill { reason, size in
      daybook_markup_new(
        syntax == .html ? 1 : 0, &handlers, Unmanaged.passUnretained(receiver).toOpaque(),
        reason, size)
    }
    guard let made else { throw reason.error }
    parser = made
    receiver.parser = made
    self.receiver = receiver
  }

  deinit { daybook_markup_free(parser) }

  /// Throws ``FormatError`` if the library is missing.
  static func load() throws(FormatError) {
    var reason = CReason()
    guard reason.fill({ daybook_markup_load($0, $1) }) == 0 else { throw reason.error }
  }

  /// The events of the next bytes.
  ///
  /// - Parameter isLast: whether they end the document.
  func parse(_ bytes: [UInt8], isLast: Bool) -> [MarkupEvent] {
    bytes.withUnsafeBufferPointer { bytes in
      _ = daybook_markup_parse(parser, bytes.baseAddress, bytes.count, isLast ? 1 : 0)
    }
    defer { receiver.events = [] }
    return receiver.events
  }

  /// Calls `body` with the events of a whole text, in the memory of a piece; it ends early where the
  /// work is given up.
  ///
  /// A piece ends before a tag, so that no text is cut.
  func parse(_ text: String, _ body: (MarkupEvent) -> Void) {
    Utf8.withBytes(of: text) { bytes in
      var start = 0
      while start < bytes.count, !GivenUp.isDue {
        let rest = bytes[min(start + 1 << 16, bytes.count)...]
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        // NUL would end the text for the library.
        let piece = bytes[start..<end].map { $0 == 0 ? 0x20 : $0 }
        for event in parse(piece, isLast: end == bytes.count) { body(event) }
        start = end
      }
    }
  }

  private static func receiver(_ context: UnsafeMutableRawPointer?) -> Receiver? {
    context.map { Unmanaged<Receiver>.fromOpaque($0).takeUnretainedValue() }
  }

  private static var handlers: daybook_markup_events {
    daybook_markup_events(
      start: { context, name, attributes in
        guard let receiver = MarkupParser.receiver(context), let name else { return }
        receiver.depth += 1
        guard receiver.depth <= receiver.depthLimit else {
          receiver.isTooDeep = true
          daybook_markup_stop(receiver.parser)
          return
        }
        var values: [String: String] = [:]
        var next = attributes
        while let pointer = next, let key = pointer[0] {
          values[String(cString: key)] = pointer[1].map { String(cString: $0) } ?? ""
          next = pointer + 2
        }
        let line = Int(daybook_markup_line(receiver.parser))
        receiver.events.append(.start(String(cString: name), values, line: line))
      },
      end: { context, name in
        guard let receiver = MarkupParser.receiver(context), let name else { return }
        receiver.depth -= 1
        receiver.events.append(.end(String(cString: name)))
      },
      text: { context, bytes, count in
        guard let receiver = MarkupParser.receiver(context), let bytes else { return }
        bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
          receiver.add(UnsafeBufferPointer(start: $0, count: count))
        }
      },
      reference: { context, name in
        guard let receiver = MarkupParser.receiver(context), let name else { return }
        Array("&\(String(cString: name));".utf8).withUnsafeBufferPointer { receiver.add($0) }
      },
      problem: { context, reason, line in
        guard let receiver = MarkupParser.receiver(context), let reason else { return }
        let words = String(cString: reason).split(whereSeparator: \.isNewline).first ?? ""
        receiver.events.append(.problem(String(words.excerpt), line: Int(line)))
      })
  }
}

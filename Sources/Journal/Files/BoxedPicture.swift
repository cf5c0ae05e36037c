/// The header of a picture in boxes (ISO/IEC 14496-12 and 23008-12): HEIC and AVIF.
///
/// A file of boxes has several pictures, often the tiles of a large one; the boxes say which is the main one,
/// and which size, turn and EXIF part belong to it.
struct BoxedPicture {
  let type: String
  private(set) var pixels: PixelSize?
  /// The bytes of the file that are the EXIF part.
  private(set) var exif: Range<Int>?

  /// The most boxes at a level, and the most bytes of the box with the headers: a picture of a hundred
  /// tiles needs some thousand.
  private static let (mostBoxes, mostBytes) = (1_000, 256 << 10)

  /// - Returns: `nil` for another file in boxes, such as a film.
  init?<Problem>(read: PictureHeader.Read<Problem>) throws(Problem) {
    let start = HeaderBytes(try read(0, 256))
    guard let size = start.big(0, 4), let type = Self.type(start, end: min(size, 256)) else {
      return nil
    }
    self.type = type
    var offset = size
    for _ in 0..<Self.mostBoxes {
      let head = HeaderBytes(try read(offset, 16))
      guard let box = Box(head, at: 0, end: nil) else { return }
      if head.has("meta", at: 4) {
        guard let count = box.count, count <= Self.mostBytes else { return }
        takeHeaders(HeaderBytes(try read(offset, count)), from: box.content + 4)
        return
      }
      guard let count = box.count else { return }
      offset += count
    }
  }

  /// The type by the brands of the file.
  private static func type(_ start: HeaderBytes, end: Int) -> String? {
    let places = [8] + Array(stride(from: 16, to: end - 3, by: 4))
    for place in places {
      for name in ["heic", "heix", "hevc", "hevx", "heim", "heis"] as [StaticString]
      where start.has(name, at: place) {
        return "image/heic"
      }
      for name in ["avif", "avis"] as [StaticString] where start.has(name, at: place) {
        return "image/avif"
      }
    }
    return nil
  }

  /// A box in bytes.
  private struct Box {
    /// The start of what is in it.
    let content: Int
    /// The bytes of the whole box; `nil` for one up to the end of the file.
    let count: Int?

    /// - Parameter end: the end of the box around it; `nil` where the bytes are only its beginning.
    init?(_ bytes: HeaderBytes, at start: Int, end: Int?) {
      guard var count = bytes.big(start, 4) else { return nil }
      var head = 8
      if count == 1 {
        // More than 56 bits are nonsense.
        guard bytes[start + 8] == 0, let large = bytes.big(start + 9, 7) else { return nil }
        (count, head) = (large, 16)
      }
      content = start + head
      guard count > 0 else {
        self.count = nil
        return
      }
      guard count >= head, count < 1 << 48, end.map({ start + count <= $0 }) ?? true else {
        return nil
      }
      self.count = count
    }
  }

  /// The boxes of a range, by their names.
  private static func boxes(
    _ bytes: HeaderBytes, _ range: Range<Int>
  ) -> [(name: [UInt8], content: Range<Int>)] {
    var found: [(name: [UInt8], content: Range<Int>)] = []
    var start = range.lowerBound
    while start < range.upperBound, found.count < mostBoxes,
      let box = Box(bytes, at: start, end: range.upperBound),
      let name = bytes[start + 4..<start + 8]
    {
      let end = box.count.map { start + $0 } ?? range.upperBound
      guard box.content <= end else { break }
      found.append((Array(name), box.content..<end))
      start = end
    }
    return found
  }

  private static func first(
    _ name: StaticString, in boxes: [(name: [UInt8], content: Range<Int>)]
  ) -> Range<Int>? {
    boxes.first { box in name.withUTF8Buffer { box.name.elementsEqual($0) } }?.content
  }

  /// Takes what the box `meta` says of the main picture.
  private mutating func takeHeaders(_ bytes: HeaderBytes, from start: Int) {
    guard start <= bytes.count else { return }
    let all = Self.boxes(bytes, start..<bytes.count)
    guard let main = Self.first("pitm", in: all).flatMap({ Self.item(bytes, $0) }) else { return }
    if let properties = Self.first("iprp", in: all) {
      let inner = Self.boxes(bytes, properties)
      if let values = Self.first("ipco", in: inner), let table = Self.first("ipma", in: inner) {
        takeProperties(bytes, of: main, Self.boxes(bytes, values), table)
      }
    }
    if let names = Self.first("iinf", in: all), let places = Self.first("iloc", in: all),
      let item = Self.exifItem(bytes, names), let place = Self.place(of: item, bytes, places)
    {
      exif = place
    }
  }

  /// The number of an item, of two or four bytes by the version of a box.
  private static func item(_ bytes: HeaderBytes, _ box: Range<Int>) -> Int? {
    bytes.big(box.lowerBound + 4, bytes[box.lowerBound] == 0 ? 2 : 4)
  }

  private mutating func takeProperties(
    _ bytes: HeaderBytes, of item: Int, _ values: [(name: [UInt8], content: Range<Int>)],
    _ table: Range<Int>
  ) {
    var reader = BoxReader(bytes, table)
    guard let version = reader.number(1), let flags = reader.number(3),
      let count = reader.number(4)
    else { return }
    for _ in 0..<min(count, Self.mostBoxes) {
      guard let found = reader.number(version == 0 ? 2 : 4), let uses = reader.number(1) else {
        return
      }
      for _ in 0..<uses {
        let isWide = flags & 1 == 1
        guard let use = reader.number(isWide ? 2 : 1) else { return }
        let index = use & (isWide ? 0x7FFF : 0x7F)
        guard found == item, values.indices.contains(index - 1) else { continue }
        let value = values[index - 1]
        if value.name == Array("ispe".utf8), value.content.count >= 12 {
          let start = value.content.lowerBound + 4
          pixels = PixelSize(bytes.big(start, 4), bytes.big(start + 4, 4))
        } else if value.name == Array("irot".utf8), let turns = bytes[value.content.lowerBound],
          !value.content.isEmpty, turns & 1 == 1
        {
          // It comes after the size, in this order.
          pixels = pixels?.turned
        }
      }
    }
  }

  /// The item that is the EXIF part.
  private static func exifItem(_ bytes: HeaderBytes, _ box: Range<Int>) -> Int? {
    let head = bytes[box.lowerBound] == 0 ? 6 : 8
    guard box.count > head else { return nil }
    return boxes(bytes, box.lowerBound + head..<box.upperBound).lazy.compactMap { entry -> Int? in
      guard entry.name == Array("infe".utf8), let version = bytes[entry.content.lowerBound],
        version >= 2
      else { return nil }
      let width = version == 2 ? 2 : 4
      let start = entry.content.lowerBound + 4
      guard start + width + 6 <= entry.content.upperBound,
        bytes.has("Exif", at: start + width + 2)
      else { return nil }
      return bytes.big(start, width)
    }.first
  }

  /// The bytes of an item that is in one piece in the file, after the offset that it begins with.
  private static func place(
    of item: Int, _ bytes: HeaderBytes, _ box: Range<Int>
  ) -> Range<Int>? {
    var reader = BoxReader(bytes, box)
    guard let version = reader.number(1), reader.number(3) != nil, let sizes = reader.number(2)
    else { return nil }
    let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard let count = reader.number(version < 2 ? 2 : 4) else { return nil }
    for _ in 0..<min(count, mostBoxes) {
      guard let found = reader.number(version < 2 ? 2 : 4),
        let method = version == 0 ? 0 : reader.number(2), reader.number(2) != nil,
        let base = reader.number(baseSize), let pieces = reader.number(2)
      else { return nil }
      var place: Range<Int>?
      for _ in 0..<min(pieces, mostBoxes) {
        guard reader.number(indexSize) != nil, let offset = reader.number(offsetSize),
          let length = reader.number(lengthSize)
        else { return nil }
        let start = base + offset
        if start < 1 << 48, length < 1 << 31 { place = start..<start + length }
      }
      if found == item { return method & 15 == 0 && pieces == 1 ? place : nil }
    }
    return nil
  }
}

/// Reads numbers of a box one after the other.
private struct BoxReader {
  private let bytes: HeaderBytes
  private let end: Int
  private var place: Int

  init(_ bytes: HeaderBytes, _ box: Range<Int>) {
    self.bytes = bytes
    (place, end) = (box.lowerBound, box.upperBound)
  }

  /// The next number of so many bytes, 0 for none; `nil` at the end, and for one that no file needs.
  mutating func number(_ count: Int) -> Int? {
    guard place + count <= end else { return nil }
    defer { place += count }
    let high = max(0, count - 6)
    for index in 0..<high where bytes[place + index] != 0 { return nil }
    return bytes.big(place + high, count - high)
  }
}

extension ExifHeader {
  /// Reads the EXIF part of a picture in boxes, which begins with the offset of its header.
  init?<Problem>(
    item range: Range<Int>, read: PictureHeader.Read<Problem>
  ) throws(Problem) {
    guard range.count > 4, let skipped = HeaderBytes(try read(range.lowerBound, 4)).big(0, 4),
      skipped < range.count - 4
    else { return nil }
    try self.init(within: range.lowerBound + 4 + skipped..<range.upperBound, read: read)
  }
}

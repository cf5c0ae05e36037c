/// The time at which a camera took a picture, by its own clock.
package struct CameraTime: Hashable, Sendable {
  /// The day on its clock.
  package var day: Day
  /// The time on its clock.
  package var hour: Int
  package var minute: Int
  package var second: Int
  /// The offset from UTC in seconds; `nil` if the camera does not say it.
  package var offset: Int?

  /// Reads `2026:11:21 09:15:00`, and an offset such as `+01:00`, as EXIF has them.
  ///
  /// - Returns: `nil` for a time that was never set, such as `0000:00:00 00:00:00`.
  package init?(_ text: String, offset: String? = nil) {
    var bytes = Array(text.utf8.prefix { $0 != 0 })
    guard bytes.count == 19, bytes[4] == UInt8(ascii: ":"), bytes[7] == UInt8(ascii: ":") else {
      return nil
    }
    (bytes[4], bytes[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
    var reader = MomentReader(bytes: bytes)
    guard let day = reader.day(), reader.skip(anyOf: " T"), let time = reader.time(),
      reader.isAtEnd
    else { return nil }
    self.day = day
    (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    self.offset = offset.flatMap { text in
      var reader = MomentReader(bytes: Array(text.utf8.prefix { $0 != 0 && $0 != 0x20 }))
      guard let offset = reader.offset(), reader.isAtEnd else { return nil }
      return offset
    }
  }

  /// The moment, by the offset of the camera, else of a clock at that time.
  package func moment(on clock: WallClock) -> Moment {
    guard let offset else {
      return clock.moment(
        at: clock.seconds(ofLocal: day, hour: hour, minute: minute, second: second).seconds)
    }
    let local = Int64(day.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    return Moment(seconds: local - Int64(offset), offset: offset)
  }
}

/// The values read from a directory of tags: that of a TIFF, or of the EXIF part of another picture.
///
/// A directory leads to one other, with the time, and no further: there is no loop.
struct ExifHeader {
  private(set) var width: Int?
  private(set) var height: Int?
  /// Whether the stored pixels are turned by a quarter.
  private(set) var isOnItsSide = false
  /// Whether it is a camera's raw data, whose first picture is a small one.
  private(set) var isRaw = false
  private(set) var taken: CameraTime?

  /// The most tags that are read: directories have some dozens.
  private static let mostTags = 1_000

  /// A value of a directory.
  private struct Tag {
    let number: Int
    let type: Int
    let count: Int
    /// The value, or the offset of a longer one.
    let value: Int?
    let bytes: ArraySlice<UInt8>
  }

  /// Reads the directories.
  ///
  /// - Parameter range: the bytes of the file that they are in, from their header on.
  /// - Returns: `nil` if there are none.
  init?<Problem>(
    within range: Range<Int>, read: PictureHeader.Read<Problem>
  ) throws(Problem) {
    func bytes(_ offset: Int, _ count: Int) throws(Problem) -> HeaderBytes {
      guard offset >= 0, offset < range.count else { return HeaderBytes([]) }
      let start = range.lowerBound + offset
      return HeaderBytes(try read(start, min(count, range.upperBound - start)))
    }
    let head = try bytes(0, 8)
    let isBig = head.has("MM", at: 0)
    guard isBig || head.has("II", at: 0) else { return nil }
    func number(_ bytes: HeaderBytes, _ start: Int, _ count: Int) -> Int? {
      isBig ? bytes.big(start, count) : bytes.little(start, count)
    }
    guard number(head, 2, 2) == 42, let first = number(head, 4, 4) else { return nil }

    func tags(at offset: Int) throws(Problem) -> [Tag] {
      guard let count = number(try bytes(offset, 2), 0, 2) else { return [] }
      let table = try bytes(offset + 2, min(count, Self.mostTags) * 12)
      return (0..<table.count / 12).compactMap { index in
        let start = index * 12
        guard let tag = number(table, start, 2), let type = number(table, start + 2, 2),
          let count = number(table, start + 4, 4), let bytes = table[start + 8..<start + 12]
        else { return nil }
        return Tag(
          number: tag, type: type, count: count,
          value: number(table, start + 8, type == Self.short ? 2 : 4), bytes: bytes)
      }
    }
    func text(_ tag: Tag?) throws(Problem) -> String? {
      guard let tag, tag.type == Self.text, (1...32).contains(tag.count) else { return nil }
      if tag.count <= 4 { return String(decoding: tag.bytes.prefix(tag.count), as: UTF8.self) }
      guard let offset = tag.value else { return nil }
      let found = try bytes(offset, tag.count)
      return found[0..<tag.count].map { String(decoding: $0, as: UTF8.self) }
    }

    for tag in try tags(at: first) {
      switch tag.number {
      case 0xFE: isRaw = isRaw || (tag.value ?? 0) & 1 == 1
      case 0x100: width = tag.value
      case 0x101: height = tag.value
      case 0x112: isOnItsSide = (5...8).contains(tag.value ?? 1)
      case 0xC612: isRaw = true
      case 0x8769:
        guard taken == nil, let offset = tag.value else { continue }
        let values = try tags(at: offset)
        let zone = try text(values.first { $0.number == 0x9011 })
        if let time = try text(values.first { $0.number == 0x9003 }) {
          taken = CameraTime(time, offset: zone)
        }
      default: continue
      }
    }
  }

  /// The types of values.
  private static let (text, short) = (2, 3)
}

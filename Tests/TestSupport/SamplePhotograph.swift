import Foundation

/// Photographs made byte by byte: the headers of cameras around no pixels, and small whole pictures.
package enum SamplePhotograph {
  /// A JPEG without pixels, with the tags of a camera.
  ///
  /// - Parameters:
  ///   - orientation: how its stored pixels are turned, as EXIF numbers it.
  ///   - taken: the time of its camera, such as `2026:11:21 09:15:00`.
  ///   - offset: the offset of that time, such as `+01:00`.
  package static func jpeg(
    width: Int, height: Int, orientation: Int = 1, taken: String? = nil, offset: String? = nil,
    isBig: Bool = true
  ) -> [UInt8] {
    var exif = Array("Exif\0\0".utf8)
    exif += directory([(0x112, 3, orientation)], taken: taken, offset: offset, isBig: isBig)
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1]
    for part in [big(exif.count + 2, 2), exif, [0xFF, 0xC0, 0, 17, 8], big(height, 2)] {
      bytes += part
    }
    return bytes + big(width, 2) + [3, 1, 0x22, 0]
  }

  /// A TIFF without pixels.
  package static func tiff(
    width: Int, height: Int, orientation: Int = 1, taken: String? = nil, offset: String? = nil,
    isBig: Bool = false, more: [(Int, Int, Int)] = []
  ) -> [UInt8] {
    directory(
      more + [(0x100, 4, width), (0x101, 3, height), (0x112, 3, orientation)], taken: taken,
      offset: offset, isBig: isBig)
  }

  /// A HEIC or AVIF without pixels: the main picture is made of tiles, has another size than these, and is
  /// turned.
  package static func boxed(
    brand: String = "heic", width: Int, height: Int, turns: Int = 0, taken: String? = nil
  ) -> [UInt8] {
    let start = box("ftyp", [bytes(brand), big(0, 4), bytes("mif1"), bytes(brand)])
    let tags = directory([], taken: taken, offset: "+02:00", isBig: true)
    let exif = Array([big(6, 4), bytes("Exif\0\0"), tags].joined())
    let tile = box("ispe", [big(0, 4), big(512, 4), big(512, 4)])
    let whole = box("ispe", [big(0, 4), big(width, 4), big(height, 4)])
    let values = box("ipco", [tile, whole, box("irot", [[UInt8(turns)]])])
    // The tile has the first size; the main picture the second one and the turn.
    let uses = box(
      "ipma",
      [big(0, 4), big(2, 4), big(1, 2), [1, 0x81], big(49, 2), [2, 0x02, 0x83]])
    let items = [(1, "hvc1"), (49, "grid"), (50, "Exif")].map { number, name in
      box("infe", [big(2 << 24, 4), big(number, 2), big(0, 2), bytes(name), [0]])
    }
    let names = box("iinf", [big(0, 4), big(3, 2)] + items)
    let kind = box("hdlr", [big(0, 8), bytes("pict"), big(0, 4)])
    let main = box("pitm", [big(0, 4), big(49, 2)])
    func meta(_ offset: Int) -> [UInt8] {
      var place = [big(1 << 24, 4), big(0x4400, 2), big(1, 2), big(50, 2), big(0, 2), big(0, 2)]
      place += [big(1, 2), big(offset, 4), big(exif.count, 4)]
      return box(
        "meta", [big(0, 4), kind, main, names, box("iprp", [values, uses]), box("iloc", place)])
    }
    let head = start.count + meta(0).count + 8
    return start + meta(head) + box("mdat", [exif])
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func box(_ name: String, _ parts: [[UInt8]]) -> [UInt8] {
    let content = Array(parts.joined())
    return big(content.count + 8, 4) + bytes(name) + content
  }

  private static func directory(
    _ tags: [(Int, Int, Int)], taken: String?, offset: String?, isBig: Bool
  ) -> [UInt8] {
    func number(_ number: Int, _ count: Int) -> [UInt8] {
      isBig ? big(number, count) : big(number, count).reversed()
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      let last = type == 3 ? [number(value, 2), [0, 0]] : [number(value, 4)]
      return Array(([number(tag, 2), number(type, 2), number(count, 4)] + last).joined())
    }
    let count = tags.count + 1
    let inner = 8 + 2 + count * 12 + 4
    var bytes: [UInt8] = isBig ? [0x4D, 0x4D, 0, 0x2A] : [0x49, 0x49, 0x2A, 0]
    bytes += number(8, 4)
    bytes += number(count, 2)
    for tag in tags { bytes += entry(tag.0, tag.1, 1, tag.2) }
    bytes += entry(0x8769, 4, 1, inner)
    bytes += number(0, 4)
    var texts: [(Int, String)] = []
    if let taken { texts.append((0x9003, taken)) }
    if let offset { texts.append((0x9011, offset)) }
    var place = inner + 2 + texts.count * 12 + 4
    bytes += number(texts.count, 2)
    for (tag, text) in texts {
      bytes += entry(tag, 2, text.utf8.count + 1, place)
      place += text.utf8.count + 1
    }
    bytes += number(0, 4)
    for (_, text) in texts {
      bytes += Array(text.utf8)
      bytes.append(0)
    }
    return bytes
  }

  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// White pictures of 48 × 32 pixels, as libvips writes them.
  package static let whole: [(type: String, bytes: [UInt8])] = [
    ("image/avif", decoded(avif)), ("image/heic", decoded(heic)), ("image/tiff", decoded(tiff)),
  ]

  private static func decoded(_ text: String) -> [UInt8] {
    Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
  }

  private static let avif = """
      AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAASttZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA
      AAAAAA5waXRtAAAAAAABAAAANGlsb2MAAAAAREAAAgABAAAAAAFPAAEAAAAAAAAAGQACAAAAAAFoAAEAAAAAAAAAvgAAADhp
      aW5mAAAAAAACAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAFWluZmUCAAABAAIAAEV4aWYAAAAAamlwcnAAAABLaXBjbwAAABNj
      b2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAAwAAAAIAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAA
      AAAAAAABAAEEgYIDhAAAABppcmVmAAAAAAAAAA5jZHNjAAIAAQABAAAA321kYXQSAAoJGBUv+wQICBoQMgoYAAAAQAs4jlmA
      AAAABkV4aWYAAElJKgAIAAAABgASAQMAAQAAAAEAAAAaAQUAAQAAAFYAAAAbAQUAAQAAAF4AAAAoAQMAAQAAAAIAAAATAgMA
      AQAAAAEAAABphwQAAQAAAGYAAAAAAAAAOGMAAOgDAAA4YwAA6AMAAAYAAJAHAAQAAAAwMjEwAZEHAAQAAAABAgMAAKAHAAQA
      AAAwMTAwAaADAAEAAAD//wAAAqAEAAEAAAAwAAAAA6AEAAEAAAAgAAAAAAAAAA==
    """
  private static let heic = """
      AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAeRtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA
      AAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAADAAIAAAAExpbG9jAQAAAERAAAMAAQAAAAAAAAIIAAEAAAAAAAAAFwACAAEA
      AAAAAAAAAQAAAAAAAAAIAAMAAAAAAAACHwABAAAAAAAAAL4AAABNaWluZgAAAAAAAwAAABVpbmZlAgAAAQABAABodmMxAAAA
      ABVpbmZlAgAAAAACAABncmlkAAAAABVpbmZlAgAAAQADAABFeGlmAAAAANhpcHJwAAAAtmlwY28AAAB2aHZjQwEDcAAAAAAA
      AAAAAB7wAPz9+PgAAA8DIAABABhAAQwB//8DcAAAAwCQAAADAAADAB66AkAhAAEAKkIBAQNwAAADAJAAAAMAAAMAHqAggQWW
      6uSmubgQEDAgAAADACAAAAMAISIAAQAGRAHBc8CJAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAUaXNwZQAAAAAAAAAwAAAAIAAA
      ABBwaXhpAAAAAAMICAgAAAAaaXBtYQAAAAAAAAACAAECgQIAAgIDhAAAAChpcmVmAAAAAAAAAA5kaW1nAAIAAQABAAAADmNk
      c2MAAwABAAIAAADdbWRhdAAAABMoAa8TgPhQ0KfUP3TM7GYpU1eAAAAABkV4aWYAAElJKgAIAAAABgASAQMAAQAAAAEAAAAa
      AQUAAQAAAFYAAAAbAQUAAQAAAF4AAAAoAQMAAQAAAAIAAAATAgMAAQAAAAEAAABphwQAAQAAAGYAAAAAAAAAOGMAAOgDAAA4
      YwAA6AMAAAYAAJAHAAQAAAAwMjEwAZEHAAQAAAABAgMAAKAHAAQAAAAwMTAwAaADAAEAAAD//wAAAqAEAAEAAAAwAAAAA6AE
      AAEAAAAgAAAAAAAAAA==
    """
  private static let tiff = """
      SUkqAEAAAAB4nO3OMQEAMAwEofo3/XXAnOFQwLZ3yfpQH+tjfayP9bE+1sf6WB/rY32sj/WxPnbt8wFrWV+hABAAAAEDAAEA
      AAAwAAAAAQEDAAEAAAAgAAAAAgEDAAMAAAAWAQAAAwEDAAEAAAAIAAAABgEDAAEAAAACAAAAEQEEAAEAAAAIAAAAEgEDAAEA
      AAABAAAAFQEDAAEAAAADAAAAFgEDAAEAAACAAAAAFwEEAAEAAAA3AAAAGgEFAAEAAAAGAQAAGwEFAAEAAAAOAQAAHAEDAAEA
      AAABAAAAKAEDAAEAAAADAAAAPQEDAAEAAAACAAAAUwEDAAMAAAAcAQAAAAAAAAoAAAABAAAACgAAAAEAAAAIAAgACAABAAEA
      AQA=
    """
}
